import { useState } from 'react';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Time } from '../../ui/format/time.js';
import { CheckingCode } from './checking-code.js';
import { SecretOnce } from './secret-once.js';
import { useRotateSecret } from '../webhooks.writes.js';

/** Time during which the previous secret also signs. */
const BOTH_SIGN_MS = 24 * 3_600_000;

interface RotateDialogProps {
  projectId: string;
  webhookId: string;
  onClose: () => void;
}

/** Creates a new signing secret and shows it once. */
export function RotateDialog({ projectId, webhookId, onClose }: RotateDialogProps) {
  const [done, setDone] = useState<{ secret: string; untilMs: number } | null>(null);
  const rotate = useRotateSecret(projectId, webhookId, ({ signing_secret: secret }) =>
    setDone({ secret, untilMs: Date.now() + BOTH_SIGN_MS }),
  );
  if (!done) {
    return (
      <ConfirmCall
        title="Rotate the signing secret"
        effect="Creates a new secret and shows it once. For 24 hours, requests carry both signatures, so that no event is lost while you switch. If the secret was rotated within the last 24 hours, the previous one stops working now."
        confirmLabel="Rotate secret"
        write={rotate}
        input={undefined}
        call={{
          operation:
            'POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}/actions/rotate_secret',
          path: { project_id: projectId, webhook_integration_id: webhookId },
        }}
        onClose={onClose}
        // The new secret follows.
        onDone={() => undefined}
      />
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New signing secret"
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <SecretOnce secret={done.secret} />
        <p>
          Both secrets sign until <Time ms={done.untilMs} show="full" />.
        </p>
        <CheckingCode />
      </div>
    </Dialog>
  );
}
