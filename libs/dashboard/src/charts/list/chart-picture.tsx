import { Sparkline } from '../../ui/chart/sparkline.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDays } from '../../ui/format/format-time.js';
import type { ChartPreview } from './chart-previews.js';

/** The line of a small picture; empty for fewer than two values. */
export function ChartPicture({
  preview,
  name,
  height,
}: {
  preview: ChartPreview;
  name: string;
  height: number;
}) {
  const { locale } = useFormat();
  const { values, start_date: start, end_date: end } = preview;
  if (values.length < 2) return null;
  return (
    <div className="mt-auto">
      <Sparkline
        label={`${name}, ${formatDays(locale, start, end)}`}
        values={values.map(({ value }) => value)}
        incompleteFrom={Math.max(1, values.findLastIndex(({ incomplete }) => !incomplete) + 1)}
        height={height}
      />
    </div>
  );
}
