import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type BoardChart, savedChartsQuery, useReorderBoard } from '../saved/saved-charts.queries.js';
import { searchOf } from '../saved/saved-question.js';
import { BoardTile } from './board-tile.js';

/** The server shows no more on a board. */
const MOST = 12;

interface BoardProps {
  projectId: string;
  charts: readonly BoardChart[];
  /** The query of the charts. */
  query: { queryKey: QueryKey };
  isArranging: boolean;
}

/** The pictures in order, with buttons to move them, and the saved charts without a place. */
export function Board({ projectId, charts, query, isArranging }: BoardProps) {
  const queries = useQueryClient();
  const reorder = useReorderBoard(projectId);
  const { data: all = [] } = useQuery({
    ...savedChartsQuery(projectId),
    enabled: charts.length === MOST,
  });
  const [moved, setMoved] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef('');
  const ids = charts.map(({ saved_chart: { id } }) => id);
  const rest = all.filter(({ id }) => !ids.includes(id));

  // A browser takes the focus off an element that moves.
  useEffect(() => {
    if (focused.current === '') return;
    list.current?.querySelector<HTMLElement>(`[data-move="${focused.current}"]`)?.focus();
    focused.current = '';
  }, [charts]);

  const move = (from: number, to: number) => {
    const next = [...charts];
    const [chart] = next.splice(from, 1);
    if (!chart) return;
    next.splice(to, 0, chart);
    // At an end, the button that moves on is disabled.
    const isUp = to === charts.length - 1 || (to < from && to > 0);
    focused.current = `${chart.saved_chart.id} ${isUp ? 'up' : 'down'}`;
    queries.setQueryData(query.queryKey, next);
    setMoved(`${visibleText(chart.saved_chart.display_name)} is now ${to + 1} of ${charts.length}.`);
    reorder.mutate(next.map(({ saved_chart: { id } }) => id));
  };
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        {moved}
      </p>
      <FormError error={reorder.error?.message} />
      <ul ref={list} aria-label="Board" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {charts.map((chart, index) => (
          <li key={chart.saved_chart.id} className="min-w-0">
            <BoardTile
              projectId={projectId}
              chart={chart}
              move={
                isArranging
                  ? {
                      up: index > 0 ? () => move(index, index - 1) : null,
                      down: index < charts.length - 1 ? () => move(index, index + 1) : null,
                    }
                  : null
              }
            />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <Panel
          title="Not on the board"
          description={`A board shows ${MOST} charts. The chart that you show takes the last place.`}
        >
          <ul aria-label="Not on the board" className="flex flex-col gap-1">
            {rest.map(({ id, display_name: name, chart_name, parameters }) => (
              <li key={id} className="flex items-center justify-between gap-3">
                <Link
                  to="/projects/$projectId/charts/$chart"
                  params={{ projectId, chart: chart_name }}
                  search={searchOf(parameters)}
                  className="min-w-0 truncate"
                >
                  {visibleText(name)}
                </Link>
                {isArranging && (
                  <Button
                    size="sm"
                    aria-label={`Show on the board: ${visibleText(name)}`}
                    onClick={() => reorder.mutate([...ids.slice(0, MOST - 1), id])}
                  >
                    Show on the board
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}
