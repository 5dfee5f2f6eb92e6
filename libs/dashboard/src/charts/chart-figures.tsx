import { useFormat, useNow } from '../ui/format/format-context.js';
import { formatPercent } from '../ui/format/format-number.js';
import { formatDay, msToDay } from '../ui/format/format-time.js';
import { Icon } from '../ui/icons.js';
import { averagedOver, type ChartData, latestOf, summaryOf } from './chart-data.js';
import type { Resolution } from './chart-range.js';
import { useFigure } from './use-figure.js';

interface ChartFiguresProps {
  data: ChartData;
  before: ChartData | undefined;
  resolution: Resolution;
  /** Whether figures are states, which have no total. The value at the end of the range comes first. */
  isState: boolean;
}

const MS_PER_SECOND = 1000;

/** The headline and average of each measure from the server's summary. Only averages are compared. */
export function ChartFigures({ data, before, resolution, isState }: ChartFiguresProps) {
  const figure = useFigure(data.yaxis_currency);
  const { locale } = useFormat();
  const lastDay = msToDay(data.end_date * MS_PER_SECOND);
  const ending = lastDay >= msToDay(useNow()) ? 'now' : `on ${formatDay(locale, lastDay)}`;
  return (
    <ul aria-label="Figures" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {data.measures.map(({ id, display_name: name, description, unit }, index) => {
        const headline = isState ? latestOf(data, index) : summaryOf(data, 'total', index);
        const average = summaryOf(data, 'average', index);
        const averaged = averagedOver(data, index);
        const was = before ? (summaryOf(before, 'average', index) ?? null) : null;
        return (
          <li key={id} className="min-w-0 rounded-md border border-line bg-panel px-4 py-3">
            <p className="font-medium">{name}</p>
            {headline !== undefined && (
              <p>
                <span className="text-xl font-semibold tabular-nums">{figure(headline, unit)}</span>{' '}
                <span className="text-sm text-muted">{isState ? ending : 'Total'}</span>
              </p>
            )}
            {average !== undefined && (
              <p className="text-sm text-muted">
                <span className="tabular-nums">{figure(average, unit)}</span>{' '}
                {averaged.buckets === 0
                  ? `Average of no ${resolution}`
                  : `Average of ${averaged.buckets} ${averaged.areComplete ? 'complete' : 'incomplete'} ${resolution}${averaged.buckets === 1 ? '' : 's'}`}
              </p>
            )}
            {typeof average === 'number' && was !== null && was > 0 && <Change now={average} was={was} />}
            <p className="text-sm text-muted">{description}</p>
          </li>
        );
      })}
    </ul>
  );
}

function Change({ now, was }: { now: number; was: number }) {
  const { locale } = useFormat();
  if (now === was) return <p className="text-sm text-muted">the same as in the period before</p>;
  const isMore = now > was;
  return (
    <p className="flex items-center gap-1 text-sm text-muted tabular-nums">
      <Icon
        name={isMore ? 'arrow-up' : 'arrow-down'}
        label={isMore ? 'more' : 'less'}
        className="size-3.5!"
      />
      {`${formatPercent(locale, Math.abs(now - was) / was)} against the period before`}
    </p>
  );
}
