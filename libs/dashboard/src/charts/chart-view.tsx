import { Page } from '../frame/pages/page.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/text/copy-button.js';
import { download } from '../ui/format/download.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { Time } from '../ui/format/time.js';
import { useToast } from '../ui/overlays/toast.js';
import { ChartControls } from './chart-controls.js';
import { ChartFilters } from './chart-filters.js';
import { ChartsNavigation } from './charts-navigation.js';
import { chartCsv, isNotThere } from './charts.queries.js';
import { CohortView } from './cohort-view.js';
import { SeriesView } from './series-view.js';
import { useChart } from './use-chart.js';

/** One chart. All choices are stored in the address. */
export function ChartView() {
  const page = useChart();
  const {
    projectId,
    chart,
    listed,
    state,
    span,
    resolution,
    question,
    options,
    data,
    dataQuery,
    optionsQuery,
  } = page;
  const toast = useToast();
  const missing = isNotThere(options.error) || isNotThere(data.error);
  const save = () =>
    void chartCsv(projectId, chart, question).then(
      (csv) => download(`${chart}_${span.start}_${span.end}_${resolution}.csv`, csv, 'text/csv'),
      (error: unknown) =>
        toast({ title: 'The CSV could not be made', description: String(error), tone: 'bad' }),
    );
  return (
    <Page
      title={listed?.name ?? data.data?.display_name ?? chart}
      note={listed?.about}
      actions={
        !missing && (
          <>
            <CopyButton worded label="link to this chart" value={location.href} />
            <Button icon="download" onClick={save}>
              Save as CSV
            </Button>
          </>
        )
      }
    >
      <div className="flex gap-6 max-xl:flex-col max-xl:gap-4">
        <ChartsNavigation projectId={projectId} current={chart} state={state} />
        {missing ? (
          <Panel className="flex-1">
            <EmptyState sentence={`There is no chart "${chart}" on this server.`} />
          </Panel>
        ) : (
          <div className="ui-in-turn flex min-w-0 flex-1 flex-col gap-4">
            <QueryPanel query={options} queryKey={optionsQuery.queryKey}>
              {() => (
                <div className="flex flex-col gap-4">
                  <ChartControls page={page} />
                  <ChartFilters page={page} />
                </div>
              )}
            </QueryPanel>
            <QueryPanel query={data} queryKey={dataQuery.queryKey}>
              {(answer) => (
                <div className="flex flex-col gap-4">
                  {answer.periods ? (
                    <CohortView page={page} data={answer} />
                  ) : (
                    <SeriesView page={page} data={answer} />
                  )}
                  <p className="text-sm text-muted">{answer.description}</p>
                  <p className="text-sm text-muted">
                    As of <Time ms={answer.last_computed_at} show="full" />. Days are UTC.{' '}
                    {page.isBothEnvironments &&
                      'Figures of the two environments are not added up: these are of production.'}
                  </p>
                </div>
              )}
            </QueryPanel>
          </div>
        )}
      </div>
    </Page>
  );
}
