import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { useToast } from '../../ui/overlays/toast.js';
import {
  type App,
  type CredentialsCheck,
  savedCheckQuery,
  useCheckCredentials,
  useUpdateApp,
} from '../apps.queries.js';
import { CheckNotice } from './check-notice.js';
import { storeParam } from '../store-param.js';
import { changesOf, type FieldName, setupFields } from './setup-fields.js';
import type { SetupStep } from './setup-steps.js';
import { StepField } from './step-field.js';
import { stepWords } from './step-instructions.js';

export interface StepDialogProps {
  projectId: string;
  app: App;
  step: SetupStep;
  onClose: () => void;
}

/** Fields of the store object that are unknown to the store itself. */
const uncheckable: readonly string[] = ['app_apple_id'] satisfies FieldName[];

const missing = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.trim() === '' && !setupFields[name as FieldName].optional ? 'This is required.' : null,
    ]),
  );

/** Asks for a step's values, checks them with the store, and saves them. Secrets exist only in this form's state. */
export function StepDialog({ projectId, app, step, onClose }: StepDialogProps) {
  const check = useCheckCredentials(projectId, app.id);
  const update = useUpdateApp(projectId, app.id);
  const queries = useQueryClient();
  const toast = useToast();
  const [verdict, setVerdict] = useState<{ of: object; check: CredentialsCheck } | null>(null);
  const { title, why, labels } = stepWords[step.id];
  const busy = check.isPending || update.isPending;

  const save = (changes: Record<string, unknown>, found?: CredentialsCheck) =>
    update.mutate(
      { [app.type]: changes },
      {
        onSuccess: () => {
          const { queryKey } = savedCheckQuery(projectId, app.id);
          if (found) queries.setQueryData(queryKey, found);
          else if (step.isChecked) queries.removeQueries({ queryKey });
          toast({ title: `Saved: ${title}`, tone: 'good' });
          onClose();
        },
      },
    );
  const ask = (values: Record<string, string>) => {
    const changes = changesOf(step.fields, values);
    const asked = Object.fromEntries(
      Object.entries(changes).filter(([name, value]) => value !== null && !uncheckable.includes(name)),
    );
    check.mutate(asked, {
      onSuccess: (found) => {
        setVerdict({ of: values, check: found });
        if (found.status === 'valid') save(changes, found);
      },
    });
  };
  const form = useForm<Record<string, string>>({
    initial: step.fields,
    check: missing,
    write: { error: update.error ?? check.error, isPending: busy },
    paramOf: storeParam,
    onSubmit: (values) => {
      if (step.isChecked && verdict?.of !== values) ask(values);
      else save(changesOf(step.fields, values), verdict?.check);
    },
  });
  // Ignores a check of other values.
  const found = verdict?.of === form.values ? verdict.check : null;
  const submit = () => {
    if (!step.isChecked || found?.status === 'valid') return 'Save';
    if (found === null) return 'Check and save';
    return found.status === 'invalid' ? 'Save anyway' : 'Save without a check';
  };
  return (
    <FormDialog
      title={title}
      effect={<p className="text-muted">{why}</p>}
      form={form}
      submit={submit()}
      danger={found?.status === 'invalid'}
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
        body: { [app.type]: changesOf(step.fields, form.values) },
      }}
      onClose={onClose}
    >
      {(Object.keys(step.fields) as FieldName[]).map((name) => (
        <StepField key={name} name={name} form={form} label={labels?.[name]} />
      ))}
      {found && found.status !== 'valid' && (
        <CheckNotice check={found} busy={busy} onAgain={() => ask(form.values)} />
      )}
    </FormDialog>
  );
}
