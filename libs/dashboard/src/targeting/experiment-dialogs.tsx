import { useState } from 'react';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
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
import { text } from './experiments.text.js';

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
      title={text.asks[action](name)}
      effect={
        <>
          <p>{text.effects[action]}</p>
          {action === 'start' && warnings.map((warning) => <p key={warning}>{visibleText(warning)}</p>)}
        </>
      }
      confirmLabel={text.actions[action]}
      write={useExperimentAction(projectId, id)}
      input={action}
      done={text.done[action](name)}
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
      title={text.removeTitle(name)}
      effect={text.removeEffect}
      confirmLabel={text.remove}
      write={useDeleteExperiment(projectId, id)}
      input={undefined}
      done={text.removed(name)}
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

export function WinnerDialog({ projectId, experiment, onClose }: DialogProps) {
  const toast = useToast();
  const [rollout, setRollout] = useState<(typeof rollouts)[number]>('none');
  const { id, display_name: given } = experiment;
  const variants = variantsOf(experiment);
  const mark = useMarkWinner(projectId, id);
  const fields = useFields({
    initial: { variant: 'b' },
    error: mark.error,
    busy: mark.isPending,
    onSubmit: ({ variant }) =>
      mark.mutate(
        { variant: variant as Winner['variant'], rollout },
        {
          onSuccess: () => {
            const label = variants.find((one) => one.id === variant)?.label ?? variant;
            toast({ title: text.marked(label) });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title={text.winnerTitle(visibleText(given))}
      effect={text.winnerEffect}
      fields={fields}
      submit={text.winner}
      busy={mark.isPending}
      error={mark.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/experiments/{experiment_id}/actions/mark_winner',
        path: { project_id: projectId, experiment_id: id },
        body: { ...fields.values, rollout },
      }}
      onClose={onClose}
    >
      <SelectField
        label={text.winnerVariant}
        options={variants.map(({ id: value, label, offering }) => ({
          value,
          label: `${label}: ${offering.display_name}`,
        }))}
        {...fields.field('variant')}
      />
      <RadioCards
        label={text.rollout}
        options={rollouts.map((value) => ({ value, label: text.rollouts[value] }))}
        value={rollout}
        onChange={setRollout}
      />
    </FormDialog>
  );
}
