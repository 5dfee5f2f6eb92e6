import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartView } from './chart-view.js';

/** One chart. The explicit type breaks a cycle: the types of route parameters depend on the type of every page. */
export default function ChartPage(): ReactNode {
  const { chart } = useParams({ strict: false });
  return <ChartView key={chart} />;
}
