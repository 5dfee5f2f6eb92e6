import { Link } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { Panel } from '../ui/panel.js';
import { useListedCharts } from './charts-navigation.js';
import { categoryLabels } from './labels.js';

/** All charts with a description. */
export function ChartListView({ projectId }: { projectId: string }) {
  const groups = useListedCharts(projectId);
  return (
    <Page title="Charts" note="Revenue, subscriptions and customers over time. Days are UTC days.">
      <div className="grid gap-4 lg:grid-cols-2">
        {groups.map(({ category, charts }) => (
          <Panel key={category} title={categoryLabels[category]}>
            <ul className="grid gap-2.5">
              {charts.map(({ id, name, about }) => (
                <li key={id}>
                  <Link to="/projects/$projectId/charts/$chart" params={{ projectId, chart: id }}>
                    {name}
                  </Link>
                  <p className="text-sm text-muted">{about}</p>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </Page>
  );
}
