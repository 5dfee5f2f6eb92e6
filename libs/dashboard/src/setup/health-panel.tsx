import { useQuery } from '@tanstack/react-query';
import { HealthList } from '../frame/health/health-list.js';
import { healthWarnings } from '../frame/health/health-warnings.js';
import { setupHealthQuery } from '../frame/health/setup-health.queries.js';
import { Icon } from '../ui/icons.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';

export function HealthPanel({ projectId }: { projectId: string }) {
  const query = setupHealthQuery(projectId);
  const health = useQuery(query);
  return (
    <Panel title="Setup health" description="What stores, webhooks and SDKs report." padded={false}>
      <QueryPanel query={health} queryKey={query.queryKey} stale>
        {(data) => {
          const warnings = healthWarnings(data);
          if (warnings.length > 0) return <HealthList projectId={projectId} warnings={warnings} />;
          return (
            <p className="flex items-center gap-2 px-4 py-3">
              <Icon name="success" className="text-good" />
              No problems found.
            </p>
          );
        }}
      </QueryPanel>
    </Panel>
  );
}
