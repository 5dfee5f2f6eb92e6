import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../ui/button.js';
import { downloadCsv } from '../../ui/format/download.js';
import { type ListedCustomer, type Summary, summariesQuery } from '../customers.queries.js';
import { text } from '../customers.text.js';
import { summaryChunks } from './summary-chunks.js';

const { columns, ...words } = text.list;
const route = getRouteApi('/signed-in/projects/$projectId/customers');

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Saves the visible rows as CSV; times are UTC. */
export function ExportRowsButton({ customers }: { customers: readonly ListedCustomer[] }) {
  const { projectId } = route.useParams();
  const queries = useQueryClient();
  const save = () => {
    const ids = customers.map(({ id }) => id);
    const summaries = new Map<string, Summary>(
      summaryChunks(ids)
        .flatMap((chunk) => queries.getQueryData(summariesQuery(projectId, chunk).queryKey)?.items ?? [])
        .map((summary) => [summary.id, summary]),
    );
    const rows = customers.map((customer) => {
      const summary = summaries.get(customer.id);
      return [
        customer.id,
        summary?.active_entitlements.map(({ lookup_key: key }) => key).join(' '),
        summary?.total_revenue_in_usd,
        customer.last_seen_country,
        customer.last_seen_platform,
        customer.last_seen_app_version,
        iso(customer.first_seen_at),
        iso(customer.last_seen_at),
      ];
    });
    const header = [
      columns.id,
      columns.access,
      `${columns.spent} (USD)`,
      columns.country,
      columns.platform,
      columns.version,
      `${columns.firstSeen} (UTC)`,
      `${columns.lastSeen} (UTC)`,
    ];
    downloadCsv('customers.csv', header, rows);
  };
  if (customers.length === 0) return null;
  return (
    <Button icon="download" onClick={save}>
      {words.exportRows}
    </Button>
  );
}
