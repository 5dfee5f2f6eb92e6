import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/format/time.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useCancelEmailChange } from '../account.queries.js';
import { Notice } from '../../ui/notice.js';
import { EmailDialog } from './email-dialog.js';

function Pending({ change }: { change: NonNullable<Account['email_change']> }) {
  const toast = useToast();
  const cancel = useCancelEmailChange(() => toast({ title: 'The change of your email is cancelled' }));
  return (
    <Notice>
      <p>
        <DataText>{`Waiting for you to open the link that was sent to ${change.email}.`}</DataText> The link
        works until <Time ms={change.expires_at} show="full" />.
      </p>
      <FormError error={cancel.error?.message} />
      <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the change
      </Button>
    </Notice>
  );
}

export function EmailPanel({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false);
  const { user, email_change: change } = account;
  return (
    <Panel beside title="Email address" description="Used for sign-in and emails.">
      <div className="flex flex-col items-start gap-3">
        <p className="max-w-full font-medium wrap-anywhere">
          <DataText>{user.email}</DataText>
        </p>
        {change && <Pending change={change} />}
        <Button onClick={() => setIsOpen(true)}>Change the address</Button>
      </div>
      <EmailDialog open={isOpen} hasCode={user.has_mfa} onClose={() => setIsOpen(false)} />
    </Panel>
  );
}
