import { AppLink } from '../../ui/app-link.js';
import { Button, buttonClass } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { CheckingCode } from './checking-code.js';
import { SecretOnce } from './secret-once.js';
import { type CreatedIntegration, useSendTest } from '../webhooks.writes.js';

interface CreatedWebhookProps {
  projectId: string;
  created: CreatedIntegration;
  onClose: () => void;
}

/** Shows the secret once, with instructions. */
export function CreatedWebhook({ projectId, created, onClose }: CreatedWebhookProps) {
  const test = useSendTest(projectId, created.id);
  const href = `/projects/${projectId}/webhooks/${created.id}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Webhook created"
      footer={
        <>
          <Button icon="send" busy={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
          <AppLink href={href} className={buttonClass({ variant: 'primary' })}>
            Done
          </AppLink>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <SecretOnce secret={created.signing_secret} />
        <CheckingCode />
        <FormError error={test.error?.message} />
        <p role="status" className="text-muted empty:hidden">
          {test.isSuccess && 'Test event queued'}
        </p>
      </div>
    </Dialog>
  );
}
