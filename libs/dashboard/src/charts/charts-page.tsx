import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currencies } from '../api/currencies.js';
import { useEnvironment } from '../frame/environment.js';
import { Page } from '../frame/pages/page.js';
import { usePreferences } from '../frame/preferences.js';
import { useNow } from '../ui/format/format-context.js';
import { msToDay } from '../ui/format/format-time.js';
import { ChipSelect } from '../ui/forms/chip-select.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { chartsIn } from './list/chart-previews.js';
import { pictureResolution, rangeLabels, spanOf } from './chart-range.js';
import { readChartState } from './chart-state.js';
import { ChartTile } from './list/chart-tile.js';
import { previewsQuery } from './charts.queries.js';
import { categoryLabels } from './labels.js';
import { MainChart } from './list/main-chart.js';

const route = getRouteApi('/signed-in/projects/$projectId/charts');
const offered = [
  '28d',
  '90d',
  '12m',
  'this_month',
  'last_month',
  'last_quarter',
  'ytd',
  'last_year',
] as const;
const MAIN = 'revenue';

/**
 * All charts as pictures with their figures. The explicit type breaks a cycle: the types of route parameters depend on
 * the type of every page.
 */
export default function ChartsPage(): ReactNode {
  const { projectId } = route.useParams();
  const state = readChartState(route.useSearch());
  const navigate = route.useNavigate();
  const { filter } = useEnvironment();
  const { preferences, change } = usePreferences();
  const range = offered.find((name) => name === state.range) ?? '90d';
  const span = spanOf(range, msToDay(useNow()));
  const query = previewsQuery(projectId, {
    start_date: span.start,
    end_date: span.end,
    resolution: pictureResolution(span),
    environment: filter ?? 'production',
    currency: currencies.find((name) => name === preferences.displayCurrency),
  });
  const previews = useQuery(query);
  const search = { range: state.range };
  return (
    <Page title="Charts" note="Revenue, subscriptions and customers over time. Days are UTC days.">
      <div role="group" aria-label="Range and currency" className="flex flex-wrap gap-1.5">
        <ChipSelect
          label="Range"
          value={range}
          options={offered.map((value) => ({ value, label: rangeLabels[value] }))}
          isSet={state.range !== undefined}
          onChange={(value) =>
            void navigate({
              search: (now) => ({ ...now, range: offered.find((name) => name === value) }),
              replace: true,
            })
          }
        />
        <ChipSelect
          label="Currency"
          value={preferences.displayCurrency}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={(displayCurrency) => change({ displayCurrency })}
        />
      </div>
      <QueryPanel query={previews} queryKey={query.queryKey} skeleton={<ChartsSkeleton />}>
        {(items) => (
          <div className="flex flex-col gap-6">
            {chartsIn(items).map(({ category, charts }) => (
              <section key={category} aria-label={categoryLabels[category]}>
                <h2 className="mb-2 font-semibold">{categoryLabels[category]}</h2>
                <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
                  {charts.map((preview) =>
                    preview.id === MAIN ? (
                      <MainChart key={preview.id} projectId={projectId} preview={preview} search={search} />
                    ) : (
                      <ChartTile key={preview.id} projectId={projectId} preview={preview} search={search} />
                    ),
                  )}
                </div>
              </section>
            ))}
          </div>
        )}
      </QueryPanel>
    </Page>
  );
}

/** The space of the main chart and the tiles beside it. */
function ChartsSkeleton() {
  return (
    <div className="mt-7 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {Array.from({ length: 9 }, (_, index) => (
        <div
          key={index}
          className={
            index === 0
              ? 'col-span-2 row-span-2 min-h-72 rounded-md border border-line bg-panel p-4'
              : 'min-h-34 rounded-md border border-line bg-panel p-4'
          }
        >
          <Skeleton lines={3} />
        </div>
      ))}
    </div>
  );
}
