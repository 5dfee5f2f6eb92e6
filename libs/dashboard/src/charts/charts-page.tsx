import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartListView } from './chart-list-view.js';
import { ChartView } from './chart-view.js';

/**
 * The list of charts, or one chart. Both are in one file, because people who open the list open a chart. The explicit
 * type breaks a cycle: the types of route parameters depend on the type of every page.
 */
export default function ChartsPage(): ReactNode {
  const { projectId = '', chart } = useParams({ strict: false });
  return chart === undefined ? <ChartListView projectId={projectId} /> : <ChartView key={chart} />;
}
