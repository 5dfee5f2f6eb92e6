import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import type { Schema } from '../api/types.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import { FormDialog } from '../frame/form-dialog.js';
import { useFields } from '../frame/use-fields.js';
import { ConditionEditor } from './condition-editor.js';
import { type ConditionDraft, conditionOf } from './conditions.js';
import { SelectField } from '../ui/select-field.js';
import { TextField } from '../ui/text-field.js';
import { useToast } from '../ui/toast.js';
import { visibleText } from '../ui/visible-text.js';
import { type Experiment, useCreateExperiment } from './experiments.queries.js';
import { text } from './experiments.text.js';

interface CreateExperimentDialogProps {
  projectId: string;
  onClose: () => void;
  onCreated: (id: string) => void;
}

const initial = {
  display_name: '',
  offering_a_id: '',
  offering_b_id: '',
  offering_c_id: '',
  offering_d_id: '',
  enrollment_percentage: '100',
  enrollment_mode: 'only_new',
};

function bodyOf(values: typeof initial, conditions: readonly ConditionDraft[]) {
  return {
    display_name: values.display_name.trim(),
    offering_a_id: values.offering_a_id,
    offering_b_id: values.offering_b_id,
    offering_c_id: values.offering_c_id || null,
    offering_d_id: values.offering_d_id || null,
    enrollment_percentage: Number(values.enrollment_percentage),
    enrollment_mode: values.enrollment_mode as Experiment['enrollment_mode'],
    targeting_conditions: conditions.map(conditionOf),
  } as Schema<'CreateExperimentDto'>;
}

export function CreateExperimentDialog({ projectId, onClose, onCreated }: CreateExperimentDialogProps) {
  const toast = useToast();
  const create = useCreateExperiment(projectId);
  const [conditions, setConditions] = useState<ConditionDraft[]>([]);
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const { data: offerings = [] } = useQuery(offeringNamesQuery(projectId));
  const options = offerings
    .filter(({ state }) => state === 'active')
    .map(({ id, display_name: label }) => ({ value: id, label }));
  const fields = useFields({
    initial,
    check: (values) => ({
      display_name: values.display_name.trim() === '' ? text.nameMissing : null,
      offering_a_id: values.offering_a_id === '' ? text.offeringMissing : null,
      offering_b_id: values.offering_b_id === '' ? text.offeringMissing : null,
    }),
    error: create.error,
    busy: create.isPending,
    onSubmit: (values) =>
      create.mutate(bodyOf(values, conditions), {
        onSuccess: ({ id, display_name: name }) => {
          toast({ title: text.created(visibleText(name)) });
          onCreated(id);
        },
      }),
  });
  const errorAt = (index: number): string | null =>
    create.error?.param?.startsWith(`targeting_conditions[${index}]`) ? create.error.message : null;
  const isOfCondition = conditions.some((_, index) => errorAt(index) !== null);
  return (
    <FormDialog
      title={text.create}
      effect={text.effect}
      size="lg"
      fields={{
        ...fields,
        problem: isOfCondition ? null : fields.problem,
        isDirty: fields.isDirty || conditions.length > 0,
      }}
      submit={text.create}
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/experiments',
        path: { project_id: projectId },
        body: bodyOf(fields.values, conditions),
      }}
      onClose={onClose}
    >
      <TextField label={text.name} autoComplete="off" {...fields.field('display_name')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label={text.control}
          placeholder={text.choose}
          options={options}
          {...fields.field('offering_a_id')}
        />
        <SelectField
          label={text.treatment}
          placeholder={text.choose}
          options={options}
          {...fields.field('offering_b_id')}
        />
        <SelectField
          label={text.third}
          optional
          placeholder={text.none}
          options={options}
          {...fields.field('offering_c_id')}
        />
        {fields.values.offering_c_id !== '' && (
          <SelectField
            label={text.fourth}
            optional
            placeholder={text.none}
            options={options}
            {...fields.field('offering_d_id')}
          />
        )}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={text.percentage}
          hint={text.percentageHint}
          inputMode="numeric"
          autoComplete="off"
          {...fields.field('enrollment_percentage')}
        />
        <SelectField
          label={text.mode}
          options={(['only_new', 'new_and_existing'] as const).map((value) => ({
            value,
            label: text.modes[value],
          }))}
          {...fields.field('enrollment_mode')}
        />
      </div>
      <ConditionEditor
        conditions={conditions}
        apps={apps}
        without={['rollout']}
        errorAt={errorAt}
        onChange={setConditions}
      />
    </FormDialog>
  );
}
