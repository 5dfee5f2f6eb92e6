import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Menu, type MenuItem } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { CreateMessageDialog } from './create-message-dialog.js';
import { DefaultDialog } from './default-dialog.js';
import { messageName, messageStates } from './message-words.js';
import {
  type RetentionMessage,
  retentionMessagesQuery,
  type RetentionPlace,
  useDeleteMessage,
} from './retention.queries.js';

const columnsFor = (itemsOf: (message: RetentionMessage) => MenuItem[]): Column<RetentionMessage>[] => [
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
    cell: ({ state }) => <Badge tone={messageStates[state].tone}>{messageStates[state].text}</Badge>,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '3rem',
    align: 'end',
    priority: 1,
    cell: (message) => (
      <Menu iconOnly size="sm" label={`Actions for ${messageName(message)}`} items={itemsOf(message)} />
    ),
  },
];

type Open =
  | { action: 'create' }
  | { action: 'default'; message: RetentionMessage | null }
  | { action: 'delete'; message: RetentionMessage };

/** The messages that Apple has, with the state of its review. */
export function MessagesPanel({ place }: { place: RetentionPlace }) {
  const query = retentionMessagesQuery(place);
  const messages = useQuery(query);
  const may = useMay('createRetentionMessage');
  const mayDelete = useMay('deleteRetentionMessage');
  const mayDefault = useMay('setDefaultRetentionMessage');
  const remove = useDeleteMessage(place);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const itemsOf = (message: RetentionMessage): MenuItem[] => [
    {
      label: 'Set as default',
      icon: 'check',
      disabledReason:
        mayDefault.reason ??
        (message.state === 'approved' ? null : 'Apple shows only approved messages as defaults.'),
      onSelect: () => setOpen({ action: 'default', message }),
    },
    {
      label: 'Delete',
      icon: 'trash',
      danger: true,
      separator: true,
      disabledReason: mayDelete.reason,
      onSelect: () => setOpen({ action: 'delete', message }),
    },
  ];
  return (
    <Panel
      title="Messages"
      padded={false}
      actions={
        <>
          <Button
            disabledReason={mayDefault.reason}
            onClick={() => setOpen({ action: 'default', message: null })}
          >
            Remove a default
          </Button>
          <Button icon="plus" disabledReason={may.reason} onClick={() => setOpen({ action: 'create' })}>
            New message
          </Button>
        </>
      }
    >
      <QueryPanel query={messages} queryKey={query.queryKey}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState sentence="No messages yet. Apple reviews each one before it is shown." />
          ) : (
            <DataList label="Messages" rows={items} columns={columnsFor(itemsOf)} rowKey={({ id }) => id} />
          )
        }
      </QueryPanel>
      {open?.action === 'create' && <CreateMessageDialog place={place} onClose={close} />}
      {open?.action === 'default' && <DefaultDialog place={place} message={open.message} onClose={close} />}
      {open?.action === 'delete' && (
        <ConfirmCall
          danger
          title={`Delete ${messageName(open.message)}?`}
          effect="Apple stops showing it. Where it was the default, no message is shown. This cannot be undone."
          confirmLabel="Delete"
          write={remove}
          input={open.message.id}
          done={`Deleted ${messageName(open.message)}`}
          call={{
            operation: 'DELETE /v2/projects/{project_id}/apps/{app_id}/retention_messages/{message_id}',
            path: { project_id: place.projectId, app_id: place.appId, message_id: open.message.id },
            query: { environment: place.environment },
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
