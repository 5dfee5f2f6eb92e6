import { useId, useState } from 'react';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useRenewRecoveryCodes } from '../account.queries.js';
import { CodeForm } from './code-form.js';
import { CodesDialog } from './codes-dialog.js';

export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = useRenewRecoveryCodes();
  if (codes !== null) return <CodesDialog codes={codes} onDone={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Create new recovery codes"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={renew.isPending}>
            Create new codes
          </Button>
        </>
      }
    >
      <CodeForm
        id={form}
        operation="POST /auth/2fa/recovery_codes"
        write={renew}
        onSend={(code) => renew.mutate({ code }, { onSuccess: (answer) => setCodes(answer.recovery_codes) })}
      >
        Your current codes stop working.
      </CodeForm>
    </Dialog>
  );
}
