import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { SsoConnection } from '../../api/enterprise.types.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { CreateConnectionDialog } from './create-connection-dialog.js';
import { DomainsPanel } from './domains-panel.js';
import { EnforcePanel } from './enforce-panel.js';
import { connectionList } from './sso.queries.js';
import { text } from './sso.text.js';

const route = getRouteApi('/signed-in/organizations/$orgId/sso');

const columns: Column<SsoConnection>[] = [
  {
    id: 'name',
    header: text.columns.name,
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  { id: 'kind', header: text.columns.kind, cell: ({ kind }) => text.kinds[kind] },
  {
    id: 'state',
    header: text.columns.state,
    width: '6rem',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? text.on : text.off}</Badge>,
  },
  {
    id: 'created',
    header: text.columns.created,
    priority: 3,
    width: '7rem',
    cell: (connection) => <Time ms={connection.created_at} />,
  },
];

export default function SsoPage() {
  const { orgId } = route.useParams();
  const list = connectionList(orgId);
  const connections = useInfiniteQuery(list);
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} note={text.note} actions={create} inTurn>
      <Panel title={text.connections} description={text.connectionsNote} padded={false}>
        <QueryList
          label={text.connections}
          things={text.things}
          query={connections}
          queryKey={list.queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${orgId}/sso/${id}`}
          empty={{ sentence: text.empty, action: create }}
        />
      </Panel>
      <DomainsPanel orgId={orgId} title={text.domains} />
      <EnforcePanel orgId={orgId} title={text.enforce} />
      {isCreating && <CreateConnectionDialog orgId={orgId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
