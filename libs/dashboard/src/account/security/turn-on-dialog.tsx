import { useId, useState } from 'react';
import type { Schema } from '../../api/types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField } from '../../ui/forms/text-field.js';
import { useEnableTwoFactor, useSetUpTwoFactor } from '../account.queries.js';
import { CodesDialog } from './codes-dialog.js';
import { ScanStep } from './scan-step.js';

interface TurnOnDialogProps {
  email: string;
  onClose: () => void;
}

/** Asks for the password, shows the secret, asks for a code, then shows recovery codes. Closing discards it all. */
export function TurnOnDialog({ email, onClose }: TurnOnDialogProps) {
  const form = useId();
  const [secret, setSecret] = useState<Schema<'TwoFactorSecretDto'> | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const setUp = useSetUpTwoFactor();
  const enable = useEnableTwoFactor();
  if (codes !== null) return <CodesDialog codes={codes} onDone={onClose} />;
  const isBusy = setUp.isPending || enable.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Turn on two-factor authentication"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            {secret === null ? 'Continue' : 'Turn on'}
          </Button>
        </>
      }
    >
      {secret === null ? (
        <PasswordStep
          id={form}
          email={email}
          setUp={setUp}
          onSend={(password) => setUp.mutate({ password }, { onSuccess: setSecret })}
        />
      ) : (
        <ScanStep
          id={form}
          secret={secret}
          write={enable}
          onSend={(code) =>
            enable.mutate({ code }, { onSuccess: (answer) => setCodes(answer.recovery_codes) })
          }
        />
      )}
    </Dialog>
  );
}

interface PasswordStepProps {
  id: string;
  email: string;
  setUp: ReturnType<typeof useSetUpTwoFactor>;
  onSend: (password: string) => void;
}

function PasswordStep({ id, email, setUp, onSend }: PasswordStepProps) {
  const { formProps, field, problem, values } = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? 'This is required.' : null }),
    write: setUp,
    onSubmit: ({ password }) => onSend(password),
  });
  return (
    <form id={id} {...formProps} className="flex flex-col gap-4">
      <p>Enter your password first.</p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <SecretField {...field('password')} label="Password" autoComplete="current-password" />
      <FormError error={problem} />
      <ShowCall operation="POST /auth/2fa/setup" body={values} />
    </form>
  );
}
