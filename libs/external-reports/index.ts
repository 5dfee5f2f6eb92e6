export { crossRate } from './amounts.js';
export {
  type AppleLineItem,
  type AppleReport,
  type AppleReportStatus,
  appleTokenReport,
} from './apple-report.js';
export { planCharge } from './charges.js';
export {
  type ExternalTransaction,
  type ExternalTransactionRefund,
  type GoogleReport,
  withExternalToken,
} from './google-report.js';
export type {
  Charge,
  PurchaseReport,
  ReportContext,
  ReportEvent,
  ReportIds,
  ReportItem,
  ReportPlan,
  ReportState,
  ReportStore,
  ReportToken,
} from './model.js';
export { type LineChange, planRestatement, reconsider, withNewToken } from './restatements.js';
