import { lastDayOf, windows } from '../definitions/windows.js';
import type { Dims } from './dims.js';
import type { ChartPeriod } from './periods.js';
import { isRefundedInFull, isRefundRow } from './refunds.js';
import type { ChartLedgerRow } from './source.model.js';

const DAY_MS = 86_400_000;
export const dayStart = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** A customer's purchases of one kind, by window after the cohort day. */
export interface PayerRow {
  dimsId: string;
  /** Bit w is set if a trial or payment counts in window w. */
  converts: number;
  /** Bit w is set if a payment counts in window w. */
  pays: number;
  /** Micros by window. */
  revenue: number[];
}

export interface BuyerRow {
  firstConversionDayMs: number;
  firstPayingDayMs: number | null;
}

/** Returns a function that maps a time to its windows, as bits. Days before the cohort day have age 0. */
export function windowsSince(cohortDayMs: number): (atMs: number) => number {
  const lastDays = windows.map((window) => lastDayOf(window, cohortDayMs) ?? Infinity);
  const known = new Map<number, number>();
  return (atMs) => {
    const dayMs = Math.max(dayStart(atMs), cohortDayMs);
    let bits = known.get(dayMs);
    if (bits === undefined) {
      bits = lastDays.reduce((sum, lastMs, index) => (dayMs <= lastMs ? sum | (1 << index) : sum), 0);
      known.set(dayMs, bits);
    }
    return bits;
  };
}

function isTrialStart({ opening, rows }: ChartPeriod): boolean {
  return opening.kind === 'trial_start' && rows.length > 0;
}

function add(row: PayerRow, period: ChartPeriod, windowsOf: (atMs: number) => number): void {
  const began = windowsOf(period.opening.purchasedAtMs);
  const paid = period.isPaidTransaction ? began & ~refundedWindows(period, windowsOf) : 0;
  row.pays |= paid;
  row.converts |= isTrialStart(period) ? began : paid;
  for (const { purchasedAtMs, usdMicros } of period.rows) {
    if (!usdMicros) continue;
    const bits = windowsOf(purchasedAtMs);
    for (let index = 0; index < windows.length; index++) {
      if (bits & (1 << index)) row.revenue[index] = (row.revenue[index] ?? 0) + usdMicros;
    }
  }
}

/** Returns the windows whose refunds return the full price, as bits. */
function refundedWindows(period: ChartPeriod, windowsOf: (atMs: number) => number): number {
  if (!period.rows.some(isRefundRow)) return 0;
  return windows.reduce((bits, _, index) => {
    const counts = (row: ChartLedgerRow): boolean => (windowsOf(row.purchasedAtMs) & (1 << index)) !== 0;
    return isRefundedInFull(period, counts) ? bits | (1 << index) : bits;
  }, 0);
}

export function payerRows(
  periods: ChartPeriod[],
  dims: ReadonlyMap<ChartPeriod, { sale: Dims }>,
  cohortDayMs: number,
): PayerRow[] {
  const rows = new Map<string, PayerRow>();
  const windowsOf = windowsSince(cohortDayMs);
  for (const period of periods) {
    if (period.rows.length === 0) continue;
    const dimsId = dims.get(period)?.sale.id ?? '';
    const row = rows.get(dimsId) ?? { dimsId, converts: 0, pays: 0, revenue: windows.map(() => 0) };
    rows.set(dimsId, row);
    add(row, period, windowsOf);
  }
  return [...rows.values()];
}

/** Returns null for customers without a purchase or trial. */
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
