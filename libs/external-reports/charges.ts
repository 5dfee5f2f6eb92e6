import { decide } from './decide.js';
import { currentItems, paidDays, periodAt, reportsBefore } from './history.js';
import type {
  BuyEvent,
  Charge,
  PurchaseReport,
  ReportContext,
  ReportEvent,
  ReportIds,
  ReportItem,
  ReportPlan,
} from './model.js';
import { correctionItems } from './restatements.js';
import { refundItems, reversalItems } from './returns.js';

/** Sandbox purchases are reported to Apple's sandbox only; other combinations are not reported at all. */
function isReported({ store, environment, token }: ReportContext): boolean {
  if (store === 'google') return environment === 'production';
  return token === null ? environment === 'production' : token.environment === environment;
}

function eventOf({ kind, productId }: Charge, last: ReportItem | undefined): BuyEvent {
  if (kind === 'one_time') return 'one_time';
  if (!last || kind === 'purchase' || kind === 'trial_start') return 'start';
  if (last.productId !== productId) return 'change';
  return kind === 'renewal' ? 'renewal' : 'payment';
}

function chargeItem(
  charge: Charge,
  reports: readonly PurchaseReport[],
  { store }: ReportContext,
  { reportId }: ReportIds,
): ReportItem {
  const items = currentItems(reports);
  const last = items.findLast(({ series, refundOf }) => series !== null && refundOf === null);
  const event = eventOf(charge, last);
  // Google starts a new series with another product, Apple with another start.
  const startsSeries = event === 'start' || (event === 'change' && store === 'google');
  const series = event === 'one_time' ? null : startsSeries ? reportId : (last?.series ?? reportId);
  const { atMs, period } = charge;
  const daysAtMs = event === 'renewal' ? (period?.startMs ?? atMs) : atMs;
  return {
    lineItemId: reportId,
    event,
    periodKey: charge.periodKey,
    transactionId: charge.transactionId,
    series,
    refundOf: null,
    atMs,
    productId: charge.productId,
    quantity: charge.quantity,
    amountMicros: charge.amountMicros,
    taxMicros: charge.taxMicros,
    isTaxEstimated: false,
    netMicros: null,
    currency: charge.currency,
    country: charge.country,
    region:
      charge.region ??
      items.findLast(({ region, country }) => region && country === charge.country)?.region ??
      null,
    period: event === 'one_time' ? null : (period ?? periodAt(items, atMs)),
    isTrial: charge.kind === 'trial_start',
    paidDays: series === null || startsSeries ? 0 : paidDays(items, series, daysAtMs),
    reporting: null,
    milli: null,
    isRestatement: false,
    isWithdrawn: false,
  };
}

interface Lines {
  event: ReportEvent;
  items: ReportItem[];
  /** Explains why only a person can report it. */
  manual?: string;
}

function linesOf(
  charge: Charge,
  reports: readonly PurchaseReport[],
  context: ReportContext,
  ids: ReportIds,
): Lines {
  if (charge.kind === 'refund') return { event: 'refund', ...refundItems(charge, reports, ids) };
  if (charge.kind === 'refund_reversal')
    return { event: 'refund_reversal', ...reversalItems(charge, reports) };
  if (charge.kind === 'correction')
    return { event: 'restatement', ...correctionItems(charge, reports, context) };
  const item = chargeItem(charge, reports, context, ids);
  const isCredit = (item.amountMicros ?? 0) < 0;
  return { event: item.event, items: [item], ...(isCredit && { manual: 'Stores accept no credits.' }) };
}

/** Plans the report about a ledger row. Null if the row is not reported. `reports` are all earlier ones, oldest first. */
export function planCharge(
  charge: Charge,
  reports: readonly PurchaseReport[],
  context: ReportContext,
  ids: ReportIds,
): ReportPlan | null {
  if (charge.rebooks === true || !isReported(context)) return null;
  const { event, items, manual } = linesOf(charge, reports, context, ids);
  const [item] = items;
  const unsent = charge.kind === 'correction' && item && !item.isRestatement;
  const replaced = unsent ? reports.find((report) => report.id === item.lineItemId) : undefined;
  if (replaced) {
    return {
      report: decide({ ...replaced, items }, reportsBefore(reports, replaced.id), context),
      isUpdate: true,
    };
  }
  const draft = {
    id: ids.reportId,
    requestIdentifier: ids.requestIdentifier,
    sourceKey: charge.sourceKey,
    event,
    tokenId: null,
    items,
    state: manual === undefined ? ('due' as const) : ('manual' as const),
    reason: manual ?? null,
  };
  return { report: decide(draft, reports, context), isUpdate: false };
}
