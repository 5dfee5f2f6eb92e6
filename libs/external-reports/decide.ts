import { alpha3Country } from '../kernel/index.js';
import { milliAmounts, milliRest, reportingOf, withinRest } from './amounts.js';
import { appleReport } from './apple-report.js';
import { googleReport, needsExternalToken, needsState } from './google-report.js';
import { currentItems, refundsOf, remainderOf } from './history.js';
import type { PurchaseReport, ReportContext, ReportItem, ReportState } from './model.js';
import { chargeTax, refundTax } from './tax.js';

type Draft = Omit<PurchaseReport, 'body'>;

interface Obstacle {
  state: ReportState;
  reason: string;
}

/** A refund that returns the rest of a charge returns the rest of the rounded amounts as well. */
function milliOf(
  item: ReportItem,
  charge: ReportItem | null,
  earlier: readonly ReportItem[],
): ReportItem['milli'] {
  const own = milliAmounts(item);
  if (charge === null || own === null) return own;
  const others = refundsOf(earlier, charge.lineItemId).filter(
    ({ lineItemId }) => lineItemId !== item.lineItemId,
  );
  const rest = milliRest(charge, others);
  if (rest === null) return null;
  return item.amountMicros === remainderOf(charge, others).amountMicros ? rest : withinRest(own, rest);
}

/** Adds tax and reporting currency, as far as they are known. */
function completed(item: ReportItem, earlier: readonly ReportItem[], context: ReportContext): ReportItem {
  const charge = earlier.find(({ lineItemId }) => lineItemId === item.refundOf) ?? null;
  const { currency } = item;
  // A refund and a restatement use the rate of the charge.
  const reporting =
    (charge ?? item).reporting ?? (currency === null ? null : reportingOf(currency, item.atMs, context));
  const known = {
    ...item,
    ...(charge ? refundTax(item, charge, earlier) : chargeTax(item, context)),
    reporting: reporting?.rate ? reporting : null,
  };
  // Taking a refund back repeats its amounts.
  const milli = item.isWithdrawn && item.milli !== null ? item.milli : milliOf(known, charge, earlier);
  return { ...known, milli };
}

/** `items` are the current lines, with this report. */
function netMicrosOf(item: ReportItem, items: readonly ReportItem[]): number | null {
  const charge = items.find(({ lineItemId }) => lineItemId === (item.refundOf ?? item.lineItemId));
  if (!charge || charge.amountMicros === null || item.amountMicros === null) return null;
  const refunds = item.refundOf === null ? [] : refundsOf(items, charge.lineItemId);
  const { amountMicros, taxMicros } = remainderOf(charge, refunds);
  return taxMicros === null ? null : amountMicros - taxMicros;
}

function completedItems(
  items: readonly ReportItem[],
  known: readonly ReportItem[],
  context: ReportContext,
): ReportItem[] {
  const ids = new Set(items.map(({ lineItemId }) => lineItemId));
  const current = known.filter(({ lineItemId }) => !ids.has(lineItemId));
  const all = [...current];
  for (const item of items) all.push(completed(item, all, context));
  const final = currentItems([{ items: [...known] }, { items: all.slice(current.length) }]);
  return all.slice(current.length).map((item) => ({ ...item, netMicros: netMicrosOf(item, final) }));
}

/** Google accepts one series of charges for each token. */
function isTokenUsed(tokenId: string, earlier: readonly PurchaseReport[]): boolean {
  return earlier.some((report) => report.tokenId === tokenId && report.items.some(needsExternalToken));
}

/** The token that started the series of a charge, or of the charge that a refund returns. */
function seriesToken([item]: readonly ReportItem[], earlier: readonly PurchaseReport[]): string | null {
  if (!item || needsExternalToken(item)) return null;
  const start = item.series ?? item.refundOf;
  const found = earlier.find(({ items }) => items.some(({ lineItemId }) => lineItemId === start));
  return found?.tokenId ?? null;
}

function missingToken(
  items: readonly ReportItem[],
  earlier: readonly PurchaseReport[],
  { store, token, isTokenTaken }: ReportContext,
): string | null {
  if (store === 'apple') return token?.externalPurchaseId ? null : 'The purchase has no token of Apple.';
  if (!items.some(needsExternalToken)) return null;
  if (token === null) return 'The purchase has no token of Google.';
  if (isTokenTaken) return 'Google wants a token of its own for each purchase.';
  return isTokenUsed(token.id, earlier)
    ? 'Google wants a new token after a change of the product or a new start.'
    : null;
}

function impossibleAtGoogle(items: readonly ReportItem[]): string | null {
  if (items.some(({ isRestatement }) => isRestatement)) return 'Google accepts no corrections.';
  return items.length > 1 ? 'Google accepts a refund of one transaction at a time.' : null;
}

function missingData(item: ReportItem, { store }: ReportContext): string | null {
  if (item.amountMicros === null || item.currency === null) return 'The amount is unknown.';
  if (alpha3Country(item.country) === null) return 'The billing country is unknown.';
  const hasState = item.region !== null && item.region !== '';
  if (store === 'google' && needsState(item) && !hasState) return 'Google requires the state of India.';
  return null;
}

function obstacleOf(
  draft: Draft,
  earlier: readonly PurchaseReport[],
  context: ReportContext,
): Obstacle | null {
  const { items, reason } = draft;
  if (draft.state === 'manual') return { state: 'manual', reason: reason ?? '' };
  const impossible = context.store === 'google' ? impossibleAtGoogle(items) : null;
  if (impossible !== null) return { state: 'manual', reason: impossible };
  for (const item of items) {
    const missing = missingData(item, context);
    if (missing !== null) return { state: 'needs_data', reason: missing };
  }
  if (items.some(({ taxMicros }) => taxMicros === null)) {
    const { country = null } = items.find(({ taxMicros }) => taxMicros === null) ?? {};
    return { state: 'needs_tax', reason: `The tax is unknown, and no rate is set for ${country ?? 'it'}.` };
  }
  const token = missingToken(items, earlier, context);
  if (token !== null) return { state: 'needs_token', reason: token };
  if (context.store === 'apple' && items.some(({ reporting }) => reporting === null)) {
    return { state: 'needs_data', reason: 'No exchange rate to the reporting currency is known.' };
  }
  return null;
}

/** Completes a draft: what it still needs, else the body to send. `earlier` are all reports before it. */
export function decide(
  draft: Draft,
  earlier: readonly PurchaseReport[],
  context: ReportContext,
): PurchaseReport {
  const known = currentItems(earlier);
  const items = completedItems(draft.items, known, context);
  const ofSeries = context.store === 'google' ? seriesToken(items, earlier) : null;
  const tokenId = draft.tokenId ?? ofSeries ?? context.token?.id ?? null;
  const report: Draft = { ...draft, items, tokenId };
  const obstacle = obstacleOf(report, earlier, context);
  if (obstacle) {
    const isWaiting = obstacle.state === 'needs_token';
    return { ...report, ...obstacle, tokenId: isWaiting ? null : tokenId, body: null };
  }
  const body =
    context.store === 'apple'
      ? appleReport(report, context.token?.externalPurchaseId ?? '', known)
      : googleReport(report, known, context);
  if (body === null)
    return { ...report, state: 'needs_data', reason: 'The refunded charge is unknown.', body };
  return { ...report, state: 'due', reason: null, body };
}
