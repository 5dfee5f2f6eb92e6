import { useQueryClient } from '@tanstack/react-query';
import { Page } from '../frame/pages/page.js';
import { Button } from '../ui/button.js';
import { CsvButton } from '../ui/csv-button.js';
import { CopyButton } from '../ui/text/copy-button.js';
import { download } from '../ui/format/download.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { useNow } from '../ui/format/format-context.js';
import { Time } from '../ui/format/time.js';
import { useToast } from '../ui/overlays/toast.js';
import { BackgroundChart, useBackground } from './background-chart.js';
import { hasNoViews } from './chart-data.js';
import { ChartControls } from './chart-controls.js';
import { ChartsNavigation } from './charts-navigation.js';
import { chartCsv, freshChartQuery, isNotThere } from './charts.queries.js';
import { CohortView } from './cohort-view.js';
import { NoViews } from './no-views.js';
import { SavedChartsMenu } from './saved/saved-charts-menu.js';
import { SeriesView } from './series-view.js';
import { type ChartOnPage, useChart } from './use-chart.js';

/** One chart. All choices are stored in the address. */
export function ChartView() {
  const page = useChart();
  const { projectId, chart, listed, span, resolution, question, options, data, dataQuery, optionsQuery } =
    page;
  const toast = useToast();
  const background = useBackground(data);
  const missing = isNotThere(options.error) || isNotThere(data.error);
  const save = () =>
    void chartCsv(projectId, chart, question).then(
      (csv) => download(`${chart}_${span.start}_${span.end}_${resolution}.csv`, csv, 'text/csv'),
      (error: unknown) =>
        toast({ title: 'The CSV could not be created', description: String(error), tone: 'bad' }),
    );
  return (
    <Page
      title={listed?.name ?? data.data?.display_name ?? chart}
      note={listed?.about}
      actions={
        !missing && (
          <>
            <SavedChartsMenu page={page} />
            <CopyButton worded label="link to this chart" value={linkTo(page)} />
            <CsvButton onClick={save} />
          </>
        )
      }
    >
      <div className="flex gap-6">
        <ChartsNavigation page={page} />
        {missing ? (
          <Panel className="flex-1">
            <EmptyState sentence={`There is no chart "${chart}" on this server.`} />
          </Panel>
        ) : (
          <div className="ui-in-turn flex min-w-0 flex-1 flex-col gap-4">
            <QueryPanel
              query={options}
              queryKey={optionsQuery.queryKey}
              skeleton={<Skeleton lines={1} className="py-1.5" />}
            >
              {() => <ChartControls page={page} />}
            </QueryPanel>
            {background && <BackgroundChart state={background} />}
            {background && !data.data ? (
              <ChartSkeleton />
            ) : (
              <QueryPanel
                query={background ? { ...data, error: null } : data}
                queryKey={dataQuery.queryKey}
                skeleton={<ChartSkeleton />}
              >
                {(answer) => (
                  <div className="flex flex-col gap-4">
                    {answer.periods ? (
                      <CohortView page={page} data={answer} />
                    ) : page.state.filter === undefined && hasNoViews(answer) ? (
                      <NoViews projectId={projectId} />
                    ) : (
                      <SeriesView page={page} data={answer} />
                    )}
                    <div className="max-w-prose text-sm text-muted">
                      <p>{answer.description}</p>
                      <p className="mt-2">
                        Updated <Time ms={answer.last_computed_at} show="full" />. Days are UTC.{' '}
                        {page.isBothEnvironments && 'Production only: environments are never added up.'}
                      </p>
                      {!background && <ComputeAgain page={page} computedAtMs={answer.last_computed_at} />}
                    </div>
                  </div>
                )}
              </QueryPanel>
            )}
          </div>
        )}
      </div>
    </Page>
  );
}

/** Asks for a new answer if this one is older than a minute. */
function ComputeAgain({ page, computedAtMs }: { page: ChartOnPage; computedAtMs: number }) {
  const client = useQueryClient();
  const { projectId, chart, question, data } = page;
  if (useNow() - computedAtMs < 60_000) return null;
  const ask = () =>
    // Its error, if any, is the query's.
    void client.fetchQuery(freshChartQuery(projectId, chart, question)).catch(() => undefined);
  return (
    <Button size="sm" icon="refresh" busy={data.isFetching} onClick={ask} className="mt-2">
      Compute again
    </Button>
  );
}

/** The address of the question. It names the currency, which is otherwise a preference of the reader. */
function linkTo({ currency, listed }: ChartOnPage): string {
  const link = new URL(location.href);
  if (!listed?.isWithoutMoney) link.searchParams.set('currency', currency);
  return link.href;
}

/** The space of a drawing and its figures. */
function ChartSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <div className="h-82 rounded-md border border-line bg-panel p-4">
        <Skeleton lines={8} />
      </div>
      <Skeleton lines={5} className="rounded-md border border-line bg-panel p-4" />
    </div>
  );
}
