import { useMutation, useQuery } from '@tanstack/react-query';
import { asCallError } from '../../api/call-error.js';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { download } from '../../ui/format/download.js';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Panel } from '../../ui/panel.js';
import { Progress } from '../../ui/progress.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { filterDefinitions, filterNames, savedFilters } from './customer-filters.js';
import {
  exportFile,
  type ListExport,
  listExportsQuery,
  useDeleteListExport,
} from './list-exports.queries.js';
import { useCatalogOptions } from './use-catalog-options.js';

const failures = {
  too_large: 'The list is too long for a file. Add a filter.',
  filters_outdated: 'A product or entitlement of the filters was deleted.',
  customer_erased: 'The file was deleted because a customer was deleted. Start a new download.',
} as const;

const useListExports = (projectId: string): ListExport[] => {
  const isAllowed = useMay('listCustomerListExports').allowed;
  return useQuery({ ...listExportsQuery(projectId), enabled: isAllowed }).data ?? [];
};

interface ListExportsButtonProps {
  projectId: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the large downloads, if there are any. A panel that opened on its own would move the list. */
export function ListExportsButton({ projectId, isOpen, onToggle }: ListExportsButtonProps) {
  const exports = useListExports(projectId);
  const running = exports.filter(({ state }) => state === 'running').length;
  if (exports.length === 0) return null;
  return (
    <Button size="sm" variant="ghost" icon="download" aria-expanded={isOpen} onClick={onToggle}>
      {running > 0 ? `Preparing ${running === 1 ? 'a download' : `${running} downloads`}` : 'Large downloads'}
    </Button>
  );
}

/** Large downloads of the project, which continue when the page is left. */
export function ListExports({ projectId }: { projectId: string }) {
  const exports = useListExports(projectId);
  if (exports.length === 0) return null;
  return (
    <Panel
      title="Large downloads"
      description="Prepared by the server, also if you leave this page. Files are deleted after 24 hours."
      padded={false}
    >
      <ul className="divide-y divide-line">
        {exports.map((one) => (
          <ExportRow key={one.id} projectId={projectId} one={one} />
        ))}
      </ul>
    </Panel>
  );
}

function ExportRow({ projectId, one }: { projectId: string; one: ListExport }) {
  const name = useFilterText(projectId, one.filters);
  const remove = useDeleteListExport(projectId);
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => download('customers.csv', await exportFile(projectId, one.id)),
    onError: (error) =>
      toast({ tone: 'bad', title: 'The file was not downloaded', description: asCallError(error).message }),
  });
  const isRunning = one.state === 'running';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-sm text-muted">
          Started <Time ms={one.created_at} />
        </span>
      </span>
      <span className="flex min-w-0 items-center gap-3 text-sm tabular-nums">
        {isRunning && (
          <span className="w-24">
            <Progress label={name} value={one.written_rows} max={one.total_rows ?? undefined} />
          </span>
        )}
        <ExportState one={one} />
      </span>
      <span className="flex gap-2">
        {one.state === 'ready' && (
          <Button size="sm" icon="download" busy={save.isPending} onClick={() => save.mutate()}>
            Download file
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          busy={remove.isPending}
          aria-label={`${isRunning ? 'Cancel' : 'Delete'} download: ${name}`}
          onClick={() =>
            remove.mutate(one.id, {
              onError: ({ message }) =>
                toast({ tone: 'bad', title: 'The download was not deleted', description: message }),
            })
          }
        >
          {isRunning ? 'Cancel' : 'Delete'}
        </Button>
      </span>
    </li>
  );
}

function ExportState({ one }: { one: ListExport }) {
  if (one.state === 'failed')
    return <span className="text-bad">{one.failure === null ? 'Failed' : failures[one.failure]}</span>;
  if (one.state === 'ready')
    return (
      <span className="text-muted">
        <Num value={one.written_rows} /> {one.written_rows === 1 ? 'customer' : 'customers'}
      </span>
    );
  return (
    <span className="text-muted">
      <Num value={one.written_rows} />
      {one.total_rows !== null && (
        <>
          {' of '}
          <Num value={one.total_rows} />
        </>
      )}
    </span>
  );
}

/** The filters in words. */
function useFilterText(projectId: string, given: ListExport['filters']): string {
  const { q, ...filters } = savedFilters(given);
  const catalog = useCatalogOptions(projectId, filters, '');
  const parts = filterNames.flatMap((filter) => {
    const value = filters[filter];
    if (value === undefined) return [];
    const shown = catalog(filter)?.find((option) => option.value === value)?.label ?? value;
    return [`${filterDefinitions[filter].label}: ${visibleText(shown)}`];
  });
  if (q !== undefined) parts.unshift(`Search: ${visibleText(q)}`);
  if (given.environment === 'sandbox') parts.push('Sandbox');
  return parts.length === 0 ? 'All customers' : parts.join(', ');
}
