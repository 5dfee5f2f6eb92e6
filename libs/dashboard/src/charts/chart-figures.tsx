import { useFormat } from '../ui/format-context.js';
import { formatPercent } from '../ui/format-number.js';
import { Icon } from '../ui/icons.js';
import { type ChartData, summaryOf } from './chart-data.js';
import type { Resolution } from './chart-range.js';
import { text } from './charts.text.js';
import { useFigure } from './use-figure.js';

interface ChartFiguresProps {
  data: ChartData;
  before: ChartData | undefined;
  resolution: Resolution;
}

/** Total and average of each measure, as the server sums them up. Averages of complete buckets are what is compared. */
export function ChartFigures({ data, before, resolution }: ChartFiguresProps) {
  const figure = useFigure(data.yaxis_currency);
  return (
    <ul aria-label={text.figures} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {data.measures.map(({ id, display_name: name, description, unit }, index) => {
        const [total, average] = [summaryOf(data, 'total', index), summaryOf(data, 'average', index)];
        const was = before ? summaryOf(before, 'average', index) : null;
        return (
          <li key={id} className="min-w-0 rounded-md border border-line bg-panel px-4 py-3">
            <p className="font-medium">{name}</p>
            {total !== null && (
              <p>
                <span className="text-xl font-semibold tabular-nums">{figure(total, unit)}</span>{' '}
                <span className="text-sm text-muted">{text.totalOf}</span>
              </p>
            )}
            {average !== null && (
              <p className="text-sm text-muted">
                <span className="tabular-nums">{figure(average, unit)}</span> {text.averageOf(resolution)}
              </p>
            )}
            {average !== null && was !== null && was > 0 && <Change now={average} was={was} />}
            <p className="text-sm text-muted">{description}</p>
          </li>
        );
      })}
    </ul>
  );
}

function Change({ now, was }: { now: number; was: number }) {
  const { locale } = useFormat();
  if (now === was) return <p className="text-sm text-muted">{text.same}</p>;
  const isMore = now > was;
  return (
    <p className="flex items-center gap-1 text-sm text-muted tabular-nums">
      <Icon
        name={isMore ? 'arrow-up' : 'arrow-down'}
        label={isMore ? text.more : text.fewer}
        className="size-3.5!"
      />
      {text.changed(formatPercent(locale, Math.abs(now - was) / was))}
    </p>
  );
}
