import type { Schema } from '../../api/types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { CopyButton } from '../../ui/text/copy-button.js';
import { FormError } from '../../ui/forms/form.js';
import { wrongCodeParam } from '../two-factor-param.js';
import { CodeField } from '../entry/code-field.js';
import { QrCode } from './qr-code.js';

interface ScanStepProps {
  id: string;
  secret: Schema<'TwoFactorSecretDto'>;
  write: Parameters<typeof useForm>[0]['write'];
  onSend: (code: string) => void;
}

/** Splits the key into groups of four, for typing. */
const grouped = (key: string) => key.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the secret as a QR code and as text, and asks for the first code of the app. */
export function ScanStep({ id, secret, write, onSend }: ScanStepProps) {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code === '' ? 'This is required.' : null }),
    write,
    paramOf: wrongCodeParam,
    onSubmit: ({ code }) => onSend(code),
  });
  return (
    <form id={id} {...form.formProps} className="flex flex-col gap-4">
      <p>Scan this with an authenticator app, such as 1Password, Google Authenticator or Aegis.</p>
      <div className="self-center">
        <QrCode value={secret.otpauth_url} label="QR code for your authenticator app" />
      </div>
      <div>
        <p className="text-sm text-muted">Or enter this key in the app</p>
        <p className="flex items-center gap-1">
          <code className="font-mono text-sm wrap-anywhere">{grouped(secret.secret)}</code>
          <CopyButton value={secret.secret} label="Key" />
        </p>
      </div>
      <p>Then enter the code that the app shows.</p>
      <CodeField
        {...form.control('code')}
        onComplete={(code) => {
          if (!write.isPending) onSend(code);
        }}
        autoFocus
      />
      <FormError error={form.problem} />
      <ShowCall operation="POST /auth/2fa/enable" body={form.values} />
    </form>
  );
}
