import { useMutation, useQuery } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { download } from '../../ui/format/download.js';
import { customerCountQuery } from '../customers.queries.js';
import type { ApiFilters } from './customer-filters.js';

/** Saves all customers of the list as CSV; times are UTC. */
export function DownloadListButton({ projectId, filters }: { projectId: string; filters: ApiFilters }) {
  const mayRead = useMay('downloadFilteredCustomers');
  const count = useQuery(customerCountQuery(projectId, filters));
  const save = useMutation({
    mutationFn: async () => {
      const text = await call(
        api.GET('/v2/projects/{project_id}/filtered_customers/csv', {
          params: { path: { project_id: projectId }, query: filters },
          parseAs: 'text',
        }),
      );
      download('customers.csv', text, 'text/csv');
    },
  });
  if (count.data?.count === 0) return null;
  const tooLong =
    count.data?.is_exact === false ? 'A download has at most 10,000 customers. Add a filter.' : null;
  return (
    <Button
      icon="download"
      busy={save.isPending}
      disabledReason={mayRead.reason ?? tooLong}
      onClick={() => save.mutate()}
    >
      Download CSV
    </Button>
  );
}
