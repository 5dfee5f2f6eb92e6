import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../ui/chart/sparkline.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDays } from '../../ui/format/format-time.js';
import { ChartFigureLine } from './chart-figure-line.js';
import { chartNamed } from '../chart-list.js';
import type { ChartPreview } from './chart-previews.js';
import type { ChartState } from '../chart-state.js';

export interface PreviewProps {
  projectId: string;
  preview: ChartPreview;
  /** Choices that the chart's page keeps. */
  search: Pick<ChartState, 'range'>;
}

/** A small picture of a chart with its figure. All of it leads to the chart. */
export function ChartTile({ projectId, preview, search }: PreviewProps) {
  const { locale } = useFormat();
  const { id, display_name, description, values, start_date: start, end_date: end } = preview;
  const firstOpen = values.findLastIndex(({ incomplete }) => !incomplete) + 1;
  return (
    <section className="relative flex min-h-34 min-w-0 flex-col rounded-md border border-line bg-panel px-4 py-3 hover:border-edge">
      <h3 className="line-clamp-2 font-medium">
        <Link
          to="/projects/$projectId/charts/$chart"
          params={{ projectId, chart: id }}
          search={search}
          data-tip={description}
          className="text-fg after:absolute after:inset-0 after:rounded-md"
        >
          {chartNamed(id)?.name ?? display_name}
        </Link>
      </h3>
      <p className="mb-2">
        <ChartFigureLine preview={preview} range={search.range} />
      </p>
      {values.length > 1 && (
        <div className="mt-auto">
          <Sparkline
            label={`${display_name}, ${formatDays(locale, start, end)}`}
            values={values.map(({ value }) => value)}
            incompleteFrom={Math.max(1, firstOpen)}
            height={36}
          />
        </div>
      )}
    </section>
  );
}
