import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { IntegrationsPage } from '../frame/pages/integrations-page.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Time } from '../ui/format/time.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Notice } from '../ui/notice.js';
import { Menu } from '../ui/overlays/menu.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { visibleText } from '../ui/text/visible-text.js';
import { CreateDialog } from './create-dialog.js';
import { accessOf, type SqlUser, sqlUsersQuery } from './sql-users.queries.js';
import { DeleteDialog, RotateDialog } from './user-dialogs.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/sql-access');

const offText = 'SQL access is turned off on this server. Set SERVICE_SQL_ACCESS to turn it on.';
const primaryText =
  'These users connect to the primary database. A heavy query can slow purchases down. Use a read replica if you can.';

type Open = 'create' | { action: 'rotate' | 'delete'; user: SqlUser };

const columns: Column<SqlUser>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.4fr)',
    priority: 1,
    cell: ({ name, state }) => (
      <span className="flex min-w-0 items-center gap-2">
        <DataText truncate>{name}</DataText>
        {state !== 'active' && <Badge tone="bad">{state === 'expired' ? 'Expired' : 'Blocked'}</Badge>}
      </span>
    ),
  },
  {
    id: 'user',
    header: 'User',
    width: 'minmax(0, 1.4fr)',
    cell: ({ role_name: role }) => <code className="truncate font-mono text-sm">{role}</code>,
  },
  {
    id: 'by',
    header: 'Created by',
    priority: 3,
    cell: ({ created_by: by }) => <DataText truncate>{by}</DataText>,
  },
  {
    id: 'seen',
    header: 'Last seen',
    label: 'Last seen',
    width: '7rem',
    cell: ({ last_seen_at: seen }) => <Time ms={seen} none="Never" />,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: '7rem',
    label: 'Expires',
    cell: ({ expires_at: expires }) => <Time ms={expires} none="Never" />,
  },
];

/** Read-only users of the database. */
export default function SqlUsersPage() {
  const { projectId } = route.useParams();
  const query = sqlUsersQuery(projectId);
  const users = useInfiniteQuery(query);
  const mayCreate = useMay('createSqlUser');
  const mayRotate = useMay('rotateSqlUser');
  const mayDelete = useMay('deleteSqlUser');
  const [open, setOpen] = useState<Open | null>(null);
  const access = accessOf(users.data?.pages[0]);
  const offReason = access === 'off' ? offText : null;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayCreate.reason ?? offReason}
      onClick={() => setOpen('create')}
    >
      Create SQL user
    </Button>
  );
  const isEmpty = users.data?.pages[0]?.items.length === 0;
  const actions: Column<SqlUser> = {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '3rem',
    align: 'end',
    priority: 1,
    cell: (user) => (
      <Menu
        iconOnly
        size="sm"
        variant="ghost"
        label={`Actions for ${visibleText(user.name)}`}
        items={[
          {
            label: 'Replace password',
            icon: 'key',
            disabledReason: mayRotate.reason ?? offReason,
            onSelect: () => setOpen({ action: 'rotate', user }),
          },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            disabledReason: mayDelete.reason,
            onSelect: () => setOpen({ action: 'delete', user }),
          },
        ]}
      />
    ),
  };
  return (
    <IntegrationsPage tab="SQL access" actions={!isEmpty && create}>
      <p className="text-muted">Read-only database users for BI tools. Each sees only this project.</p>
      <Panel padded={false}>
        <QueryList
          label="SQL users"
          things="SQL users"
          query={users}
          queryKey={query.queryKey}
          columns={[...columns, actions]}
          rowKey={({ id }) => id}
          empty={{
            sentence: offReason ?? 'No SQL users yet.',
            action: offReason === null && create,
            docs: docsOf('SQL access'),
          }}
        />
      </Panel>
      {/* Below the list, which would move when the answer arrives. */}
      {access === 'primary' && (
        <Notice tone="warn">
          <p>{primaryText}</p>
        </Notice>
      )}
      {open === 'create' && <CreateDialog projectId={projectId} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'create' && open.action === 'rotate' && (
        <RotateDialog projectId={projectId} user={open.user} onClose={() => setOpen(null)} />
      )}
      {open !== null && open !== 'create' && open.action === 'delete' && (
        <DeleteDialog projectId={projectId} user={open.user} onClose={() => setOpen(null)} />
      )}
    </IntegrationsPage>
  );
}
