import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { useForm } from '../frame/forms/use-form.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button } from '../ui/button.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { Panel } from '../ui/panel.js';
import { useToast } from '../ui/overlays/toast.js';
import { WebhookFields } from './webhook-fields.js';
import { changes, formOf, problemsOf } from './webhook-form.js';
import type { Integration, WebhookState } from './webhooks.queries.js';
import { useDeleteIntegration, useUpdateIntegration } from './webhooks.writes.js';

interface SettingsTabProps {
  projectId: string;
  integration: Integration;
  state: WebhookState | undefined;
}

/** The settings of a webhook, and its deletion. */
export function SettingsTab({ projectId, integration, state }: SettingsTabProps) {
  const toast = useToast();
  const may = useMay('updateWebhookIntegration');
  const update = useUpdateIntegration(projectId, integration.id);
  const form = useForm({
    initial: formOf(integration),
    check: problemsOf,
    write: update,
    onSubmit: (values) => {
      if (may.allowed) update.mutate(changes(values, integration), { onSuccess: finish });
    },
  });
  const finish = () => {
    toast({ title: 'Changes saved', tone: 'good' });
    form.setValues((now) => ({ ...now, authorization_header: '', noAuthorization: false }));
  };
  const body = changes(form.values, integration);
  useDirtyForm(Object.keys(body).length > 0);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <Panel>
        <form {...form.formProps} className="flex flex-col gap-4">
          <fieldset disabled={!may.allowed} className="flex min-w-0 flex-col gap-4">
            <WebhookFields projectId={projectId} form={form} isNew={false} />
          </fieldset>
          <FormError error={form.problem} />
          <FormActions>
            <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
              Save changes
            </Button>
          </FormActions>
          <ShowCall
            operation="POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}"
            path={{ project_id: projectId, webhook_integration_id: integration.id }}
            body={body}
          />
        </form>
      </Panel>
      <DeletePanel projectId={projectId} integration={integration} state={state} />
    </div>
  );
}

function DeletePanel({ projectId, integration, state }: SettingsTabProps) {
  const navigate = useNavigate();
  const may = useMay('deleteWebhookIntegration');
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteIntegration(projectId, integration.id);
  return (
    <Panel title="Delete" description="Nothing more is sent to this address.">
      <Button variant="danger" icon="trash" disabledReason={may.reason} onClick={() => setIsAsking(true)}>
        Delete webhook
      </Button>
      {isAsking && (
        <ConfirmCall
          danger
          title="Delete this webhook"
          effect={`Nothing more is sent to this address. ${(state?.pending ?? 0).toLocaleString()} waiting deliveries are dropped, and its log and signing secret are gone.`}
          confirmLabel="Delete webhook"
          write={remove}
          input={undefined}
          done="Webhook deleted"
          call={{
            operation: 'DELETE /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}',
            path: { project_id: projectId, webhook_integration_id: integration.id },
          }}
          onClose={() => setIsAsking(false)}
          onDone={() => navigate({ to: '/projects/$projectId/webhooks', params: { projectId } })}
        />
      )}
    </Panel>
  );
}
