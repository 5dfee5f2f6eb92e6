import {
  type Charge,
  planRestatement,
  type PurchaseReport,
  type ReportContext,
  type ReportIds,
  type ReportPlan,
} from '../../../libs/external-reports/index.js';

/** The key of the next restatement of a report. */
export function restatementKey(reportId: string, reports: readonly PurchaseReport[]): string {
  const prefix = `restate:${reportId}:`;
  return prefix + reports.filter(({ sourceKey }) => sourceKey.startsWith(prefix)).length;
}

/**
 * Plans the correction of a reported charge whose tax was unknown or an estimate, and which the invoice names now. Null
 * if there is nothing to correct.
 */
export function planKnownTax(
  { sourceKey, taxMicros }: Charge,
  reports: readonly PurchaseReport[],
  context: ReportContext,
  ids: ReportIds,
): ReportPlan | null {
  const report = reports.find((one) => one.sourceKey === sourceKey);
  const lineItemId = report?.items[0]?.lineItemId;
  if (taxMicros === null || !report || lineItemId === undefined) return null;
  const line = reports.flatMap(({ items }) => items).findLast((item) => item.lineItemId === lineItemId);
  if (!line || line.refundOf !== null || (line.taxMicros !== null && !line.isTaxEstimated)) return null;
  const named = { lineItemId, change: { taxMicros }, sourceKey: restatementKey(report.id, reports) };
  return planRestatement(named, reports, context, ids);
}
