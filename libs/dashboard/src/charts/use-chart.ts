import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '../frame/environment.js';
import { usePreferences } from '../frame/preferences.js';
import { msToDay } from '../ui/format/format-time.js';
import { useNow } from '../ui/format/format-context.js';
import { chartNamed } from './chart-list.js';
import { resolutions, spanBefore, spanOf, usualResolution } from './chart-range.js';
import { type ChartState, readChartState } from './chart-state.js';
import { chartOptionsQuery, chartQuery, questionOf } from './charts.queries.js';
import { notesQuery } from './notes/notes.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/charts/$chart');

/** Choices in the address with defaults, and the queries that answer them. */
export function useChart() {
  const { projectId, chart } = route.useParams();
  const state = readChartState(route.useSearch());
  const navigate = route.useNavigate();
  const { filter } = useEnvironment();
  const { displayCurrency } = usePreferences().preferences;
  const environment = filter ?? 'production';
  const today = msToDay(useNow());
  const listed = chartNamed(chart);
  const optionsQuery = chartOptionsQuery(projectId, chart, environment);
  const options = useQuery(optionsQuery);
  const range = state.range ?? (listed?.isCohorts ? '12m' : '90d');
  const span = spanOf(range, today, { start: state.from, end: state.to });
  const offered = resolutions.filter(
    (name) => options.data?.resolutions.some(({ display_name: word }) => word === name) ?? true,
  );
  const usual = listed?.isCohorts ? 'month' : usualResolution(span);
  const resolution = [state.resolution, usual, ...offered].find(
    (name) => name !== undefined && offered.includes(name),
  )!;
  const question = questionOf(state, span, resolution, environment, displayCurrency);
  const dataQuery = chartQuery(projectId, chart, question);
  const data = useQuery(dataQuery);
  const isCompared = state.compare === 'before' && state.segment === undefined && !listed?.isCohorts;
  const previous = spanBefore(span, resolution, range);
  const beforeQuestion = questionOf(state, previous, resolution, environment, displayCurrency);
  const before = useQuery({ ...chartQuery(projectId, chart, beforeQuestion), enabled: isCompared });
  const notes = useQuery({ ...notesQuery(projectId, span), enabled: !listed?.isCohorts });
  return {
    projectId,
    chart,
    listed,
    state,
    range,
    span,
    resolution,
    offered,
    question,
    options,
    optionsQuery,
    data,
    dataQuery,
    notes: notes.data ?? [],
    currency: question.currency ?? 'USD',
    before: isCompared ? before.data : undefined,
    previous,
    isBothEnvironments: filter === undefined,
    change: (changes: ChartState) =>
      void navigate({ search: (now) => ({ ...now, ...changes }), replace: true }),
  };
}

export type ChartOnPage = ReturnType<typeof useChart>;
