import { currentItems, refundsOf, remainderOf } from './history.js';
import type { Charge, PurchaseReport, ReportIds, ReportItem } from './model.js';

interface Lines {
  items: ReportItem[];
  manual?: string;
}

/** The refunded charge first, then those that were paid together with it. */
function refundable(charge: Charge, items: readonly ReportItem[]): ReportItem[] {
  const charges = items.filter(({ refundOf, amountMicros }) => refundOf === null && (amountMicros ?? 0) >= 0);
  const own = charges.filter(({ periodKey }) => periodKey === charge.periodKey);
  const ids = new Set([charge.transactionId, ...own.map(({ transactionId }) => transactionId)]);
  const together = charges.filter(({ transactionId }) => transactionId !== null && ids.has(transactionId));
  return [...new Set([...own, ...together])].filter(({ currency }) => currency === charge.currency);
}

function refundItem(
  charge: Charge,
  of: ReportItem,
  amountMicros: number | null,
  lineItemId: string,
): ReportItem {
  return {
    ...of,
    lineItemId,
    event: 'refund',
    periodKey: charge.periodKey,
    refundOf: of.lineItemId,
    atMs: charge.atMs,
    amountMicros,
    taxMicros: null,
    netMicros: null,
    milli: null,
    isRestatement: false,
    isWithdrawn: false,
  };
}

/** Usually one line: a refund of everything that was paid together has one for each charge. */
export function refundItems(
  charge: Charge,
  reports: readonly PurchaseReport[],
  { reportId }: ReportIds,
): Lines {
  const items = currentItems(reports);
  const candidates = refundable(charge, items);
  const [first] = candidates;
  if (!first) return { items: [], manual: 'The refunded charge was not reported.' };
  if (charge.amountMicros === null) return { items: [refundItem(charge, first, null, reportId)] };
  let left = -charge.amountMicros;
  const lines: ReportItem[] = [];
  for (const candidate of candidates) {
    const rest = remainderOf(candidate, refundsOf(items, candidate.lineItemId)).amountMicros;
    const returned = Math.min(rest, left);
    if (returned <= 0) continue;
    const lineItemId = lines.length === 0 ? reportId : `${reportId}_${lines.length + 1}`;
    lines.push(refundItem(charge, candidate, returned, lineItemId));
    left -= returned;
  }
  if (left > 0 || lines.length === 0) {
    const whole = refundItem(charge, first, -charge.amountMicros, reportId);
    return { items: [whole], manual: 'The refund returns more than was reported as paid.' };
  }
  return { items: lines };
}

/** Withdraws the newest refunds of a charge, or lowers one of them. */
export function reversalItems(charge: Charge, reports: readonly PurchaseReport[]): Lines {
  const standing = currentItems(reports).filter(
    ({ refundOf, isWithdrawn, periodKey }) =>
      refundOf !== null && !isWithdrawn && periodKey === charge.periodKey,
  );
  let left = charge.amountMicros ?? standing.at(-1)?.amountMicros ?? 0;
  const lines: ReportItem[] = [];
  for (const refund of standing.reverse()) {
    if (left <= 0) break;
    const amountMicros = refund.amountMicros ?? left;
    const isWithdrawn = amountMicros <= left;
    const next = isWithdrawn ? { amountMicros } : { amountMicros: amountMicros - left, taxMicros: null };
    lines.push({ ...refund, ...next, isRestatement: true, isWithdrawn });
    left -= Math.min(left, amountMicros);
  }
  const manual = left > 0 || lines.length === 0 ? 'The reversed refund was not reported.' : undefined;
  return { items: lines, ...(manual !== undefined && { manual }) };
}
