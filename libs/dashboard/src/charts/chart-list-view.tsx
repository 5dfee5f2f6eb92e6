import { Link } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { Panel } from '../ui/panel.js';
import { useListedCharts } from './charts-navigation.js';
import { text } from './charts.text.js';

/** All charts with a description. */
export function ChartListView({ projectId }: { projectId: string }) {
  const groups = useListedCharts(projectId);
  return (
    <Page title={text.title} note={text.note}>
      <div className="grid gap-4 lg:grid-cols-2">
        {groups.map(({ category, charts }) => (
          <Panel key={category} title={text.categories[category]}>
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
