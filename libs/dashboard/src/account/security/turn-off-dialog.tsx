import { useId } from 'react';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useDisableTwoFactor } from '../account.queries.js';
import { CodeForm } from './code-form.js';

export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const toast = useToast();
  const disable = useDisableTwoFactor(() => {
    toast({ title: 'Two-factor authentication is off' });
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      role="alertdialog"
      title="Turn off two-factor authentication?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger-solid" busy={disable.isPending}>
            Turn off
          </Button>
        </>
      }
    >
      <CodeForm
        id={form}
        operation="POST /auth/2fa/disable"
        write={disable}
        onSend={(code) => disable.mutate({ code })}
      >
        Your password alone will then be enough to sign in. The recovery codes stop working.
      </CodeForm>
    </Dialog>
  );
}
