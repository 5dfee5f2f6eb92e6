import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { currencies } from '../../api/currencies.js';
import { useMay } from '../../api/permissions.js';
import { useEnvironment } from '../../frame/environment.js';
import { Page } from '../../frame/pages/page.js';
import { usePreferences } from '../../frame/preferences.js';
import { Button, buttonClass } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { Panel } from '../../ui/panel.js';
import { boardQuery } from '../saved/saved-charts.queries.js';
import { Board } from './board.js';

/** Saved charts as pictures, an alternative to the overview. The explicit type breaks a cycle of the router's types. */
export default function BoardPage(): ReactNode {
  const { projectId = '' } = useParams({ strict: false });
  const { filter } = useEnvironment();
  const { preferences, change } = usePreferences();
  const mayReorder = useMay('reorderChartBoard');
  const [isArranging, setIsArranging] = useState(false);
  const query = boardQuery(projectId, {
    environment: filter ?? 'production',
    currency: currencies.find((name) => name === preferences.displayCurrency),
  });
  const board = useQuery(query);
  const isStart = preferences.startPage === 'board';
  return (
    <Page
      title="Board"
      note="Saved charts of the project, and your own. Days are UTC days."
      actions={
        <>
          <Button
            aria-pressed={isStart}
            icon={isStart ? 'check' : undefined}
            onClick={() => change({ startPage: isStart ? 'overview' : 'board' })}
          >
            My start page
          </Button>
          {(board.data?.length ?? 0) > 1 && (
            <Button
              aria-pressed={isArranging}
              disabledReason={mayReorder.reason}
              onClick={() => setIsArranging(!isArranging)}
            >
              {isArranging ? 'Done' : 'Arrange'}
            </Button>
          )}
        </>
      }
    >
      <QueryPanel query={board} queryKey={query.queryKey} skeleton={<BoardSkeleton />}>
        {(charts) =>
          charts.length === 0 ? (
            <Panel>
              <EmptyState
                sentence="Save a chart to see it here: open one, and choose Saved charts, Save this chart."
                action={
                  <Link to="/projects/$projectId/charts" params={{ projectId }} className={buttonClass()}>
                    All charts
                  </Link>
                }
              />
            </Panel>
          ) : (
            <Board projectId={projectId} charts={charts} query={query} isArranging={isArranging} />
          )
        }
      </QueryPanel>
    </Page>
  );
}

function BoardSkeleton() {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index} lines={4} className="min-h-44 rounded-md border border-line bg-panel p-4" />
      ))}
    </div>
  );
}
