import { useMutation, useQuery } from '@tanstack/react-query';
import { asCallError } from '../../api/call-error.js';
import { api, call } from '../../api/client.js';
import { useMay } from '../../api/permissions.js';
import { CsvButton } from '../../ui/csv-button.js';
import { download } from '../../ui/format/download.js';
import { useToast } from '../../ui/overlays/toast.js';
import { customerCountQuery } from '../customers.queries.js';
import type { ApiFilters } from './customer-filters.js';
import { useCreateListExport } from './list-exports.queries.js';

interface DownloadListButtonProps {
  projectId: string;
  filters: ApiFilters;
  /** Called when the server has started to prepare a long list. */
  onPrepare: () => void;
}

/** Saves all customers of the list as CSV; times are UTC. The server prepares long lists in the background. */
export function DownloadListButton({ projectId, filters, onPrepare }: DownloadListButtonProps) {
  const mayRead = useMay('downloadFilteredCustomers');
  const count = useQuery(customerCountQuery(projectId, filters));
  const start = useCreateListExport(projectId);
  const toast = useToast();
  const onError = (error: unknown) =>
    toast({ tone: 'bad', title: 'The list was not downloaded', description: asCallError(error).message });
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
    onError,
  });
  if (count.data?.count === 0) return null;
  const prepare = () => start.mutate(exportFilters(filters), { onSuccess: onPrepare, onError });
  return (
    <CsvButton
      busy={save.isPending || start.isPending}
      disabledReason={mayRead.reason}
      onClick={() => (count.data?.is_exact === false ? prepare() : save.mutate())}
    />
  );
}

/** The filters of an export: text, without sorting. */
function exportFilters(filters: ApiFilters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([name, value]) => value !== undefined && name !== 'sort' && name !== 'order')
      .map(([name, value]) => [name, String(value)]),
  );
}
