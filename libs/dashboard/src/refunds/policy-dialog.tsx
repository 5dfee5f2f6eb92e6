import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { ConditionEditor } from '../frame/conditions/condition-editor.js';
import { refundFields } from '../frame/conditions/conditions.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { Checkbox } from '../ui/forms/choice.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { preferenceLabels, storeLabels } from './labels.js';
import { policiesQuery, type RefundPolicy, useCreatePolicy, useUpdatePolicy } from './policies.queries.js';
import { draftsWith, emptyPolicy, policyBodyOf, policyProblems, policyValuesOf } from './policy-form.js';
import { PolicyPreview } from './policy-preview.js';

interface PolicyDialogProps {
  projectId: string;
  /** Null creates a new one. */
  policy: RefundPolicy | null;
  onClose: () => void;
}

/** Creates or edits a refund policy. */
export function PolicyDialog({ projectId, policy, onClose }: PolicyDialogProps) {
  // A change of the policy in the list must not change the form during editing.
  const [initial] = useState(() => (policy ? policyValuesOf(policy) : emptyPolicy));
  const toast = useToast();
  const create = useCreatePolicy(projectId);
  const update = useUpdatePolicy(projectId);
  const { data: policies = [] } = useQuery(policiesQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const isDefault = policy?.is_default === true;
  const form = useForm({
    initial,
    check: policyProblems,
    write: policy ? update : create,
    onSubmit: (values) => {
      const done = {
        onSuccess: () => {
          toast({ title: `Saved ${visibleText(values.display_name)}` });
          onClose();
        },
      };
      if (policy) update.mutate({ id: policy.id, ...policyBodyOf(values, isDefault) }, done);
      else create.mutate(policyBodyOf(values, false), done);
    },
  });
  return (
    <FormDialog
      title={policy ? `Edit ${visibleText(policy.display_name)}` : 'Add policy'}
      description="The policy decides about requests that arrive from now on."
      size="lg"
      form={form}
      submit="Save policy"
      call={{
        operation: policy
          ? 'POST /v2/projects/{project_id}/refund_policies/{policy_id}'
          : 'POST /v2/projects/{project_id}/refund_policies',
        path: { project_id: projectId, ...(policy && { policy_id: policy.id }) },
        body: policyBodyOf(form.values, isDefault),
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
      <SelectField
        label="Answer"
        hint="The store decides. Your answer is one of several factors."
        options={Object.entries(preferenceLabels).map(([value, label]) => ({ value, label }))}
        {...form.field('preference')}
      />
      <TextField
        label="Minutes to wait for a person"
        hint="0: answer at once. If no one answers, the policy’s answer is sent before the store’s deadline."
        inputMode="numeric"
        autoComplete="off"
        {...form.field('hold_minutes')}
      />
      {!isDefault && (
        <>
          <fieldset className="grid gap-1">
            <legend className="mb-1 font-medium">Stores</legend>
            <Checkbox label={storeLabels.app_store} {...form.checkbox('stores.app_store')} />
            <Checkbox label={storeLabels.play_store} {...form.checkbox('stores.play_store')} />
          </fieldset>
          <ConditionEditor
            legend="Conditions"
            note="All conditions must match. No conditions: every request."
            fields={refundFields}
            {...form.control('conditions')}
            apps={apps}
            errorAt={(index) => form.errorBelow(`conditions.${index}`)}
          />
        </>
      )}
      <PolicyPreview projectId={projectId} policies={draftsWith(policies, policy, form.values)} />
    </FormDialog>
  );
}
