import { Link } from '@tanstack/react-router';
import { PlainPage } from '../frame/plain-page.js';
import { Button } from '../ui/button.js';
import { buttonClass } from '../ui/button-class.js';
import { DataText } from '../ui/data-text.js';
import { FormError } from '../ui/form.js';
import { useResendVerification, useVerifyEmail } from './entry/entry.queries.js';
import { text } from './entry/entry.text.js';
import { useFragment } from './entry/fragment.js';
import { LinkProblem } from './entry/link-problem.js';
import { Notice } from './entry/notice.js';

/** Takes a session; without one the server's words say so. */
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
            {text.signIn}
          </Link>
        )}
      </FormError>
      <Button busy={resend.isPending} onClick={() => resend.mutate()}>
        {text.sendVerification}
      </Button>
    </div>
  );
}

function Confirm({ token }: { token: string }) {
  const verify = useVerifyEmail();
  const { data, error, isPending } = verify;
  if (data)
    return (
      <>
        <Notice tone="good">
          <DataText>{text.verified(data.email)}</DataText>
        </Notice>
        <Link to="/" className={`self-start ${buttonClass({ variant: 'primary' })}`}>
          {text.goOn}
        </Link>
      </>
    );
  if (error?.type === 'token_invalid')
    return (
      <>
        <LinkProblem reason={error.reason} />
        <Resend />
      </>
    );
  return (
    <>
      <p className="text-muted">{text.verifySentence}</p>
      <FormError error={error?.message} />
      <Button variant="primary" busy={isPending} onClick={() => verify.mutate({ token })}>
        {text.confirm}
      </Button>
    </>
  );
}

/** Opening the link changes nothing: mail programs open links, too. */
export default function VerifyEmailPage() {
  const token = useFragment('token');
  return (
    <PlainPage title={text.verifyTitle}>
      {token === null ? (
        <>
          <p className="text-muted">{text.noLink}</p>
          <Resend />
        </>
      ) : (
        <Confirm key={token} token={token} />
      )}
    </PlainPage>
  );
}
