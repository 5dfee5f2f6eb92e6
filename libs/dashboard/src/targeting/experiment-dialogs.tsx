import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { RadioCards } from '../ui/forms/choice.js';
import { SelectField } from '../ui/forms/select-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { variantsOf } from './experiment-words.js';
import {
  actionPath,
  type Experiment,
  type ExperimentAction,
  useDeleteExperiment,
  useExperimentAction,
  useMarkWinner,
  type Winner,
} from './experiments.queries.js';
import { actionLabels } from './labels.js';

const experimentsAsks = {
  start: (name: string) => `Start ${name}?`,
  pause: (name: string) => `Pause ${name}?`,
  resume: (name: string) => `Resume ${name}?`,
  stop: (name: string) => `Stop ${name}?`,
} satisfies Record<ExperimentAction, (name: string) => string>;

const experimentsEffects = {
  start: 'Customers of the audience join from now on. Offerings and audience can no longer be changed.',
  pause: 'No customer joins any more. Customers who joined keep seeing their variant.',
  resume: 'Customers join again.',
  stop: 'It ends permanently: customers see what rules or the current offering show. Results continue to count renewals.',
} satisfies Record<ExperimentAction, string>;

const experimentsDone = {
  start: (name: string) => `${name} is running`,
  pause: (name: string) => `${name} is paused`,
  resume: (name: string) => `${name} is running again`,
  stop: (name: string) => `${name} has stopped`,
} satisfies Record<ExperimentAction, (name: string) => string>;

const rolloutLabels = {
  none: 'Nothing: only record it',
  default_offering: 'It becomes the current offering',
  targeting_rule: 'Create a rule for the audience, turned off',
};

interface DialogProps {
  projectId: string;
  experiment: Experiment;
  onClose: () => void;
}

/** Asks for confirmation before an experiment starts, pauses, resumes or stops. */
export function ActionDialog({
  projectId,
  experiment,
  action,
  onClose,
}: DialogProps & { action: ExperimentAction }) {
  const { id, display_name: given, warnings } = experiment;
  const name = visibleText(given);
  return (
    <ConfirmCall
      danger={action === 'stop'}
      title={experimentsAsks[action](name)}
      effect={
        <>
          <p>{experimentsEffects[action]}</p>
          {action === 'start' && warnings.map((warning) => <p key={warning}>{visibleText(warning)}</p>)}
        </>
      }
      confirmLabel={actionLabels[action]}
      write={useExperimentAction(projectId, id)}
      input={action}
      done={experimentsDone[action](name)}
      call={{
        operation: `POST ${actionPath(action)}`,
        path: { project_id: projectId, experiment_id: id },
      }}
      onClose={onClose}
    />
  );
}

export function DeleteExperimentDialog({
  projectId,
  experiment,
  onClose,
  onDeleted,
}: DialogProps & { onDeleted: () => void }) {
  const { id, display_name: given } = experiment;
  const name = visibleText(given);
  return (
    <ConfirmCall
      danger
      title={`Delete ${name}?`}
      effect="Deletes its results and enrollments. Events in customer histories stay. This cannot be undone."
      confirmLabel="Delete"
      write={useDeleteExperiment(projectId, id)}
      input={undefined}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/experiments/{experiment_id}',
        path: { project_id: projectId, experiment_id: id },
      }}
      onClose={onClose}
      onDone={onDeleted}
    />
  );
}

const rollouts = ['none', 'default_offering', 'targeting_rule'] as const;

const initialWinner: Winner = { variant: 'b', rollout: 'none' };

export function WinnerDialog({ projectId, experiment, onClose }: DialogProps) {
  const toast = useToast();
  const { id, display_name: given } = experiment;
  const variants = variantsOf(experiment);
  const mark = useMarkWinner(projectId, id);
  const form = useForm({
    initial: initialWinner,
    write: mark,
    onSubmit: (values) =>
      mark.mutate(values, {
        onSuccess: () => {
          const label = variants.find(({ id: of }) => of === values.variant)?.label ?? values.variant;
          toast({ title: `${label} won` });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title={`Choose the winner of ${visibleText(given)}`}
      effect="A running experiment stops."
      form={form}
      submit="Choose a winner"
      call={{
        operation: 'POST /v2/projects/{project_id}/experiments/{experiment_id}/actions/mark_winner',
        path: { project_id: projectId, experiment_id: id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Variant"
        options={variants.map(({ id: value, label, offering }) => ({
          value,
          label: `${label}: ${offering.display_name}`,
        }))}
        {...form.field('variant')}
      />
      <RadioCards
        label="What happens to its offering"
        options={rollouts.map((value) => ({ value, label: rolloutLabels[value] }))}
        {...form.control('rollout')}
      />
    </FormDialog>
  );
}
