import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import type { Schema } from '../api/types.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { ConditionEditor } from './condition-editor.js';
import { EnrollmentFields, MetricFields, NotesField, VariantFields } from './experiment-fields.js';
import {
  bodyOf,
  changesOf,
  chosenVariants,
  emptyParts,
  emptyValues,
  type ExperimentParts,
  fieldsOf,
  partsOf,
  valuesOf,
} from './experiment-form.js';
import { type Experiment, useCreateExperiment, useUpdateExperiment } from './experiments.queries.js';
import { partError } from './part-error.js';
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

interface ExperimentDialogProps {
  projectId: string;
  /** Null creates a new one. */
  experiment: Experiment | null;
  onClose: () => void;
  onSaved: (id: string) => void;
}

/** Parameters of the server with their own part of the form, outside its text fields. */
const ofPart =
  /^(targeting_conditions\[\d+\]|secondary_metrics|placements\.(fallback_|placement_offerings\[\d+\]\.))/;

/** Creates an experiment, or edits the fields that its status permits. */
export function ExperimentDialog({ projectId, experiment, onClose, onSaved }: ExperimentDialogProps) {
  const toast = useToast();
  const create = useCreateExperiment(projectId);
  const update = useUpdateExperiment(projectId, experiment?.id ?? '');
  const { error, isPending } = experiment ? update : create;
  // A status change in the list must not change the form during editing.
  const [before] = useState(() => ({
    status: experiment?.status ?? null,
    values: experiment ? valuesOf(experiment) : emptyValues,
    parts: experiment ? partsOf(experiment) : emptyParts,
  }));
  const [parts, setParts] = useState(before.parts);
  const shown = fieldsOf(before.status);
  const bodyBefore = bodyOf(before.values, before.parts, shown);
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const { data: offerings = [] } = useQuery(offeringNamesQuery(projectId));
  const options = offerings
    .filter(({ state }) => state === 'active')
    .map(({ id, display_name: label }) => ({ value: id, label }));
  const change = (part: Partial<ExperimentParts>) => setParts((present) => ({ ...present, ...part }));
  const sentFor = (values: typeof emptyValues) => {
    const body = bodyOf(values, parts, shown);
    return experiment ? changesOf(bodyBefore, body) : body;
  };
  const fields = useFields({
    initial: before.values,
    check: (values) => ({
      display_name: values.display_name.trim() === '' ? 'Give the experiment a name.' : null,
      offering_a_id: values.offering_a_id === '' ? 'Choose an offering.' : null,
      offering_b_id: values.offering_b_id === '' ? 'Choose an offering.' : null,
    }),
    error,
    busy: isPending,
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
          ? 'It begins as a draft. No customer sees it before you start it.'
          : experimentsEditEffects[before.status]
      }
      size="lg"
      fields={{
        ...fields,
        problem: ofPart.test(error?.param ?? '') ? null : fields.problem,
        isDirty: fields.isDirty || JSON.stringify(parts) !== JSON.stringify(before.parts),
      }}
      submit={experiment ? 'Save experiment' : 'New experiment'}
      busy={isPending}
      error={error}
      call={{
        operation: experiment
          ? 'POST /v2/projects/{project_id}/experiments/{experiment_id}'
          : 'POST /v2/projects/{project_id}/experiments',
        path: { project_id: projectId, ...(experiment && { experiment_id: experiment.id }) },
        body: sentFor(fields.values),
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...fields.field('display_name')} />
      {shown.includes('offering_a_id') && <VariantFields fields={fields} options={options} />}
      {shown.includes('enrollment_percentage') && <EnrollmentFields fields={fields} shown={shown} />}
      {shown.includes('targeting_conditions') && (
        <ConditionEditor
          conditions={parts.conditions}
          apps={apps}
          without={['rollout']}
          errorAt={(index) => partError(error, `targeting_conditions[${index}]`)}
          onChange={(conditions) => change({ conditions })}
        />
      )}
      {shown.includes('placements') && (
        <VariantPlacementEditor
          placements={parts.placements}
          fallbacks={parts.fallbacks}
          variants={chosenVariants(fields.values)}
          offerings={options}
          errorAt={(param) => partError(error, param)}
          onChange={change}
        />
      )}
      {shown.includes('primary_metric') && (
        <MetricFields
          fields={fields}
          secondary={parts.secondaryMetrics}
          error={partError(error, 'secondary_metrics')}
          onChange={(secondaryMetrics) => change({ secondaryMetrics })}
        />
      )}
      {shown.includes('notes') && <NotesField fields={fields} />}
    </FormDialog>
  );
}
