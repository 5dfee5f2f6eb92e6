import { saveListAsCsv } from '../frame/jobs/list-csv.js';
import { isoTime } from '../ui/format/csv.js';
import { downloadCsv } from '../ui/format/download.js';
import { type OutsideToken, type ReportedMonth, tokensPage } from './store-reports.queries.js';

export function saveMonths(months: readonly ReportedMonth[]): void {
  downloadCsv(
    'store-report-months.csv',
    ['month', 'store', 'currency', 'reported', 'in_ledger', 'difference'],
    months.map((row) => [row.month, row.store, row.currency, row.reported, row.in_ledger, row.difference]),
  );
}

/** Saves all tokens, with times in UTC. */
export function saveTokens(projectId: string): void {
  saveListAsCsv<OutsideToken>({
    name: 'outside-purchase-tokens',
    header: [
      'id',
      'customer_id',
      'app_id',
      'store',
      'kind',
      'environment',
      'state',
      'purchases',
      'created_at',
    ],
    row: (token) => [
      token.id,
      token.customer_id,
      token.app_id,
      token.store,
      token.kind,
      token.environment,
      token.state,
      token.bindings.length,
      isoTime(token.created_at),
    ],
    page: tokensPage(projectId),
  });
}
