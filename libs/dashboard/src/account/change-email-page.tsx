import { Link } from '@tanstack/react-router';
import { PlainPage } from '../frame/plain-page.js';
import { Button } from '../ui/button.js';
import { buttonClass } from '../ui/button-class.js';
import { DataText } from '../ui/data-text.js';
import { FormError } from '../ui/form.js';
import { useConfirmEmailChange } from './entry/entry.queries.js';
import { text } from './entry/entry.text.js';
import { useFragment } from './entry/fragment.js';
import { LinkProblem } from './entry/link-problem.js';
import { Notice } from './entry/notice.js';

function Confirm({ token }: { token: string }) {
  const confirm = useConfirmEmailChange();
  const { data, error, isPending } = confirm;
  if (data)
    return (
      <>
        <Notice tone="good">
          <DataText>{text.changed(data.email)}</DataText>
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
        <Link to="/account">{text.changeAgain}</Link>
      </>
    );
  return (
    <>
      <p className="text-muted">{text.changeSentence}</p>
      <FormError error={error?.message} />
      <Button variant="primary" busy={isPending} onClick={() => confirm.mutate({ token })}>
        {text.confirm}
      </Button>
    </>
  );
}

export default function ChangeEmailPage() {
  const token = useFragment('token');
  return (
    <PlainPage title={text.changeTitle}>
      {token === null ? (
        <>
          <p className="text-muted">{text.noLink}</p>
          <Link to="/account">{text.changeAgain}</Link>
        </>
      ) : (
        <Confirm key={token} token={token} />
      )}
    </PlainPage>
  );
}
