import { useQueries, useQueryClient } from '@tanstack/react-query';
import { usePreferences } from '../frame/preferences.js';
import { StaleNote } from '../ui/loading/stale-note.js';
import { metrics } from './metrics.js';
import { type FigureEnvironment, historyQuery } from './overview.queries.js';

/** The age of the oldest figure, and a button to refresh all. */
export function MetricsAge({
  projectId,
  environment,
}: {
  projectId: string;
  environment: FigureEnvironment;
}) {
  const queries = useQueryClient();
  const {
    preferences: { displayCurrency },
  } = usePreferences();
  const histories = useQueries({
    queries: metrics.map((metric) => ({
      ...historyQuery(projectId, metric, environment, displayCurrency),
      enabled: false,
    })),
  });
  const times = histories.flatMap(({ dataUpdatedAt: at }) => (at > 0 ? [at] : []));
  return (
    <StaleNote
      at={times.length > 0 ? Math.min(...times) : 0}
      busy={histories.some(({ isFetching }) => isFetching)}
      onRefresh={() => queries.invalidateQueries({ queryKey: [projectId, 'metrics'] })}
    />
  );
}
