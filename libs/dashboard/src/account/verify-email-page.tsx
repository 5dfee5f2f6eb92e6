import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { FormError } from '../ui/forms/form.js';
import { EmailLinkPage } from './entry/email-link-page.js';
import { useResendVerification, useVerifyEmail } from './entry/entry.queries.js';
import { Notice } from '../ui/notice.js';

const verifiedText = (email: string) => `${email} is confirmed.`;

/** Needs a session; without one it shows the server's message. */
function Resend() {
  const resend = useResendVerification();
  if (resend.data)
    return (
      <Notice tone="good">
        <DataText>
          {resend.data.already_verified
            ? `${resend.data.email} is confirmed already.`
            : `A new link is on its way to ${resend.data.email}.`}
        </DataText>
      </Notice>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      <FormError error={resend.error?.message}>
        {resend.error?.status === 401 && (
          <Link to="/login" search={{ next: '/verify-email' }} className="block">
            Sign in
          </Link>
        )}
      </FormError>
      <Button busy={resend.isPending} onClick={() => resend.mutate()}>
        Send a new link
      </Button>
    </div>
  );
}

export default function VerifyEmailPage() {
  return (
    <EmailLinkPage
      title="Confirm your email"
      sentence="Confirm that this address belongs to you."
      done={verifiedText}
      useConfirm={useVerifyEmail}
      again={<Resend />}
    />
  );
}
