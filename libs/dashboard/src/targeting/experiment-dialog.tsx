import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import type { Schema } from '../api/types.js';
import { ConditionEditor } from '../frame/conditions/condition-editor.js';
import { targetingFields } from '../frame/conditions/conditions.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { EnrollmentFields, MetricFields, NotesField, VariantFields } from './experiment-fields.js';
import {
  bodyOf,
  changesOf,
  emptyValues,
  type ExperimentValues,
  fieldsOf,
  problemsOf,
  valuesOf,
} from './experiment-form.js';
import { type Experiment, useCreateExperiment, useUpdateExperiment } from './experiments.queries.js';
import { VariantPlacementEditor } from './variant-placement-editor.js';
import type { ExperimentStatus } from './experiments.queries.js';

const savedText = (name: string) => `Saved ${name}`;

const createdText = (name: string) => `Created ${name}`;

const experimentsEditEffects = {
  draft: 'No customer sees it before you start it.',
  running: 'Changes concern customers who join later. Offerings and audience stay.',
  paused: 'While it is paused, offerings, audience and shares stay.',
  stopped: 'It has ended: only its name and notes can be changed.',
} satisfies Record<ExperimentStatus, string>;

const withoutRollout = targetingFields.filter((field) => field !== 'rollout');

interface ExperimentDialogProps {
  projectId: string;
  /** Null creates a new one. */
  experiment: Experiment | null;
  onClose: () => void;
  onSaved: (id: string) => void;
}

/** Creates an experiment, or edits the fields that its status permits. */
export function ExperimentDialog({ projectId, experiment, onClose, onSaved }: ExperimentDialogProps) {
  const toast = useToast();
  const create = useCreateExperiment(projectId);
  const update = useUpdateExperiment(projectId, experiment?.id ?? '');
  // A status change in the list must not change the form during editing.
  const [before] = useState(() => ({
    status: experiment?.status ?? null,
    values: experiment ? valuesOf(experiment) : emptyValues,
  }));
  const shown = fieldsOf(before.status);
  const bodyBefore = bodyOf(before.values, shown);
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const { data: offerings = [] } = useQuery(offeringNamesQuery(projectId));
  const options = offerings
    .filter(({ state }) => state === 'active')
    .map(({ id, display_name: label }) => ({ value: id, label }));
  const sentFor = (values: ExperimentValues) => {
    const body = bodyOf(values, shown);
    return experiment ? changesOf(bodyBefore, body) : body;
  };
  const form = useForm({
    initial: before.values,
    check: problemsOf,
    write: experiment ? update : create,
    onSubmit: (values) => {
      const body = sentFor(values);
      if (Object.keys(body).length === 0) return onClose();
      const done = {
        onSuccess: ({ id, display_name: name }: Experiment) => {
          toast({ title: (experiment ? savedText : createdText)(visibleText(name)) });
          onSaved(id);
        },
      };
      if (experiment) update.mutate(body, done);
      else create.mutate(body as Schema<'CreateExperimentDto'>, done);
    },
  });
  return (
    <FormDialog
      title={experiment ? `Edit ${visibleText(experiment.display_name)}` : 'New experiment'}
      effect={
        before.status === null
          ? 'Saved as a draft. No customer sees it before you start it.'
          : experimentsEditEffects[before.status]
      }
      size="lg"
      form={form}
      submit={experiment ? 'Save experiment' : 'Create'}
      call={{
        operation: experiment
          ? 'POST /v2/projects/{project_id}/experiments/{experiment_id}'
          : 'POST /v2/projects/{project_id}/experiments',
        path: { project_id: projectId, ...(experiment && { experiment_id: experiment.id }) },
        body: sentFor(form.values),
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
      {shown.includes('offering_a_id') && <VariantFields form={form} options={options} />}
      {shown.includes('enrollment_percentage') && <EnrollmentFields form={form} shown={shown} />}
      {shown.includes('targeting_conditions') && (
        <ConditionEditor
          legend="Audience"
          note="All conditions must match. No conditions: everyone."
          fields={withoutRollout}
          {...form.control('targeting_conditions')}
          apps={apps}
          errorAt={(index) => form.errorBelow(`targeting_conditions.${index}`)}
        />
      )}
      {shown.includes('placements') && <VariantPlacementEditor form={form} offerings={options} />}
      {shown.includes('primary_metric') && <MetricFields form={form} />}
      {shown.includes('notes') && <NotesField form={form} />}
    </FormDialog>
  );
}
