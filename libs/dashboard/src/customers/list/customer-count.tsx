import { useQuery } from '@tanstack/react-query';
import { Num } from '../../ui/format/money.js';
import { customerCountQuery } from '../customers.queries.js';
import type { ApiFilters } from './customer-filters.js';

/** The number of customers in the list, and whether earlier ones are still missing. */
export function CustomerCount({ projectId, filters }: { projectId: string; filters: ApiFilters }) {
  const { data } = useQuery(customerCountQuery(projectId, filters));
  return (
    <p role="status" className="min-h-5 text-sm text-muted">
      {data && (
        <>
          {!data.is_exact && 'More than '}
          <Num value={data.count} /> {data.count === 1 ? 'customer' : 'customers'}
          {!data.is_complete && '. Customers from before the last upgrade are still being added.'}
        </>
      )}
    </p>
  );
}
