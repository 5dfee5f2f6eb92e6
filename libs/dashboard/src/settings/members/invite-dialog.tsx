import { useId, useState } from 'react';
import { asCallError } from '../../api/call-error.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { addressesIn } from './addresses.js';
import { type InviteResult, InviteResults } from './invite-results.js';
import { type Role, useInvite } from './members.queries.js';
import { RoleField } from './role-field.js';

interface InviteValues {
  /** The typed addresses, separated by commas or lines. */
  emails: string;
  role: Role;
}

interface InviteDialogProps {
  projectId: string;
  onClose: () => void;
}

/** Invites several people with one role, with a call and a result each. Failed addresses stay in the field. */
export function InviteDialog({ projectId, onClose }: InviteDialogProps) {
  const id = useId();
  const toast = useToast();
  const invite = useInvite(projectId);
  const [isSending, setIsSending] = useState(false);
  const [results, setResults] = useState<readonly InviteResult[]>([]);
  const form = useForm<InviteValues>({
    initial: { emails: '', role: 'developer' },
    check: ({ emails }) => ({
      emails: addressesIn(emails).length === 0 ? 'Enter at least one email address.' : null,
    }),
    // Each address has a result of its own.
    write: { error: null, isPending: isSending },
    onSubmit: (values) => void send(values),
  });
  const addresses = addressesIn(form.values.emails);
  useDirtyForm(form.values.emails.trim() !== '' || isSending);

  const send = async ({ role }: InviteValues) => {
    setIsSending(true);
    const done: InviteResult[] = [];
    for (const email of addresses) {
      setResults([...done, { email, state: 'sending' }]);
      try {
        const { email_sent: isSent } = await invite.mutateAsync({ email, role });
        done.push({ email, state: isSent ? 'sent' : 'mail-failed' });
      } catch (error) {
        const { message, status } = asCallError(error);
        done.push({ email, state: 'failed', message });
        // The daily limit or an expired session would also fail the others.
        if (status === 429 || status === 401) break;
      }
    }
    setIsSending(false);
    setResults(done);
    const sent = done.filter(({ state }) => state !== 'failed');
    form.set(
      'emails',
      addresses.filter((email) => !sent.some((result) => result.email === email)).join('\n'),
    );
    if (sent.length === addresses.length && sent.every(({ state }) => state === 'sent')) {
      toast({
        title: sent.length === 1 ? 'The invitation is sent' : `${sent.length} invitations are sent`,
        tone: 'good',
      });
      onClose();
    }
  };

  return (
    <Dialog
      open
      onClose={() => !isSending && onClose()}
      title="Invite people"
      footer={
        <>
          <Button disabled={isSending} onClick={onClose}>
            {results.length > 0 ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" form={id} variant="primary" busy={isSending}>
            {addresses.length > 1 ? `Send ${addresses.length} invitations` : 'Send the invitation'}
          </Button>
        </>
      }
    >
      <form id={id} {...form.formProps} className="flex flex-col gap-4">
        <TextAreaField
          label="Email addresses"
          hint="Separate them by commas or lines. At most 50 invitations a day."
          rows={3}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          readOnly={isSending}
          {...form.field('emails')}
        />
        {results.length > 0 && <InviteResults results={results} />}
        <RoleField {...form.control('role')} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/invites"
          path={{ project_id: projectId }}
          body={{ email: addresses[0] ?? '', role: form.values.role }}
        />
      </form>
    </Dialog>
  );
}
