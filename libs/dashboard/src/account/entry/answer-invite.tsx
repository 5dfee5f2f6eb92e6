import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountQuery } from '../../api/account.queries.js';
import { usePreferences } from '../../frame/preferences.js';
import { useSession } from '../../frame/session/session-context.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { type ShownInvite, useAcceptInvite, useSignOut } from './entry.queries.js';
import { Notice } from '../../ui/notice.js';
import { SignIn } from './sign-in.js';
import { SignUpForm } from './sign-up-form.js';

function OtherAddress({
  invited,
  signedIn,
  onOut,
}: {
  invited: string;
  signedIn: string;
  onOut: () => void;
}) {
  const session = useSession();
  const { forget } = usePreferences();
  const signOut = useSignOut(() => {
    forget();
    session.signedOutHere();
    onOut();
  });
  return (
    <>
      <Notice tone="warn">
        <DataText>{`This invitation is for ${invited}; you are signed in as ${signedIn}.`}</DataText>
      </Notice>
      <FormError error={signOut.error?.message} />
      <Button className="self-start" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </>
  );
}

interface AnswerInviteProps {
  token: string;
  invite: ShownInvite;
  onStep: (step: 'password' | 'code') => void;
  onJoined: (projectId: string) => void;
}

/** Accepts an invitation as the signed-in person, or after sign-in or sign-up. */
export function AnswerInvite({ token, invite, onStep, onJoined }: AnswerInviteProps) {
  // A 401 only means that the person is signed out; it must not end a session here.
  const account = useQuery({ ...accountQuery, retry: false, meta: { anonymous: true } });
  // Set by a sign-in on this page, until the account is read again.
  const [justSignedIn, setJustSignedIn] = useState(false);
  const accept = useAcceptInvite(({ project_id: id }) => onJoined(id));
  const signedIn: Account | undefined = account.isError ? undefined : account.data;
  if (account.isPending && account.isFetching && !justSignedIn) return <Skeleton />;
  if (signedIn && signedIn.user.email !== invite.email && !justSignedIn)
    return (
      <OtherAddress
        invited={invite.email}
        signedIn={signedIn.user.email}
        onOut={() => void account.refetch()}
      />
    );
  if (signedIn || justSignedIn)
    return (
      <>
        <FormError error={accept.error?.message} />
        <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate(token)}>
          Accept the invitation
        </Button>
      </>
    );
  if (!invite.account_exists)
    return (
      <>
        <p className="text-muted">Create an account to accept the invitation.</p>
        <SignUpForm invite={{ token, email: invite.email }} onDone={() => onJoined(invite.project.id)} />
      </>
    );
  return (
    <>
      <p className="text-muted">Sign in to accept the invitation.</p>
      <SignIn
        fixedEmail={invite.email}
        onStep={onStep}
        onDone={() => {
          setJustSignedIn(true);
          accept.mutate(token);
        }}
      />
    </>
  );
}
