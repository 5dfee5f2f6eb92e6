import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Panel } from '../../ui/panel.js';
import type { TestPurchase } from './test-purchases.queries.js';

/** The records of a test purchase. */
export function RecordedPanel({ purchase, projectId }: { purchase: TestPurchase; projectId: string }) {
  const { customer, event_types: types, events, store_transaction_id: transaction } = purchase;
  return (
    <Panel title="Recorded">
      <div role="status" className="grid gap-3">
        {types.length === 0 ? (
          <p>Nothing new was recorded.</p>
        ) : (
          <ul aria-label="Events" className="grid gap-1">
            {types.map((type, index) => (
              <li key={events[index] ?? type}>
                <Link
                  to="/projects/$projectId/events"
                  params={{ projectId }}
                  search={{ event: events[index], env: 'sandbox' }}
                  className="font-mono text-sm"
                >
                  {type}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-2 text-muted">
          Store transaction <CopyId id={transaction} />
        </div>
        <Link
          to="/projects/$projectId/customer"
          params={{ projectId }}
          search={{ id: customer.id }}
          className={`${buttonClass({})} justify-self-start`}
        >
          Open the customer
        </Link>
      </div>
    </Panel>
  );
}
