import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallError } from '../../api/call-error.js';
import { PlainPage } from '../../frame/pages/plain-page.js';
import { Button } from '../../ui/button.js';
import { buttonClass } from '../../ui/button-class.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { useFragment } from './fragment.js';
import { LinkProblem } from './link-problem.js';
import { Notice } from '../../ui/notice.js';

interface EmailLinkPageProps {
  title: string;
  /** Explains what the button does. */
  sentence: string;
  done: (email: string) => string;
  useConfirm: () => UseMutationResult<{ email: string }, CallError, { token: string }>;
  /** A way to get another link. */
  again: ReactNode;
}

/** The target of an emailed link. Opening it changes nothing, because mail programs open links too. */
export function EmailLinkPage({ title, again, ...rest }: EmailLinkPageProps) {
  const token = useFragment('token');
  return (
    <PlainPage title={title}>
      {token === null ? (
        <>
          <p className="text-muted">
            Open the link in the email that we sent you. This page needs the token in it.
          </p>
          {again}
        </>
      ) : (
        <Confirm key={token} token={token} again={again} {...rest} />
      )}
    </PlainPage>
  );
}

function Confirm(props: Omit<EmailLinkPageProps, 'title'> & { token: string }) {
  const { token, sentence, useConfirm, again } = props;
  const confirm = useConfirm();
  const { data, error, isPending } = confirm;
  if (data)
    return (
      <>
        <Notice tone="good">
          <DataText>{props.done(data.email)}</DataText>
        </Notice>
        <Link to="/" className={`self-start ${buttonClass({ variant: 'primary' })}`}>
          Continue
        </Link>
      </>
    );
  if (error?.type === 'token_invalid')
    return (
      <>
        <LinkProblem reason={error.reason} />
        {again}
      </>
    );
  return (
    <>
      <p className="text-muted">{sentence}</p>
      <FormError error={error?.message} />
      <Button variant="primary" busy={isPending} onClick={() => confirm.mutate({ token })}>
        Confirm
      </Button>
    </>
  );
}
