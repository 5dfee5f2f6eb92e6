import { useParams } from '@tanstack/react-router';
import { ChartListView } from './chart-list-view.js';
import { ChartView } from './chart-view.js';

/** The list of charts, or one of them: one file, since whoever opens the list opens a chart. */
export default function ChartsPage() {
  const { projectId = '', chart }: Partial<Record<string, string>> = useParams({ strict: false });
  return chart === undefined ? <ChartListView projectId={projectId} /> : <ChartView key={chart} />;
}
