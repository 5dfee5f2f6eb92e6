import { csvLine } from '../../platform/http/lists/csv.js';
import type { ReportRow } from './external-purchase-reports.repository.js';

type Line = ReportRow['items'][number];

export const REPORT_COLUMNS = [
  'report_id',
  'store',
  'app_id',
  'environment',
  'token_id',
  'subscription_id',
  'event',
  'created_at',
  'product',
  'currency',
  'amount_with_tax',
  'amount_without_tax',
  'tax',
  'net',
  'tax_country',
  'state',
  'sent_at',
];

const MICROS = 1_000_000;

function major(micros: number | null): number | null {
  return micros === null ? null : micros / MICROS;
}

/** Refunds are negative, so that the lines of a month can be compared with the ledger. */
function amounts({ amountMicros, taxMicros, refundOf, isWithdrawn }: Line): (number | null)[] {
  const sign = isWithdrawn ? 0 : refundOf === null ? 1 : -1;
  const withoutTax = amountMicros === null || taxMicros === null ? null : amountMicros - taxMicros;
  // Adding 0 turns -0 into 0.
  return [amountMicros, withoutTax, taxMicros].map((micros) =>
    micros === null ? null : sign * (micros / MICROS) + 0,
  );
}

/** One line for each line of a report; a report about a token has no amounts. */
export function* reportLines(report: ReportRow): Generator<string> {
  const { id, store, appId, environment, tokenId, purchaseKey, event, createdAt, state, sentAt } = report;
  const purchase = event === 'token' ? null : purchaseKey;
  const head = [id, store, appId, environment, tokenId, purchase, event, createdAt.toISOString()];
  const tail = [state, sentAt?.toISOString()];
  if (report.items.length === 0) yield csvLine([...head, ...Array<null>(7).fill(null), ...tail]);
  for (const line of report.items) {
    const money = [line.currency, ...amounts(line), major(line.netMicros), line.country];
    yield csvLine([...head, line.productId, ...money, ...tail]);
  }
}
