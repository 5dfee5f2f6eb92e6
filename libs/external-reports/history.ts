import type { PurchaseReport, ReportItem } from './model.js';

const DAY_MS = 86_400_000;

/** The newest version of each line, in the order of their first reports. */
export function currentItems(reports: readonly Pick<PurchaseReport, 'items'>[]): ReportItem[] {
  const items = new Map<string, ReportItem>();
  for (const report of reports) for (const item of report.items) items.set(item.lineItemId, item);
  return [...items.values()];
}

/** Refunds of a charge that were not withdrawn, oldest first. */
export function refundsOf(items: readonly ReportItem[], lineItemId: string): ReportItem[] {
  return items.filter(({ refundOf, isWithdrawn }) => refundOf === lineItemId && !isWithdrawn);
}

export interface Remainder {
  amountMicros: number;
  /** Null if the tax of the charge or of a refund is unknown. */
  taxMicros: number | null;
}

/** Remainder of a charge after its refunds. Refunds of unknown amount count as zero. */
export function remainderOf(
  charge: Pick<ReportItem, 'amountMicros' | 'taxMicros'>,
  refunds: readonly ReportItem[],
): Remainder {
  const total = (values: readonly (number | null)[]): number =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const taxes = refunds.map(({ taxMicros }) => taxMicros);
  const isTaxKnown = charge.taxMicros !== null && !taxes.includes(null);
  return {
    amountMicros: (charge.amountMicros ?? 0) - total(refunds.map(({ amountMicros }) => amountMicros)),
    taxMicros: isTaxKnown ? (charge.taxMicros ?? 0) - total(taxes) : null,
  };
}

/** The reports before one of them; all if it is not among them. */
export function reportsBefore(reports: readonly PurchaseReport[], id: string): readonly PurchaseReport[] {
  const index = reports.findIndex((report) => report.id === id);
  return index < 0 ? reports : reports.slice(0, index);
}

/** The period that runs at a time, by the newest charge that named one. */
export function periodAt(items: readonly ReportItem[], atMs: number): ReportItem['period'] {
  return items.findLast(({ period }) => period !== null && period.startMs <= atMs)?.period ?? null;
}

/** Whole days that were paid for before a time. A period counts once, and trials do not count. */
export function paidDays(items: readonly ReportItem[], series: string, untilMs: number): number {
  const ends = new Map<number, number>();
  for (const item of items) {
    const { period, amountMicros } = item;
    if (item.series !== series || item.refundOf !== null || item.isTrial || (amountMicros ?? 0) <= 0)
      continue;
    if (period !== null) ends.set(period.startMs, Math.min(period.endMs ?? untilMs, untilMs));
  }
  const totalMs = [...ends].reduce((sum, [startMs, endMs]) => sum + Math.max(0, endMs - startMs), 0);
  return Math.round(totalMs / DAY_MS);
}
