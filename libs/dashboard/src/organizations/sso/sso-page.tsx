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
import { kindLabels } from './labels.js';

const route = getRouteApi('/signed-in/organizations/$orgId/sso');

const columns: Column<SsoConnection>[] = [
  {
    id: 'name',
    header: 'Name',
    priority: 1,
    width: 'minmax(6rem, 2fr)',
    cell: ({ name }) => <DataText truncate>{name}</DataText>,
  },
  { id: 'kind', header: 'By', cell: ({ kind }) => kindLabels[kind] },
  {
    id: 'state',
    header: 'State',
    width: '6rem',
    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Badge>,
  },
  {
    id: 'created',
    header: 'Since',
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
      New connection
    </Button>
  );
  return (
    <Page
      title="Single sign-on"
      note="People of your domains sign in through your identity provider, by SAML 2.0 or OpenID Connect."
      actions={create}
      inTurn
    >
      <Panel
        title="Connections"
        description="The oldest active connection handles email sign-ins."
        padded={false}
      >
        <QueryList
          label="Connections"
          things="connections"
          query={connections}
          queryKey={list.queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/organizations/${orgId}/sso/${id}`}
          empty={{
            sentence:
              'Connect your identity provider: Okta, Entra ID, Google Workspace, Keycloak or another one.',
            action: create,
          }}
        />
      </Panel>
      <DomainsPanel orgId={orgId} title="Domains" />
      <EnforcePanel orgId={orgId} title="Require single sign-on" />
      {isCreating && <CreateConnectionDialog orgId={orgId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
