import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { asCallError } from '../api/call-error.js';
import { PlainPage } from '../frame/pages/plain-page.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { AnswerInvite } from './entry/answer-invite.js';
import { inviteQuery } from './entry/entry.queries.js';
import { useFragment } from './entry/fragment.js';
import { useGoOn } from './entry/go-on.js';
import { InviteSummary } from './entry/invite-summary.js';
import { Notice } from '../ui/notice.js';

function Invitation({ token }: { token: string }) {
  const goOn = useGoOn();
  // The link is used up, so reading it again would report it as invalid.
  const [isDone, setIsDone] = useState(false);
  const invite = useQuery({ ...inviteQuery(token), enabled: !isDone });
  const [step, setStep] = useState<'password' | 'code'>('password');
  if (invite.error && asCallError(invite.error).status === 404)
    return (
      <Notice tone="bad">
        <p>{asCallError(invite.error).message}</p>
        <p>Ask the person who invited you to send it again.</p>
      </Notice>
    );
  return (
    <QueryPanel query={invite} queryKey={inviteQuery(token).queryKey}>
      {(data) => (
        <div className="flex flex-col gap-5">
          {step === 'password' && <InviteSummary invite={data} />}
          <AnswerInvite
            token={token}
            invite={data}
            onStep={setStep}
            onJoined={(projectId) => {
              setIsDone(true);
              goOn(`/projects/${projectId}/overview`);
            }}
          />
        </div>
      )}
    </QueryPanel>
  );
}

export default function InvitePage() {
  const token = useFragment('token');
  return (
    <PlainPage title="Invitation">
      {token === null ? (
        <>
          <p className="text-muted">
            Open the link in the email that we sent you. This page needs the token in it.
          </p>
          <Link to="/login" className="self-start">
            Go to sign-in
          </Link>
        </>
      ) : (
        <Invitation key={token} token={token} />
      )}
    </PlainPage>
  );
}
