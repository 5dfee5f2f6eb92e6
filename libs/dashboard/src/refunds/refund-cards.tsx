import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useEnvironment } from '../frame/environment.js';
import { Money, Num } from '../ui/format/money.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { heldQuery } from './requests.queries.js';
import { statisticsQuery } from './statistics.queries.js';

const HELD_LIMIT = 100;

function Card({ name, about, children }: { name: string; about: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-md border border-line bg-panel px-4 py-3">
      <h2 id={id} className="font-medium">
        {name}
      </h2>
      {children}
      <p className="text-sm text-muted">{about}</p>
    </section>
  );
}

const figure = 'text-2xl font-semibold';
/** Has the height of a figure, so that nothing moves when it arrives. */
const placeholder = <p className={figure}>—</p>;

/** The figures of the last 28 days, and how many requests wait for a person. */
export function RefundCards({ projectId }: { projectId: string }) {
  const { filter } = useEnvironment();
  const statistics = statisticsQuery(projectId, filter);
  const held = heldQuery(projectId, filter);
  const figures = useQuery(statistics);
  const waiting = useQuery(held);
  const range = 'in the last 28 days';
  const ofStatistics = (render: (data: NonNullable<typeof figures.data>) => ReactNode) => (
    <QueryPanel query={figures} queryKey={statistics.queryKey} skeleton={placeholder}>
      {(data) => <p className={figure}>{render(data)}</p>}
    </QueryPanel>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Card name="Requests" about={range}>
        {ofStatistics(({ requests }) => (
          <Num value={requests} />
        ))}
      </Card>
      <Card name="Refunded" about="of those that the store decided">
        {ofStatistics(({ refunded_share: share }) =>
          share === null ? '—' : <Num value={share / 100} percent />,
        )}
      </Card>
      <Card name="Amount refunded" about={range}>
        {ofStatistics(({ amount_refunded: amount }) => (
          <Money amount={amount} currency="USD" />
        ))}
      </Card>
      <Card name="Waiting for you" about="until shortly before the deadline">
        <QueryPanel query={waiting} queryKey={held.queryKey} skeleton={placeholder}>
          {({ items, next_page: next }) => (
            <p className={figure}>{next === null ? <Num value={items.length} /> : `${HELD_LIMIT} or more`}</p>
          )}
        </QueryPanel>
      </Card>
    </div>
  );
}
