import { useState } from 'react';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { CreatedWebhook } from './signing/created-webhook.js';
import { WebhookFields } from './webhook-fields.js';
import { creation, emptyForm, problemsOf } from './webhook-form.js';
import { type CreatedIntegration, useCreateIntegration } from './webhooks.writes.js';

/** Creates a webhook, then shows its secret once. */
export function CreateDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedIntegration | null>(null);
  const create = useCreateIntegration(projectId, setCreated);
  const form = useForm({
    initial: emptyForm,
    check: problemsOf,
    write: create,
    onSubmit: (values) => create.mutate(creation(values)),
  });
  if (created) return <CreatedWebhook projectId={projectId} created={created} onClose={onClose} />;
  return (
    <FormDialog
      title="New webhook"
      form={form}
      submit="Create webhook"
      call={{
        operation: 'POST /v2/projects/{project_id}/integrations/webhooks',
        path: { project_id: projectId },
        body: creation(form.values),
      }}
      onClose={onClose}
    >
      <WebhookFields projectId={projectId} form={form} isNew />
    </FormDialog>
  );
}
