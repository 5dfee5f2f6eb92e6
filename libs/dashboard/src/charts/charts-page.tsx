import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartListView } from './chart-list-view.js';
import { ChartView } from './chart-view.js';

/**
 * The list of charts, or one of them: one file, since people who open the list open a chart. Its type is named, since the
 * types of the parameters depend on that of every page.
 */
export default function ChartsPage(): ReactNode {
  const { projectId = '', chart } = useParams({ strict: false });
  return chart === undefined ? <ChartListView projectId={projectId} /> : <ChartView key={chart} />;
}
