import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf } from '../../api/paging.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/format/time.js';
import { type Session, sessionList, useEndOtherSessions, useEndSession } from '../account.queries.js';
import { EndableList } from '../endable-list.js';
import { clientName } from './client-name.js';

const columnsOf = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'client',
    header: 'Browser',
    width: 'minmax(0, 2fr)',
    cell: (session) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <DataText>{clientName(session.user_agent)}</DataText>
        {session.current && <Badge tone="accent">This session</Badge>}
      </span>
    ),
  },
  {
    id: 'ip',
    header: 'From',
    width: 'minmax(0, 1fr)',
    cell: ({ ip }) => <DataText truncate>{ip ?? '—'}</DataText>,
  },
  {
    id: 'seen',
    header: 'Last seen',
    label: 'Last seen',
    width: '7rem',
    cell: (row) => <Time ms={row.last_seen_at} />,
  },
  {
    id: 'ends',
    header: 'Ends',
    label: 'Ends',
    width: '7rem',
    cell: (row) => <Time ms={row.expires_at} show="date" />,
  },
  {
    id: 'end',
    header: <span className="sr-only">End</span>,
    width: '4.5rem',
    align: 'end',
    priority: 1,
    cell: (session) =>
      !session.current && (
        <Button
          size="sm"
          aria-label={`End the session in ${clientName(session.user_agent)}`}
          onClick={() => onEnd(session)}
        >
          End
        </Button>
      ),
  },
];

export function SessionsTab() {
  const sessions = useInfiniteQuery(sessionList);
  const [isEndingAll, setIsEndingAll] = useState(false);
  const endOthers = useEndOtherSessions();
  const end = useEndSession();
  const hasOthers = itemsOf(sessions.data).some(({ current }) => !current);
  return (
    <Panel
      title="Where you are signed in"
      description="A session ends 30 days after sign-in."
      padded={false}
      actions={
        <Button
          disabledReason={sessions.data && !hasOthers ? 'You have no other sessions.' : null}
          onClick={() => setIsEndingAll(true)}
        >
          Sign out other sessions
        </Button>
      }
    >
      <EndableList
        label="Where you are signed in"
        query={sessions}
        queryKey={sessionList.queryKey}
        things="sessions"
        empty={{ sentence: 'You have no other sessions.' }}
        columnsOf={columnsOf}
        end={end}
        texts={{ title: 'End this session?', confirm: 'End', done: 'Session ended' }}
        effect={({ user_agent }) =>
          `${clientName(user_agent)} is signed out. Unsaved changes there may be lost.`
        }
        call={({ id }) => ({ operation: 'DELETE /auth/sessions/{session_id}', path: { session_id: id } })}
      />
      {isEndingAll && (
        <ConfirmCall
          danger
          title="End all other sessions?"
          effect="You are signed out everywhere but here."
          confirmLabel="Sign out other sessions"
          write={endOthers}
          input={undefined}
          done="Your other sessions are signed out"
          call={{ operation: 'POST /auth/sessions/revoke_others' }}
          onClose={() => {
            setIsEndingAll(false);
            endOthers.reset();
          }}
        />
      )}
    </Panel>
  );
}
