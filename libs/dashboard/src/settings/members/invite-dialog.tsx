import { useId, useState } from 'react';
import { asCallError } from '../../api/call-error.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { addressesIn } from './addresses.js';
import { type InviteResult, InviteResults } from './invite-results.js';
import { type Role, useInvite } from './members.queries.js';
import { text } from './members.text.js';
import { RoleField } from './role-field.js';

interface InviteDialogProps {
  projectId: string;
  onClose: () => void;
}

/** Invites several people with one role, with a call and a result each. Failed addresses stay in the field. */
export function InviteDialog({ projectId, onClose }: InviteDialogProps) {
  const form = useId();
  const toast = useToast();
  const invite = useInvite(projectId);
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [missing, setMissing] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [results, setResults] = useState<readonly InviteResult[]>([]);
  const addresses = addressesIn(typed);
  useDirtyForm(typed.trim() !== '' || isSending);

  const send = async () => {
    setMissing(addresses.length === 0);
    if (addresses.length === 0 || isSending) return;
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
    setTyped(addresses.filter((email) => !sent.some((result) => result.email === email)).join('\n'));
    if (sent.length === addresses.length && sent.every(({ state }) => state === 'sent')) {
      toast({ title: text.allSent(sent.length), tone: 'good' });
      onClose();
    }
  };

  return (
    <Dialog
      open
      onClose={() => !isSending && onClose()}
      title={text.inviteTitle}
      footer={
        <>
          <Button disabled={isSending} onClick={onClose}>
            {results.length > 0 ? text.close : text.cancel}
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isSending}>
            {text.send(addresses.length)}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextAreaField
          label={text.emails}
          hint={text.emailsHint}
          error={missing && addresses.length === 0 ? text.noEmails : null}
          value={typed}
          rows={3}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          readOnly={isSending}
          onChange={(event) => setTyped(event.target.value)}
        />
        {results.length > 0 && <InviteResults results={results} />}
        <RoleField value={role} onChange={setRole} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/invites"
          path={{ project_id: projectId }}
          body={{ email: addresses[0] ?? '', role }}
        />
      </form>
    </Dialog>
  );
}
