import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { FormError } from '../ui/forms/form.js';
import { EmailLinkPage } from './entry/email-link-page.js';
import { useResendVerification, useVerifyEmail } from './entry/entry.queries.js';
import { text } from './entry/entry.text.js';
import { text as signInText } from './entry/sign-in.text.js';
import { Notice } from './entry/notice.js';

/** Needs a session; without one it shows the server's message. */
function Resend() {
  const resend = useResendVerification();
  if (resend.data)
    return (
      <Notice tone="good">
        <DataText>
          {resend.data.already_verified
            ? text.alreadyVerified(resend.data.email)
            : text.verificationSent(resend.data.email)}
        </DataText>
      </Notice>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      <FormError error={resend.error?.message}>
        {resend.error?.status === 401 && (
          <Link to="/login" search={{ next: '/verify-email' }} className="block">
            {signInText.signIn}
          </Link>
        )}
      </FormError>
      <Button busy={resend.isPending} onClick={() => resend.mutate()}>
        {text.sendVerification}
      </Button>
    </div>
  );
}

export default function VerifyEmailPage() {
  return (
    <EmailLinkPage
      title={text.verifyTitle}
      sentence={text.verifySentence}
      done={text.verified}
      useConfirm={useVerifyEmail}
      again={<Resend />}
    />
  );
}
