import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { SecretField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useChangePassword } from '../account.queries.js';

export function PasswordPanel({ user }: { user: Account['user'] }) {
  // Remounts the form after a submission, to clear it.
  const [round, setRound] = useState(0);
  return (
    <Panel
      beside
      title="Password"
      description="A change signs you out everywhere else, and disconnects all clients."
    >
      {user.has_password ? (
        <PasswordForm key={round} email={user.email} onDone={() => setRound(round + 1)} />
      ) : (
        <p className="text-muted">
          Your account has no password. To set one, sign out and use “Forgot your password?”.
        </p>
      )}
    </Panel>
  );
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const toast = useToast();
  const change = useChangePassword(() => {
    toast({ title: 'Your password is changed', tone: 'good' });
    onDone();
  });
  const required = (value: string) => (value === '' ? 'This is required.' : null);
  const { formProps, field, problem, isDirty, values } = useForm({
    initial: { current_password: '', password: '' },
    check: ({ current_password: current, password }) => ({
      current_password: required(current),
      password: required(password),
    }),
    write: change,
    onSubmit: (body) => change.mutate(body),
  });
  useDirtyForm(isDirty);
  return (
    <form {...formProps} className="flex flex-col gap-4">
      {/* Identifies the account to password managers. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <SecretField
        {...field('current_password')}
        label="Current password"
        autoComplete="current-password"
        className="max-w-md"
      />
      <SecretField
        {...field('password')}
        label="New password"
        hint="At least 8 characters."
        autoComplete="new-password"
        className="max-w-md"
      />
      <FormError error={problem} />
      <FormActions>
        <Button type="submit" variant="primary" busy={change.isPending}>
          Change the password
        </Button>
        <ShowCall operation="POST /auth/password/change" body={values} />
      </FormActions>
    </form>
  );
}
