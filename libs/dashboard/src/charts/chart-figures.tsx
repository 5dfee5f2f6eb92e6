import { useFormat, useNow } from '../ui/format/format-context.js';
import { formatPercent } from '../ui/format/format-number.js';
import { formatDay, formatDays, msToDay } from '../ui/format/format-time.js';
import { Icon } from '../ui/icons.js';
import { averagedOver, type ChartData, firstOf, latestOf, seriesOf, summaryOf } from './chart-data.js';
import type { ChartOnPage } from './use-chart.js';
import { useFigure } from './use-figure.js';

interface ChartFiguresProps {
  page: ChartOnPage;
  data: ChartData;
  before: ChartData | undefined;
}

const MS_PER_SECOND = 1000;

/** The headline and average of each measure from the server's summary, and the days and currency that they cover. */
export function ChartFigures({ page, data, before }: ChartFiguresProps) {
  const { listed, resolution, previous } = page;
  const isState = listed?.isState ?? false;
  const figure = useFigure(data.yaxis_currency);
  const { locale } = useFormat();
  const lastDay = msToDay(data.end_date * MS_PER_SECOND);
  const ending = lastDay >= msToDay(useNow()) ? 'now' : `on ${formatDay(locale, lastDay)}`;
  const { buckets, incomplete } = seriesOf(data);
  const isComplete = !incomplete.some(Boolean);
  const areTotalsComparable =
    isComplete && before !== undefined && !seriesOf(before).incomplete.some(Boolean);
  const previousDays = formatDays(locale, previous.start, previous.end);
  return (
    <section aria-label="Coverage and figures" className="flex flex-col gap-2">
      <Coverage data={data} isComplete={isComplete} />
      <ul
        aria-label="Figures"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-3"
      >
        {data.measures.map(({ id, display_name: name, description, unit }, index) => {
          const headline = isState ? latestOf(data, index) : summaryOf(data, 'total', index);
          const average = summaryOf(data, 'average', index);
          const averaged = averagedOver(data, index);
          const earlier = firstOf(data, index);
          const was =
            before &&
            (isState
              ? latestOf(before, index)
              : summaryOf(before, areTotalsComparable ? 'total' : 'average', index));
          const now = isState || areTotalsComparable ? headline : average;
          return (
            <li key={id} className="min-w-0 rounded-md border border-line bg-panel px-4 py-3">
              <p className="font-medium">{name}</p>
              {headline !== undefined && (
                <p>
                  <span className="text-xl font-semibold tabular-nums">{figure(headline, unit)}</span>{' '}
                  <span className="text-sm text-muted">{isState ? ending : 'Total'}</span>
                </p>
              )}
              {isState && !before && typeof headline === 'number' && earlier !== undefined && (
                <Change
                  now={headline}
                  was={earlier}
                  text={`from ${figure(earlier, unit)} on ${formatDay(locale, buckets[0] ?? '')}`}
                />
              )}
              {average !== undefined && (
                <p className="text-sm text-muted">
                  <span className="tabular-nums">{figure(average, unit)}</span>{' '}
                  {averaged.buckets === 0
                    ? `Average of no ${resolution}`
                    : `Average of ${averaged.buckets} ${averaged.areComplete ? 'complete' : 'incomplete'} ${resolution}${averaged.buckets === 1 ? '' : 's'}`}
                </p>
              )}
              {(headline === null || average === null) && (
                <p className="text-sm text-muted">–: there is nothing to divide by.</p>
              )}
              {typeof now === 'number' && typeof was === 'number' && (
                <Change
                  now={now}
                  was={was}
                  text={`vs. ${figure(was, unit)}${isState || areTotalsComparable ? '' : ' on average'}, ${previousDays}`}
                />
              )}
              <p className="text-sm text-muted">{description}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Days, currency and completeness of the figures. */
function Coverage({ data, isComplete }: { data: ChartData; isComplete: boolean }) {
  const { locale } = useFormat();
  const [start, end] = [data.start_date, data.end_date].map((seconds) => msToDay(seconds * MS_PER_SECOND));
  const parts = [
    `${formatDays(locale, start!, end!)} (UTC)`,
    data.measures.some(({ unit }) => unit === '$') &&
      `${data.yaxis_currency}, converted at the rate of each purchase’s day`,
    isComplete ? 'complete' : 'including incomplete periods',
  ];
  return <p className="text-sm text-muted">{parts.filter(Boolean).join(' · ')}</p>;
}

function Change({ now, was, text }: { now: number; was: number; text: string }) {
  const { locale } = useFormat();
  if (now === was || was <= 0) {
    return <p className="text-sm text-muted">{now === was ? `no change ${text}` : text}</p>;
  }
  const isMore = now > was;
  return (
    <p className="text-sm text-muted tabular-nums">
      <Icon
        name={isMore ? 'arrow-up' : 'arrow-down'}
        label={isMore ? 'more' : 'less'}
        className="me-1 inline size-3.5!"
      />
      {`${formatPercent(locale, Math.abs(now - was) / was)} ${text}`}
    </p>
  );
}
