import type { ChartLedgerRow } from './source.model.js';
import type { ChartPeriod } from './periods.js';

export const isRefundRow = ({ kind }: Pick<ChartLedgerRow, 'kind'>): boolean =>
  kind === 'refund' || kind === 'refund_reversal';

/** Rows of one transaction have no order of their own, but refunds are numbered. */
function inOrder(rows: ChartLedgerRow[]): ChartLedgerRow[] {
  const refunds = rows.filter(({ kind }) => kind === 'refund').sort((a, b) => a.kindSeq - b.kindSeq);
  return rows.map((row) => (row.kind === 'refund' ? (refunds.shift() ?? row) : row));
}

/**
 * Returns what is refunded and not reversed, in the payment's currency. `unknown` is the number of refunds without an
 * amount. A store that reports the amount later reports the whole of it, so that row replaces the one without an amount.
 */
function refundedBy(rows: ChartLedgerRow[]): { micros: number; unknown: number } {
  let micros = 0;
  let unknown = 0;
  for (const { kind, amountMicros } of inOrder(rows)) {
    if (amountMicros === null) unknown += kind === 'refund' ? 1 : -1;
    else {
      micros -= amountMicros;
      if (kind === 'refund') unknown = Math.min(unknown, 0);
    }
  }
  return { micros, unknown };
}

function areRefunded(rows: ChartLedgerRow[]): boolean {
  const { micros, unknown } = refundedBy(rows);
  return micros + unknown > 0;
}

const noTransitions: ReadonlyMap<ChartLedgerRow, 1 | -1> = new Map();

/** Maps refund rows that make a payment refunded (1) or paid again (-1). */
export function refundTransitions(period: ChartPeriod): ReadonlyMap<ChartLedgerRow, 1 | -1> {
  const rows = period.rows.filter(isRefundRow);
  if (rows.length === 0) return noTransitions;
  const transitions = new Map<ChartLedgerRow, 1 | -1>();
  const soFar = new Set<ChartLedgerRow>();
  let wasRefunded = false;
  for (const row of rows.toSorted((a, b) => a.purchasedAtMs - b.purchasedAtMs)) {
    soFar.add(row);
    const isRefundedNow = areRefunded(rows.filter((one) => soFar.has(one)));
    if (isRefundedNow !== wasRefunded) transitions.set(row, isRefundedNow ? 1 : -1);
    wasRefunded = isRefundedNow;
  }
  return transitions;
}

export function isRefunded({ rows }: ChartPeriod): boolean {
  return areRefunded(rows.filter(isRefundRow));
}

/** Whether the rows return the full price. A refund without an amount counts as full. */
export function isRefundedInFull(period: ChartPeriod, counts: (row: ChartLedgerRow) => boolean): boolean {
  const rows = period.rows.filter((row) => isRefundRow(row) && counts(row));
  if (rows.length === 0) return false;
  const { micros, unknown } = refundedBy(rows);
  // A full refund also returns what was charged in addition to the price.
  const chargedMicros = period.rows
    .filter((row) => !isRefundRow(row))
    .reduce((sum, { amountMicros }) => sum + (amountMicros ?? 0), 0);
  return micros + unknown > 0 && (micros >= chargedMicros || unknown > 0);
}
