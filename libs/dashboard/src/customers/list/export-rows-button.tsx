import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../ui/button.js';
import { downloadCsv } from '../../ui/format/download.js';
import { type ListedCustomer, type Summary, summariesQuery } from '../customers.queries.js';
import { summaryChunks } from './summary-chunks.js';

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
      'App user id',
      'Access',
      `Total spent (USD)`,
      'Country',
      'Platform',
      'App version',
      `First seen (UTC)`,
      `Last seen (UTC)`,
    ];
    downloadCsv('customers.csv', header, rows);
  };
  if (customers.length === 0) return null;
  return (
    <Button icon="download" onClick={save}>
      Export shown rows
    </Button>
  );
}
