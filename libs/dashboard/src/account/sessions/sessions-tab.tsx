import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf } from '../../api/paging.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/format/time.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type Session, sessionList, useEndOtherSessions, useEndSession } from '../account.queries.js';
import { text } from '../account.text.js';
import { EndableList } from '../endable-list.js';
import { clientName } from './client-name.js';

const columnsOf = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'client',
    header: text.columns.client,
    width: 'minmax(0, 2fr)',
    cell: (session) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <DataText>{clientName(session.user_agent)}</DataText>
        {session.current && <Badge tone="accent">{text.thisSession}</Badge>}
      </span>
    ),
  },
  {
    id: 'ip',
    header: text.columns.ip,
    width: 'minmax(0, 1fr)',
    cell: ({ ip }) => <DataText truncate>{ip ?? '—'}</DataText>,
  },
  {
    id: 'seen',
    header: text.columns.seen,
    label: text.columns.seen,
    width: '7rem',
    cell: (row) => <Time ms={row.last_seen_at} />,
  },
  {
    id: 'ends',
    header: text.columns.ends,
    label: text.columns.ends,
    width: '7rem',
    cell: (row) => <Time ms={row.expires_at} show="date" />,
  },
  {
    id: 'end',
    header: <span className="sr-only">{text.end}</span>,
    width: '4.5rem',
    align: 'end',
    priority: 1,
    cell: (session) =>
      !session.current && (
        <Button
          size="sm"
          aria-label={text.endNamed(clientName(session.user_agent))}
          onClick={() => onEnd(session)}
        >
          {text.end}
        </Button>
      ),
  },
];

export function SessionsTab() {
  const sessions = useInfiniteQuery(sessionList);
  const [isEndingAll, setIsEndingAll] = useState(false);
  const toast = useToast();
  const endOthers = useEndOtherSessions(() => {
    setIsEndingAll(false);
    toast({ title: text.othersEnded });
  });
  const hasOthers = itemsOf(sessions.data).some(({ current }) => !current);
  return (
    <Panel
      title={text.sessions}
      description={text.sessionsSentence}
      padded={false}
      actions={
        <Button
          disabledReason={sessions.data && !hasOthers ? text.onlySession : null}
          onClick={() => setIsEndingAll(true)}
        >
          {text.endOthers}
        </Button>
      }
    >
      <EndableList
        label={text.sessions}
        query={sessions}
        queryKey={sessionList.queryKey}
        things="sessions"
        empty={{ sentence: text.onlySession }}
        columnsOf={columnsOf}
        useEnd={useEndSession}
        texts={{ title: text.endTitle, confirm: text.end, done: text.ended }}
        sentence={({ id, user_agent }) => (
          <>
            <p className="mb-3">{text.endSentence(clientName(user_agent))}</p>
            <ShowCall operation="DELETE /auth/sessions/{session_id}" path={{ session_id: id }} />
          </>
        )}
      />
      <ConfirmDialog
        open={isEndingAll}
        title={text.endOthersTitle}
        confirmLabel={text.endOthers}
        danger
        busy={endOthers.isPending}
        error={endOthers.error?.message}
        onClose={() => {
          setIsEndingAll(false);
          endOthers.reset();
        }}
        onConfirm={() => endOthers.mutate()}
      >
        <p className="mb-3">{text.endOthersSentence}</p>
        <ShowCall operation="POST /auth/sessions/revoke_others" />
      </ConfirmDialog>
    </Panel>
  );
}
