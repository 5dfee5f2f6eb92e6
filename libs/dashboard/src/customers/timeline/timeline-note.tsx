import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.queries.js';
import { useMay } from '../../api/permissions.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatClock } from '../../ui/format/format-time.js';
import { Icon } from '../../ui/icons.js';
import { Menu } from '../../ui/overlays/menu.js';
import { DataText } from '../../ui/text/data-text.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import type { Note } from '../notes/notes.queries.js';

/** A note between the events. */
export interface NoteItem {
  id: string;
  occurred_at: number;
  note: Note;
}

const authors: Record<Note['author']['type'], string> = {
  user: 'A former member',
  api_key: 'API key',
  oauth_client: 'Connected app',
  scim: 'SCIM',
};

/** A note with its author, and a menu to change or delete it. */
export function TimelineNote({ note }: { note: Note }) {
  const { open } = useCustomer();
  const format = useFormat();
  const { data: account } = useQuery(accountQuery);
  const mayEdit = useMay('updateCustomerNote').reason;
  const mayDelete = useMay('deleteCustomerNote').reason;
  const { author, text, created_at: at, edited_at: editedAt } = note;
  const isOwn = author.type === 'user' && author.id === account?.user.id;
  return (
    <li className="flex min-h-9 items-start gap-2.5 px-4 py-2 pointer-coarse:min-h-11">
      <time
        dateTime={new Date(at).toISOString()}
        className="w-16 shrink-0 whitespace-nowrap text-muted tabular-nums"
      >
        {formatClock(format, at)}
      </time>
      <Icon name="edit" className="mt-0.5 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          <bdi>{visibleText(text)}</bdi>
        </p>
        <p className="text-xs text-muted">
          Note by <DataText>{author.email ?? authors[author.type]}</DataText>
          {editedAt !== null && ', edited'}
        </p>
      </div>
      <Menu
        iconOnly
        size="sm"
        label="Actions for the note"
        items={[
          {
            label: 'Edit',
            icon: 'edit',
            disabledReason: mayEdit ?? (isOwn ? null : 'Only the author can change a note.'),
            onSelect: () => open({ kind: 'note', note }),
          },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            separator: true,
            disabledReason: mayDelete,
            onSelect: () => open({ kind: 'delete-note', note }),
          },
        ]}
      />
    </li>
  );
}
