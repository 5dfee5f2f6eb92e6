import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { Page } from '../frame/pages/page.js';
import { usePreferences } from '../frame/preferences.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Checklist } from './checklist.js';
import { HealthPanel } from './health-panel.js';
import { appsQuery } from '../api/apps.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/setup');

/** The setup checklist up to the first purchase, and problems of the setup afterwards. */
export default function SetupPage() {
  const { projectId } = route.useParams();
  const navigate = route.useNavigate();
  const { preferences, change } = usePreferences();
  const mayOverview = useMay('getOverviewMetrics').allowed;
  const query = appsQuery(projectId);
  const apps = useQuery(query);
  const isDismissed = preferences.dismissedSetups.includes(projectId);
  const others = preferences.dismissedSetups.filter((id) => id !== projectId);
  const leave = () => {
    change({ dismissedSetups: [...others, projectId] });
    if (mayOverview) void navigate({ to: '/projects/$projectId/overview', params: { projectId } });
  };
  return (
    <Page
      title="Setup"
      actions={
        !isDismissed && (
          <Button variant="ghost" onClick={leave}>
            Skip setup
          </Button>
        )
      }
    >
      <div className="ui-in-turn flex max-w-4xl flex-col gap-5">
        {isDismissed ? (
          <div className="flex flex-wrap items-center gap-3 text-muted">
            You skipped the setup.
            <Button size="sm" onClick={() => change({ dismissedSetups: others })}>
              Show the steps
            </Button>
          </div>
        ) : apps.data === undefined ? (
          <Panel>
            <QueryPanel query={apps} queryKey={query.queryKey} skeleton={<Skeleton lines={6} />}>
              {() => null}
            </QueryPanel>
          </Panel>
        ) : (
          <Checklist projectId={projectId} apps={apps.data} />
        )}
        <HealthPanel projectId={projectId} />
      </div>
    </Page>
  );
}
