import { useId } from 'react';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useDisableTwoFactor } from '../account.queries.js';
import { text } from '../account.text.js';
import { CodeForm } from './code-form.js';

export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const toast = useToast();
  const disable = useDisableTwoFactor(() => {
    toast({ title: text.turnedOff });
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      role="alertdialog"
      title={text.turnOffTitle}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={form} variant="danger-solid" busy={disable.isPending}>
            {text.turnOff}
          </Button>
        </>
      }
    >
      <CodeForm
        id={form}
        operation="POST /auth/2fa/disable"
        error={disable.error}
        busy={disable.isPending}
        onSend={(code) => disable.mutate({ code })}
      >
        {text.turnOffSentence}
      </CodeForm>
    </Dialog>
  );
}
