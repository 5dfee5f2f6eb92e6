import { Link } from '@tanstack/react-router';
import { ChartFigureLine } from './chart-figure-line.js';
import { ChartPicture } from './chart-picture.js';
import { chartNamed, groupingOf } from '../chart-list.js';
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
  const { id, display_name, description } = preview;
  const listed = chartNamed(id);
  return (
    <section className="relative flex min-h-34 min-w-0 flex-col rounded-md border border-line bg-panel px-4 py-3 hover:border-edge">
      <h3 className="line-clamp-2 font-medium">
        <Link
          to="/projects/$projectId/charts/$chart"
          params={{ projectId, chart: id }}
          search={{ ...search, ...groupingOf(listed) }}
          data-tip={description}
          className="text-fg after:absolute after:inset-0 after:rounded-md"
        >
          {listed?.name ?? display_name}
        </Link>
      </h3>
      <p className="mb-2">
        <ChartFigureLine preview={preview} range={search.range} />
      </p>
      <ChartPicture preview={preview} name={display_name} height={36} />
    </section>
  );
}
