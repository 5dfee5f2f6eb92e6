import { useState } from 'react';
import type { CallError } from '../../api/call-error.js';
import type { Schema } from '../../api/types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { CopyButton } from '../../ui/text/copy-button.js';
import { FormError } from '../../ui/forms/form.js';
import { CodeField } from '../entry/code-field.js';
import { QrCode } from './qr-code.js';

interface ScanStepProps {
  id: string;
  secret: Schema<'TwoFactorSecretDto'>;
  error: CallError | null;
  busy: boolean;
  onSend: (code: string) => void;
}

/** Splits the key into groups of four, for typing. */
const grouped = (key: string) => key.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the secret as a QR code and as text, and asks for the first code of the app. */
export function ScanStep({ id, secret, error, busy, onSend }: ScanStepProps) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const isWrong = error?.type === 'two_factor_invalid';
  const send = (given: string) => {
    setMissing(given === '');
    if (given !== '' && !busy) onSend(given);
  };
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send(code);
      }}
    >
      <p>Scan this with an authenticator app, such as 1Password, Google Authenticator or Aegis.</p>
      <div className="self-center">
        <QrCode value={secret.otpauth_url} label="QR code for your authenticator app" />
      </div>
      <div>
        <p className="text-sm text-muted">Or enter this key there</p>
        <p className="flex items-center gap-1">
          <code className="font-mono text-sm wrap-anywhere">{grouped(secret.secret)}</code>
          <CopyButton value={secret.secret} label="Key" />
        </p>
      </div>
      <p>Then enter the code that the app shows.</p>
      <CodeField
        value={code}
        onChange={(value) => {
          setCode(value);
          setMissing(false);
        }}
        onComplete={send}
        autoFocus
        error={missing ? 'This is required.' : isWrong ? error.message : null}
      />
      <FormError error={error && !isWrong ? error.message : null} />
      <ShowCall operation="POST /auth/2fa/enable" body={{ code }} />
    </form>
  );
}
