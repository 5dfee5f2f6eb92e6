import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useId, useState } from 'react';
import { useMay } from '../api/permissions.js';
import { usePreferences } from '../frame/preferences.js';
import { Button } from '../ui/button.js';
import { Sparkline } from '../ui/chart/sparkline.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatMoney } from '../ui/format/format-money.js';
import { formatFullNumber, formatPercent } from '../ui/format/format-number.js';
import { formatDay, formatDays } from '../ui/format/format-time.js';
import { Icon } from '../ui/icons.js';
import { Money, Num } from '../ui/format/money.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { changeOf, chartOf, isMoney, isState, type Metric, type MetricHistory } from './metrics.js';
import { type FigureEnvironment, historyQuery } from './overview.queries.js';
import { useSeen } from './use-seen.js';
import { metricLabels } from './labels.js';

const before = (isState: boolean) => (isState ? '28 days ago' : 'the previous 28 days');

const MetricDialog = lazy(() =>
  import('./metric-dialog.js').then((module) => ({ default: module.MetricDialog })),
);

interface MetricTileProps {
  projectId: string;
  metric: Metric;
  environment: FigureEnvironment;
}

/** One metric: its value, its change, and its days. An error stays inside the tile. */
export function MetricTile({ projectId, metric, environment }: MetricTileProps) {
  const id = useId();
  const [tile, isSeen] = useSeen<HTMLElement>();
  const { preferences } = usePreferences();
  const options = historyQuery(projectId, metric, environment, preferences.displayCurrency);
  const query = useQuery({ ...options, enabled: isSeen });
  const { name, about } = metricLabels[metric];
  const mayChart = useMay('getChart').allowed;
  return (
    <section
      ref={tile}
      aria-labelledby={id}
      className="flex min-h-[13rem] min-w-0 flex-col rounded-md border border-line bg-panel"
    >
      <h2 id={id} className="flex flex-wrap justify-between gap-x-3 px-4 pt-3 font-medium">
        {mayChart ? (
          <Link
            to="/projects/$projectId/charts/$chart"
            params={{ projectId, chart: chartOf[metric] }}
            data-tip="Chart"
          >
            {name}
          </Link>
        ) : (
          name
        )}{' '}
        <span className="font-normal text-muted">{about}</span>
      </h2>
      <QueryPanel query={query} queryKey={options.queryKey} skeleton={<Skeleton className="p-4" />}>
        {(history) => <Figures history={history} />}
      </QueryPanel>
      {!query.data && !query.isFetching && !query.error && <Skeleton className="p-4" />}
    </section>
  );
}

function Figures({ history }: { history: MetricHistory }) {
  const { locale } = useFormat();
  const { id: metric, currency, value, values } = history;
  const write = (amount: number) =>
    isMoney(metric) ? formatMoney(locale, amount, currency) : formatFullNumber(locale, amount);
  const [isOpen, setIsOpen] = useState(false);
  const [first, last] = [values[0], values.at(-1)];
  return (
    <div className="flex flex-col gap-2.5 px-4 pt-1 pb-4">
      <p>
        <span className="block text-2xl font-semibold">
          {isMoney(metric) ? <Money amount={value} currency={currency} compact /> : <Num value={value} />}
        </span>
        <ChangeNote history={history} format={write} />
        <Coverage history={history} />
      </p>
      {first && last && (
        <Sparkline
          values={values.map(({ value: amount }) => amount)}
          incompleteFrom={values.length - 1}
          label={`${metricLabels[metric].name} by UTC day: ${write(first.value)} on ${formatDay(locale, first.date)}, ${write(last.value)} today so far`}
        />
      )}
      <Button
        size="sm"
        variant="ghost"
        className="-ms-2.5 -mb-2 self-start"
        aria-label={`View daily values: ${metricLabels[metric].name}`}
        onClick={() => setIsOpen(true)}
      >
        View daily values
      </Button>
      <Suspense>
        {isOpen && <MetricDialog history={history} format={write} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </div>
  );
}

/** Days, currency and completeness of the figures. */
function Coverage({ history: { id: metric, currency, values } }: { history: MetricHistory }) {
  const { locale } = useFormat();
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) return null;
  const parts = [
    `${formatDays(locale, first.date, last.date)} (UTC)`,
    isMoney(metric) && (currency ?? 'USD'),
    'today incomplete',
  ];
  return <span className="block text-sm text-muted">{parts.filter(Boolean).join(' · ')}</span>;
}

interface ChangeNoteProps {
  history: MetricHistory;
  format: (value: number) => string;
}

/** Neutral color, because an increase is not always good. */
function ChangeNote({ history, format }: ChangeNoteProps) {
  const { locale } = useFormat();
  const change = changeOf(history);
  const state = isState(history.id);
  if (change.kind !== 'share') {
    return (
      <span className="text-sm text-muted">
        {change.kind === 'same'
          ? 'no change'
          : `– no percentage: ${format(history.previous_value)}, ${before(state)}`}
      </span>
    );
  }
  const isMore = change.share > 0;
  return (
    <span className="inline-flex items-center gap-1 text-sm text-muted tabular-nums">
      <Icon
        name={isMore ? 'arrow-up' : 'arrow-down'}
        label={isMore ? 'more' : 'less'}
        className="size-3.5!"
      />
      {`${formatPercent(locale, Math.abs(change.share))} vs. ${format(history.previous_value)}, ${before(state)}`}
    </span>
  );
}
