import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { enterpriseQuery } from '../../api/organizations.queries.js';
import { usePreferences } from '../../frame/preferences.js';
import { useSession } from '../../frame/session/session-context.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useDeleteAccount } from '../account.queries.js';
import { twoFactorParam } from '../two-factor-param.js';

export function DeletePanel({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel
      beside
      title="Delete account"
      description="Deletes your account and the projects of which you are the only member."
    >
      <Button variant="danger" onClick={() => setIsOpen(true)}>
        Delete your account
      </Button>
      <DeleteDialog account={account} open={isOpen} onClose={() => setIsOpen(false)} />
    </Panel>
  );
}

interface DeleteDialogProps {
  account: Account;
  open: boolean;
  onClose: () => void;
}

function DeleteDialog({ account, open, onClose }: DeleteDialogProps) {
  const form = useId();
  const session = useSession();
  const toast = useToast();
  const { forget } = usePreferences();
  const remove = useDeleteAccount(() => {
    forget();
    toast({ title: 'Your account is deleted' });
    void session.signedOut();
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      role="alertdialog"
      title="Delete your account?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger-solid" busy={remove.isPending}>
            Delete your account
          </Button>
        </>
      }
    >
      <DeleteForm id={form} account={account} remove={remove} />
    </Dialog>
  );
}

interface DeleteFormProps {
  id: string;
  account: Account;
  remove: ReturnType<typeof useDeleteAccount>;
}

function DeleteForm({ id, account, remove }: DeleteFormProps) {
  const { user, projects } = account;
  const { data: enterprise = null } = useQuery(enterpriseQuery);
  const required = (value: string) => (value.trim() === '' ? 'This is required.' : null);
  const bodyOf = ({ email, password, code }: { email: string; password: string; code: string }) => ({
    email,
    ...(user.has_password && { password }),
    ...(user.has_mfa && { code: code.trim() }),
  });
  const { formProps, field, problem, values } = useForm({
    initial: { email: '', password: '', code: '' },
    check: ({ email, password, code }) => ({
      email: required(email),
      password: user.has_password ? required(password) : null,
      code: user.has_mfa ? required(code) : null,
    }),
    write: remove,
    paramOf: twoFactorParam,
    onSubmit: (given) => remove.mutate(bodyOf(given)),
  });
  return (
    <form id={id} {...formProps} className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        {enterprise !== null && <p>Organizations of which you are the only member are deleted as well.</p>}
        <p>
          {projects.length === 0
            ? 'Your account and its sessions are deleted. This cannot be undone.'
            : 'Your account and its sessions are deleted. Of these projects, those without another member are deleted with everything in them, and you leave the others:'}
        </p>
        {projects.length > 0 && (
          <>
            <ul
              className="max-h-40 list-disc overflow-y-auto ps-5"
              tabIndex={projects.length > 6 ? 0 : undefined}
            >
              {projects.map(({ id: projectId, name }) => (
                <li key={projectId}>
                  <DataText>{name}</DataText>
                </li>
              ))}
            </ul>
            <p>This cannot be undone.</p>
          </>
        )}
      </div>
      <TextField {...field('email')} label="Your email address, to confirm" type="email" autoComplete="off" />
      {user.has_password && (
        <SecretField {...field('password')} label="Password" autoComplete="current-password" />
      )}
      {user.has_mfa && (
        <TextField
          {...field('code')}
          label="Authentication code"
          hint="Six digits from your authenticator app, or a recovery code."
          mono
          autoComplete="one-time-code"
          autoCapitalize="off"
        />
      )}
      <FormError error={problem} />
      <ShowCall operation="POST /auth/account/delete" body={bodyOf(values)} />
    </form>
  );
}
