import { useId, useRef, useState } from 'react';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { focusFirstError, FormError } from '../ui/forms/form.js';
import { CreatedWebhook } from './signing/created-webhook.js';
import { errorAt, wholeError } from './form-errors.js';
import { WebhookFields } from './webhook-fields.js';
import { creation, emptyForm } from './webhook-form.js';
import { type CreatedIntegration, useCreateIntegration } from './webhooks.writes.js';

/** Creates a webhook, then shows its secret once. */
export function CreateDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState(emptyForm);
  const [isChecked, setIsChecked] = useState(false);
  const [created, setCreated] = useState<CreatedIntegration | null>(null);
  const create = useCreateIntegration(projectId, setCreated);
  useDirtyForm(!created && form !== emptyForm);
  if (created) return <CreatedWebhook projectId={projectId} created={created} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={() => !create.isPending && onClose()}
      title="New webhook"
      footer={
        <>
          <Button onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={create.isPending}>
            Create webhook
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={id}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setIsChecked(true);
          if (create.isPending || form.types?.length === 0) return;
          create.mutate(creation(form), {
            onError: () => requestAnimationFrame(() => focusFirstError(element.current)),
          });
        }}
      >
        <WebhookFields
          projectId={projectId}
          form={form}
          onChange={(changes) => setForm({ ...form, ...changes })}
          errorOf={errorAt(create.error, form, isChecked)}
          isNew
        />
        <FormError error={wholeError(create.error)} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/webhooks"
          path={{ project_id: projectId }}
          body={creation(form)}
        />
      </form>
    </Dialog>
  );
}
