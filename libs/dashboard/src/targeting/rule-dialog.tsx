import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import { ConditionEditor } from '../frame/conditions/condition-editor.js';
import { targetingFields } from '../frame/conditions/conditions.js';
import { useSaved } from '../frame/conditions/use-rule-writes.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { DateTimeField } from '../ui/forms/date-time-field.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { visibleText } from '../ui/text/visible-text.js';
import { PlacementEditor } from './placement-editor.js';
import { emptyRule, ruleBodyOf, ruleProblems, ruleValuesOf } from './rule-form.js';
import { type TargetingRule, useCreateRule, useUpdateRule } from './targeting.queries.js';
import { stateLabels } from './labels.js';

interface RuleDialogProps {
  projectId: string;
  /** Null creates a new one. */
  rule: TargetingRule | null;
  onClose: () => void;
}

/** Creates or edits a targeting rule. */
export function RuleDialog({ projectId, rule, onClose }: RuleDialogProps) {
  // A change of the rule in the list must not change the form during editing.
  const [initial] = useState(() => (rule ? ruleValuesOf(rule) : emptyRule));
  const saved = useSaved(onClose);
  const create = useCreateRule(projectId);
  const update = useUpdateRule(projectId);
  const offerings = useQuery(offeringNamesQuery(projectId)).data ?? [];
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const options = offerings
    .filter(({ state }) => state === 'active')
    .map(({ id, display_name: label }) => ({ value: id, label }));
  const form = useForm({
    initial,
    check: ruleProblems,
    write: rule ? update : create,
    onSubmit: (values) => {
      if (rule) update.mutate({ id: rule.id, ...ruleBodyOf(values) }, saved(values.display_name));
      else create.mutate(ruleBodyOf(values), saved(values.display_name));
    },
  });
  return (
    <FormDialog
      title={rule ? `Edit ${visibleText(rule.display_name)}` : 'New rule'}
      size="lg"
      form={form}
      submit="Save rule"
      call={{
        operation: rule
          ? 'POST /v2/projects/{project_id}/targeting_rules/{rule_id}'
          : 'POST /v2/projects/{project_id}/targeting_rules',
        path: { project_id: projectId, ...(rule && { rule_id: rule.id }) },
        body: ruleBodyOf(form.values),
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
      <SelectField
        label="Offering"
        hint="What customers of the audience see."
        placeholder="Choose an offering"
        options={options}
        {...form.field('offering_id')}
      />
      <SelectField
        label="State"
        options={(['active', 'scheduled', 'inactive'] as const).map((value) => ({
          value,
          label: stateLabels[value],
        }))}
        {...form.field('state')}
      />
      {form.values.state === 'scheduled' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <DateTimeField
            label="Starts"
            {...form.control('schedule.start_date')}
            error={form.errorAt('schedule.start_date') ?? form.errorAt('schedule')}
          />
          <DateTimeField label="Ends" optional {...form.control('schedule.end_date')} />
        </div>
      )}
      <ConditionEditor
        legend="Audience"
        note="All conditions must match. No conditions: everyone."
        fields={targetingFields}
        {...form.control('conditions')}
        apps={apps}
        errorAt={(index) => form.errorBelow(`conditions.${index}`)}
      />
      <PlacementEditor form={form} offerings={options} />
    </FormDialog>
  );
}
