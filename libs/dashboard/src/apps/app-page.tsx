import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Tabs } from '../ui/tabs.js';
import { visibleText } from '../ui/text/visible-text.js';
import { AppMenu } from './app-menu.js';
import { type App, appQuery } from './apps.queries.js';
import { OverviewTab } from './overview-tab.js';
import { RetentionTab } from './retention/retention-tab.js';
import { StoreTab } from './store-setup/store-tab.js';
import { storeName } from '../api/words.js';

const route = getRouteApi('/signed-in/projects/$projectId/apps/$appId');
const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'store', label: 'Store setup' },
] as const;
const appleTabs = [...tabs, { id: 'retention', label: 'Retention messages' }] as const;

const tabsOf = (type: App['type'] | undefined) =>
  type === 'app_store' || type === 'mac_app_store' ? appleTabs : tabs;

export default function AppPage() {
  const { projectId, appId } = route.useParams();
  const { tab = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = appQuery(projectId, appId);
  const found = useQuery(query);
  const { data } = found;
  const shown = tabsOf(data?.type);
  const chosen = shown.find(({ id }) => id === tab) ?? shown[0];
  return (
    <Page
      title={data ? visibleText(data.name) : 'App'}
      id={appId}
      badges={data && <Badge>{storeName(data.type)}</Badge>}
      actions={data && <AppMenu projectId={projectId} app={data} />}
    >
      <QueryPanel query={found} queryKey={query.queryKey}>
        {(app) => (
          <Tabs
            label="Sections"
            tabs={shown}
            value={chosen.id}
            onChange={(id) => void navigate({ search: { tab: id === 'overview' ? undefined : id } })}
          >
            {chosen.id === 'overview' && <OverviewTab projectId={projectId} app={app} />}
            {chosen.id === 'store' && <StoreTab projectId={projectId} app={app} />}
            {chosen.id === 'retention' && <RetentionTab projectId={projectId} appId={app.id} />}
          </Tabs>
        )}
      </QueryPanel>
    </Page>
  );
}
