import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { CreateMessageDialog } from './create-message-dialog.js';
import { type RetentionMessage, retentionMessagesQuery, type RetentionPlace } from './retention.queries.js';

const states: Record<
  RetentionMessage['state'],
  { tone: 'good' | 'bad' | 'accent' | 'neutral'; text: string }
> = {
  approved: { tone: 'good', text: 'Approved' },
  rejected: { tone: 'bad', text: 'Rejected' },
  pending_review: { tone: 'accent', text: 'In review' },
  unknown: { tone: 'neutral', text: 'Unknown' },
};

const columns: readonly Column<RetentionMessage>[] = [
  {
    id: 'text',
    header: 'Message',
    priority: 1,
    cell: ({ header, body }) =>
      header === null ? (
        <span className="text-muted">Not created here</span>
      ) : (
        <span title={visibleText(body ?? '')}>{visibleText(header)}</span>
      ),
  },
  { id: 'id', header: 'Id', priority: 2, cell: ({ id }) => <CopyId id={id} /> },
  {
    id: 'state',
    header: 'State',
    width: '8rem',
    priority: 1,
    cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].text}</Badge>,
  },
];

/** The messages that Apple has, with the state of its review. */
export function MessagesPanel({ place }: { place: RetentionPlace }) {
  const query = retentionMessagesQuery(place);
  const messages = useQuery(query);
  const may = useMay('createRetentionMessage');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Panel
      title="Messages"
      padded={false}
      actions={
        <Button disabledReason={may.reason} onClick={() => setIsCreating(true)}>
          New message
        </Button>
      }
    >
      <QueryPanel query={messages} queryKey={query.queryKey}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState sentence="No messages yet. Apple reviews each one before it is shown." />
          ) : (
            <DataList label="Messages" rows={items} columns={columns} rowKey={({ id }) => id} />
          )
        }
      </QueryPanel>
      {isCreating && <CreateMessageDialog place={place} onClose={() => setIsCreating(false)} />}
    </Panel>
  );
}
