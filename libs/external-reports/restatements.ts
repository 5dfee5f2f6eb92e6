import { shareOf } from './amounts.js';
import { decide } from './decide.js';
import { needsExternalToken } from './google-report.js';
import { currentItems, refundsOf, remainderOf, reportsBefore } from './history.js';
import type { Charge, PurchaseReport, ReportContext, ReportIds, ReportItem, ReportPlan } from './model.js';
import { chargeTax, refundTax } from './tax.js';

/** New values of a line. A refund's tax follows from the refunded charge. */
export interface LineChange {
  amountMicros?: number;
  taxMicros?: number;
  country?: string;
  region?: string;
}

interface Lines {
  items: ReportItem[];
  manual?: string;
}

function changed(item: ReportItem, change: LineChange): ReportItem {
  const amountMicros = change.amountMicros ?? item.amountMicros;
  const isInvoiced = item.taxMicros !== null && !item.isTaxEstimated && item.amountMicros;
  const taxMicros =
    change.taxMicros ??
    (isInvoiced && amountMicros !== null
      ? shareOf(item.taxMicros ?? 0, amountMicros, item.amountMicros ?? 0)
      : null);
  return {
    ...item,
    amountMicros,
    taxMicros,
    isTaxEstimated: false,
    country: change.country ?? item.country,
    region: change.region ?? item.region,
  };
}

function isSame(one: ReportItem, other: ReportItem): boolean {
  return (['amountMicros', 'taxMicros', 'currency', 'country', 'region'] as const).every(
    (field) => one[field] === other[field],
  );
}

/** The restated line, and its refunds if their tax changes with it. */
function restated(changedItem: ReportItem, items: readonly ReportItem[], context: ReportContext): Lines {
  const item = { ...changedItem, isRestatement: true };
  if (item.refundOf !== null) return { items: [item] };
  const refunds = refundsOf(items, item.lineItemId);
  const charge = { ...item, ...chargeTax(item, context) };
  const lines = [charge];
  const standing: ReportItem[] = [];
  for (const refund of refunds) {
    const restatedRefund = { ...refund, ...refundTax(refund, charge, standing), isRestatement: true };
    standing.push(restatedRefund);
    if (restatedRefund.taxMicros !== refund.taxMicros) lines.push(restatedRefund);
  }
  const isOverdrawn = remainderOf(charge, refunds).amountMicros < 0;
  return { items: lines, ...(isOverdrawn && { manual: 'More was refunded than the corrected amount.' }) };
}

/** A correction in the ledger changes the amount of a charge. The first known amount completes the charge's report. */
export function correctionItems(
  charge: Charge,
  reports: readonly PurchaseReport[],
  context: ReportContext,
): Lines {
  const items = currentItems(reports);
  const line = items.find(({ periodKey, refundOf }) => periodKey === charge.periodKey && refundOf === null);
  if (!line || charge.amountMicros === null) {
    return { items: [], manual: 'The corrected charge was not reported.' };
  }
  const { currency, taxMicros } = charge;
  if (line.amountMicros === null) {
    return { items: [{ ...line, amountMicros: charge.amountMicros, currency, taxMicros }] };
  }
  const isMoved = line.currency !== currency;
  const amountMicros = line.amountMicros + charge.amountMicros;
  const tax = taxMicros === null ? {} : { taxMicros: (line.taxMicros ?? 0) + taxMicros };
  const next = {
    ...changed(line, { amountMicros, ...tax }),
    currency,
    // Only a charge without amount can move to another currency.
    ...(isMoved && { reporting: null }),
  };
  const { items: lines, manual } = restated(next, items, context);
  const isImpossible = amountMicros < 0 || (isMoved && line.amountMicros !== 0);
  const reason = isImpossible ? 'The ledger corrects more than was reported as paid.' : manual;
  return { items: lines, ...(reason !== undefined && { manual: reason }) };
}

/** Whether a store has not accepted the report, and none of the product's calls is about to send it. */
function canChange({ state }: PurchaseReport): boolean {
  return state.startsWith('needs_') || state === 'refused';
}

/**
 * Plans new values for a line: in its report if no store has accepted it, else as a restatement. Null if the line is
 * unknown or has these values, or if only a person can report it. `reports` are all of the purchase, oldest first.
 */
export function planRestatement(
  { lineItemId, change, sourceKey }: { lineItemId: string; change: LineChange; sourceKey: string },
  reports: readonly PurchaseReport[],
  context: ReportContext,
  ids: ReportIds,
): ReportPlan | null {
  const report = reports.findLast(({ items }) => items.some((item) => item.lineItemId === lineItemId));
  const line = report?.items.find((item) => item.lineItemId === lineItemId);
  if (!report || !line || report.state === 'manual') return null;
  const next = changed(line, change);
  if (canChange(report)) {
    const items = report.items.map((item) => (item === line ? next : item));
    const draft = { ...report, items, state: 'due' as const };
    return { report: decide(draft, reportsBefore(reports, report.id), context), isUpdate: true };
  }
  const { items, manual } = restated(next, currentItems(reports), context);
  const [first = next] = items;
  if (isSame(first, line)) return null;
  const draft = {
    id: ids.reportId,
    requestIdentifier: ids.requestIdentifier,
    sourceKey,
    event: 'restatement' as const,
    tokenId: report.tokenId,
    items,
    state: manual === undefined ? ('due' as const) : ('manual' as const),
    reason: manual ?? null,
  };
  return { report: decide(draft, reports, context), isUpdate: false };
}

/**
 * Decides again about a report that needed something: a tax rate, a token or an exchange rate may be known now.
 * `reports` are all of the purchase, oldest first.
 */
export function reconsider(
  report: PurchaseReport,
  reports: readonly PurchaseReport[],
  context: ReportContext,
): PurchaseReport {
  if (!report.state.startsWith('needs_')) return report;
  return decide({ ...report, state: 'due' }, reportsBefore(reports, report.id), context);
}

/**
 * Decides again about the reports of a purchase that is bound to another token now: those that waited for one, and those
 * of a token that the store refused. At Google, later charges of a series follow its start.
 */
export function withNewToken(
  reports: readonly PurchaseReport[],
  context: ReportContext,
  refusedTokenId: string | null,
): PurchaseReport[] {
  const decided: PurchaseReport[] = [];
  for (const report of reports) {
    const { state, tokenId, items } = report;
    const isRefused = tokenId !== null && tokenId === refusedTokenId;
    const follows = context.store === 'google' && !items.some(needsExternalToken);
    const isFinal = state === 'sent' || state === 'manual' || (state === 'refused' && !isRefused);
    const isAffected = !isFinal && (isRefused || follows || state === 'needs_token');
    decided.push(
      isAffected
        ? decide({ ...report, tokenId: null, state: 'due', reason: null }, decided, context)
        : report,
    );
  }
  return decided;
}
