import { Link } from '@tanstack/react-router';
import { BarChart } from '../../ui/chart/charts.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDay } from '../../ui/format/format-time.js';
import { ChartFigureLine } from './chart-figure-line.js';
import { chartNamed } from '../chart-list.js';
import { bucketLabel } from '../chart-range.js';
import type { PreviewProps } from './chart-tile.js';
import { useAxisFigure, useFigure } from '../use-figure.js';

/** The chart with which the page opens. */
export function MainChart({ projectId, preview, search }: PreviewProps) {
  const { locale } = useFormat();
  const { id, display_name, currency, values, resolution } = preview;
  const unit = preview.unit ?? '$';
  const figure = useFigure(currency);
  const axisFigure = useAxisFigure(currency, unit);
  const name = chartNamed(id)?.name ?? display_name;
  return (
    <section className="col-span-2 row-span-2 min-w-0 rounded-md border border-line bg-panel px-4 py-3">
      <h3 className="font-medium">
        <Link to="/projects/$projectId/charts/$chart" params={{ projectId, chart: id }} search={search}>
          {name}
        </Link>
      </h3>
      <p className="mb-2">
        <ChartFigureLine preview={preview} range={search.range} isLarge />
      </p>
      <BarChart
        label={name}
        height={190}
        days={values.map(({ date }) => date)}
        series={[{ name, values: values.map(({ value }) => value) }]}
        format={(value) => figure(value, unit)}
        axisFormat={axisFigure}
        incompleteFrom={values.findLastIndex(({ incomplete }) => !incomplete) + 1}
        incompleteFirst={values[0]?.incomplete ?? false}
        bucketName={(day, short) => bucketLabel(locale, day, resolution, formatDay, short)}
      />
    </section>
  );
}
