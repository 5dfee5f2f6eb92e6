import { lastDayOf, windows } from '../definitions/windows.js';
import type { Dims } from './dims.js';
import type { ChartPeriod } from './periods.js';
import { isRefundedInFull } from './refunds.js';
import type { ChartLedgerRow } from './source.model.js';

const DAY_MS = 86_400_000;
export const dayStart = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** What a customer bought of one kind, by the windows after the cohort day. */
export interface PayerRow {
  dimsId: string;
  /** Bit w: a trial or payment counts in window w. */
  converts: number;
  /** Bit w: a payment counts in window w. */
  pays: number;
  /** By window, in micros. */
  revenue: number[];
}

export interface BuyerRow {
  firstConversionDayMs: number;
  firstPayingDayMs: number | null;
}

/** Whether something of a day is in a window; days before the cohort day have age 0. */
function inWindow(index: number, cohortDayMs: number): (atMs: number) => boolean {
  const window = windows[index];
  const lastMs = window ? lastDayOf(window, cohortDayMs) : null;
  return (atMs) => lastMs === null || Math.max(dayStart(atMs), cohortDayMs) <= lastMs;
}

function isTrialStart({ opening }: ChartPeriod): boolean {
  return opening.kind === 'trial_start';
}

function add(row: PayerRow, period: ChartPeriod, cohortDayMs: number): void {
  windows.forEach((_, index) => {
    const counts = inWindow(index, cohortDayMs);
    const of = (ledgerRow: ChartLedgerRow): boolean => counts(ledgerRow.purchasedAtMs);
    const began = counts(period.opening.purchasedAtMs);
    const pays = began && period.isPaidTransaction && !isRefundedInFull(period, of);
    if (pays) row.pays |= 1 << index;
    if (pays || (began && isTrialStart(period))) row.converts |= 1 << index;
    for (const ledgerRow of period.rows.filter(of)) {
      row.revenue[index] = (row.revenue[index] ?? 0) + (ledgerRow.usdMicros ?? 0);
    }
  });
}

export function payerRows(
  periods: ChartPeriod[],
  dims: ReadonlyMap<ChartPeriod, { sale: Dims }>,
  cohortDayMs: number,
): PayerRow[] {
  const rows = new Map<string, PayerRow>();
  for (const period of periods) {
    const dimsId = dims.get(period)?.sale.id ?? '';
    const row = rows.get(dimsId) ?? { dimsId, converts: 0, pays: 0, revenue: windows.map(() => 0) };
    rows.set(dimsId, row);
    add(row, period, cohortDayMs);
  }
  return [...rows.values()];
}

/** Null for who neither bought nor tried anything. */
export function buyerRow(periods: ChartPeriod[]): BuyerRow | null {
  const times = (list: ChartPeriod[]): number[] => list.map(({ opening }) => opening.purchasedAtMs);
  const converting = periods.filter((period) => period.isPaidTransaction || isTrialStart(period));
  if (converting.length === 0) return null;
  const paying = converting.filter(
    (period) => period.isPaidTransaction && !isRefundedInFull(period, () => true),
  );
  return {
    firstConversionDayMs: dayStart(Math.min(...times(converting))),
    firstPayingDayMs: paying.length === 0 ? null : dayStart(Math.min(...times(paying))),
  };
}
