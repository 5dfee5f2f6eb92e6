import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { StoreIcon } from '../frame/names/store-icon.js';
import { Page } from '../frame/pages/page.js';
import { setupHealthQuery } from '../frame/health/setup-health.queries.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Time } from '../ui/format/time.js';
import { type App, appListQuery } from './apps.queries.js';
import { CreateAppDialog } from './create-app-dialog.js';
import { CredentialsBadge, NotificationsBadge } from './state-badges.js';
import { storeIdentifierOf } from './store-identifier.js';
import { storeName } from '../api/words.js';

const route = getRouteApi('/signed-in/projects/$projectId/apps');

export default function AppsPage() {
  const { projectId } = route.useParams();
  const query = appListQuery(projectId);
  const apps = useInfiniteQuery(query);
  const health = useQuery(setupHealthQuery(projectId));
  const may = useMay('createApp');
  const [isCreating, setIsCreating] = useState(false);
  const healthOf = (app: App) => health.data?.apps.find(({ id }) => id === app.id);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={may.reason} onClick={() => setIsCreating(true)}>
      New app
    </Button>
  );
  const columns: Column<App>[] = [
    { id: 'name', header: 'Name', priority: 1, cell: ({ name }) => <DataText>{name}</DataText> },
    {
      id: 'store',
      header: 'Store',
      width: '10rem',
      cell: ({ type }) => (
        <span className="inline-flex items-center gap-1.5">
          <StoreIcon store={type} />
          {storeName(type)}
        </span>
      ),
    },
    {
      id: 'identifier',
      header: 'Store identifier',
      priority: 3,
      cell: (app) => (
        <DataText mono truncate>
          {storeIdentifierOf(app) ?? '—'}
        </DataText>
      ),
    },
    {
      id: 'credentials',
      header: 'Credentials',
      label: 'Credentials',
      width: '8rem',
      cell: (app) => <CredentialsBadge health={healthOf(app)} />,
    },
    {
      id: 'notifications',
      header: 'Notifications',
      label: 'Notifications',
      width: '8rem',
      cell: (app) => <NotificationsBadge health={healthOf(app)} />,
    },
    {
      id: 'created',
      header: 'Created',
      width: '9rem',
      priority: 3,
      cell: (app) => <Time ms={app.created_at} />,
    },
  ];
  return (
    <Page
      title="Apps"
      note="Each app connects one store. Its public key goes into the app that you ship."
      actions={create}
    >
      {health.error && !health.data && (
        <Panel padded={false}>
          <ErrorPanel error={health.error} onRetry={health.refetch} retrying={health.isFetching} />
        </Panel>
      )}
      <Panel padded={false}>
        <QueryList
          label="Apps"
          things="apps"
          query={apps}
          queryKey={query.queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/apps/${id}`}
          empty={{
            sentence: 'An app connects one store, or the Test Store, which needs no store account.',
            action: create,
            docs: docsOf('Apps'),
          }}
        />
      </Panel>
      {isCreating && <CreateAppDialog projectId={projectId} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
