import type { ChartLedgerRow } from './source.model.js';
import type { ChartPeriod } from './periods.js';

/** Returns the refunded or reversed amount in its currency; 1 if the store does not report it. */
function returned({ amountMicros }: ChartLedgerRow): number {
  return amountMicros === null ? 1 : -amountMicros;
}

export const isRefundRow = ({ kind }: ChartLedgerRow): boolean =>
  kind === 'refund' || kind === 'refund_reversal';

function inOrder(rows: ChartLedgerRow[]): ChartLedgerRow[] {
  return rows.filter(isRefundRow).sort((a, b) => a.purchasedAtMs - b.purchasedAtMs);
}

const noTurns: ReadonlyMap<ChartLedgerRow, 1 | -1> = new Map();

/** Maps refund rows that make a payment refunded (1) or paid again (-1). */
export function refundTurns(period: ChartPeriod): ReadonlyMap<ChartLedgerRow, 1 | -1> {
  if (!period.rows.some(isRefundRow)) return noTurns;
  const turns = new Map<ChartLedgerRow, 1 | -1>();
  let outstanding = 0;
  for (const row of inOrder(period.rows)) {
    const was = outstanding > 0;
    outstanding += row.kind === 'refund_reversal' && row.amountMicros === null ? -1 : returned(row);
    const is = outstanding > 0;
    if (is !== was) turns.set(row, is ? 1 : -1);
  }
  return turns;
}

export function isRefunded(period: ChartPeriod): boolean {
  const turns = refundTurns(period);
  return turns.size > 0 && [...turns.values()].reduce((sum, turn) => sum + turn, 0) > 0;
}

/** Whether the rows return the full price. */
export function isRefundedInFull(period: ChartPeriod, counts: (row: ChartLedgerRow) => boolean): boolean {
  const rows = period.rows.filter((row) => isRefundRow(row) && counts(row));
  if (rows.length === 0) return false;
  const back = rows.reduce(
    (sum, row) => sum + (row.kind === 'refund_reversal' && row.amountMicros === null ? -1 : returned(row)),
    0,
  );
  // A refund also includes charges in addition to the price.
  const beside = period.rows.reduce(
    (sum, { kind, amountMicros }) => sum + (kind === 'proration' ? (amountMicros ?? 0) : 0),
    period.priceMicros,
  );
  return back > 0 && (back >= beside || rows.some(({ amountMicros }) => amountMicros === null));
}
