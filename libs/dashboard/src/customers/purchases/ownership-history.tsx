import { useQuery } from '@tanstack/react-query';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { useCustomer } from '../customer-context.js';
import { OwnershipChange } from './ownership-change.js';
import { ownershipQuery } from './purchases.queries.js';

interface OwnershipHistoryProps {
  kind: 'subscription' | 'purchase';
  purchaseId: string;
}

/** Transfers of a purchase between customers. */
export function OwnershipHistory({ kind, purchaseId }: OwnershipHistoryProps) {
  const { projectId, id } = useCustomer();
  const options = ownershipQuery(projectId, id, kind, purchaseId);
  const query = useQuery(options);
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="px-2 py-2 text-sm text-muted">It has always belonged to this customer.</p>
        ) : (
          <ul aria-label="Ownership history" className="flex flex-col gap-2 px-2 py-2">
            {items.map((change) => (
              <li key={change.id}>
                <OwnershipChange change={change} withRequest />
              </li>
            ))}
          </ul>
        )
      }
    </QueryPanel>
  );
}
