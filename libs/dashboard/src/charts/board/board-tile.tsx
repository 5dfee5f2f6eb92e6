import { Link } from '@tanstack/react-router';
import { IconButton } from '../../ui/button.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDays } from '../../ui/format/format-time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { chartNamed } from '../chart-list.js';
import { type rangeLabels } from '../chart-range.js';
import { ChartFigureLine } from '../list/chart-figure-line.js';
import { ChartPicture } from '../list/chart-picture.js';
import type { ChartPreview } from '../list/chart-previews.js';
import type { BoardChart } from '../saved/saved-charts.queries.js';
import { searchOf } from '../saved/saved-question.js';

interface BoardTileProps {
  projectId: string;
  chart: BoardChart;
  /** Moves the chart; a function is null at an end. Null while the board is not arranged. */
  move: Record<'up' | 'down', (() => void) | null> | null;
}

/** A saved chart as a picture with its figure. All of it leads to the question. */
export function BoardTile({
  projectId,
  chart: { saved_chart: saved, preview, problem },
  move,
}: BoardTileProps) {
  const { chart_name: chart, parameters, visibility } = saved;
  const name = visibleText(saved.display_name);
  const of = chartNamed(chart)?.name ?? preview?.display_name ?? chart;
  return (
    <section className="relative flex h-full min-h-44 min-w-0 flex-col rounded-md border border-line bg-panel px-4 py-3 hover:border-edge">
      <h2 className="line-clamp-2 font-medium [overflow-wrap:anywhere]">
        <Link
          to="/projects/$projectId/charts/$chart"
          params={{ projectId, chart }}
          search={searchOf(parameters)}
          className="text-fg after:absolute after:inset-0 after:rounded-md"
        >
          {name}
        </Link>
      </h2>
      <p className="text-sm text-muted">
        {of}
        {visibility === 'private' && ' · only you'}
      </p>
      {preview ? (
        <Picture preview={preview} name={name} range={parameters.range} />
      ) : (
        <p>
          <span className="block text-xl font-semibold">–</span>
          <span className="block text-sm text-muted">{problem}</span>
        </p>
      )}
      {move && (
        <div className="relative z-1 mt-2 flex gap-1">
          {(['up', 'down'] as const).map((direction) => (
            <IconButton
              key={direction}
              icon={`arrow-${direction}`}
              size="sm"
              data-move={`${saved.id} ${direction}`}
              label={`Move ${name} ${direction}`}
              disabledReason={
                move[direction] ? null : `It is already the ${direction === 'up' ? 'first' : 'last'}.`
              }
              onClick={move[direction] ?? undefined}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface PictureProps {
  preview: ChartPreview;
  name: string;
  range: keyof typeof rangeLabels | undefined;
}

function Picture({ preview, name, range }: PictureProps) {
  const { locale } = useFormat();
  const { values, unit, currency, start_date: start, end_date: end } = preview;
  const days = formatDays(locale, start, end);
  const isComplete = !values.some(({ incomplete }) => incomplete);
  return (
    <>
      <p>
        <ChartFigureLine preview={preview} range={range} coverage={range === 'custom' ? days : undefined} />
      </p>
      {values.length > 0 && (
        <p className="mb-2 text-sm text-muted">
          {[
            range !== 'custom' && days,
            unit === '$' && currency,
            isComplete ? 'complete' : 'including incomplete periods',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      <ChartPicture preview={preview} name={name} height={48} />
    </>
  );
}
