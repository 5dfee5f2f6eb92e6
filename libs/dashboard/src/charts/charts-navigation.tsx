import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../frame/environment.js';
import { ChipSelect } from '../ui/forms/chip-select.js';
import { categories, chartNamed, charts, groupingOf } from './chart-list.js';
import type { ChartState } from './chart-state.js';
import { chartOptionsQuery, isNotThere } from './charts.queries.js';
import { categoryLabels } from './labels.js';
import type { ChartOnPage } from './use-chart.js';

/** Charts by category, without those that the server lacks. */
export function useListedCharts(projectId: string) {
  const { filter = 'production' } = useEnvironment();
  const known = useQueries({
    queries: charts.map(({ id }) => ({ ...chartOptionsQuery(projectId, id, filter), enabled: false })),
  });
  const there = charts.filter((_, index) => !isNotThere(known[index]?.error));
  return categories
    .map((category) => ({ category, charts: there.filter((chart) => chart.category === category) }))
    .filter((group) => group.charts.length > 0);
}

/** Choices that have the same meaning in every chart. */
export const keptOf = ({ range, from, to, currency }: ChartState) => ({ range, from, to, currency });

/** A chip that leads to other charts, in windows without space for the list. */
export function ChartChooser({ page: { projectId, chart, state } }: { page: ChartOnPage }) {
  const groups = useListedCharts(projectId);
  const navigate = useNavigate();
  return (
    <ChipSelect
      className="xl:hidden"
      label="Chart"
      isNamed
      value={chart}
      options={groups.flatMap((group) => group.charts.map(({ id, name }) => ({ value: id, label: name })))}
      onChange={(next) =>
        void navigate({
          to: '/projects/$projectId/charts/$chart',
          params: { projectId, chart: next },
          search: { ...keptOf(state), ...groupingOf(chartNamed(next)) },
        })
      }
    />
  );
}

/** Links to all charts, next to the chart. */
export function ChartsNavigation({ page: { projectId, chart, state } }: { page: ChartOnPage }) {
  const groups = useListedCharts(projectId);
  const kept = keptOf(state);
  return (
    <nav aria-label="Charts by category" className="flex w-52 shrink-0 flex-col gap-3 max-xl:hidden">
      {groups.map(({ category, charts: members }) => (
        <section key={category} aria-label={categoryLabels[category]}>
          <h2 className="mb-1 px-2 text-xs font-semibold text-muted">{categoryLabels[category]}</h2>
          <ul className="flex flex-col gap-px">
            {members.map((member) => (
              <li key={member.id}>
                <Link
                  to="/projects/$projectId/charts/$chart"
                  params={{ projectId, chart: member.id }}
                  search={{ ...kept, ...groupingOf(member) }}
                  aria-current={member.id === chart ? 'page' : undefined}
                  className="flex min-h-7 items-center rounded-md px-2 text-fg no-underline hover:bg-hover hover:no-underline aria-[current=page]:bg-chosen aria-[current=page]:font-medium pointer-coarse:min-h-11"
                >
                  {member.name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
