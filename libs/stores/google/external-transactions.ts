import { type GoogleReport, withExternalToken } from '../../external-reports/index.js';
import type { PlayApi } from './play-api.js';
import { CONFLICT, credentialsHelp, PlayCallFailed, refusesApp } from './play-errors.js';
import { type ReportOutcome, sent } from './report-outcome.js';

interface Money {
  priceMicros?: string;
  currency?: string;
}

/** A transaction as Google returns it. */
export interface ReportedTransaction {
  originalPreTaxAmount?: Money;
  originalTaxAmount?: Money;
  /** After refunds. */
  currentPreTaxAmount?: Money;
}

function outcomeOf(error: unknown): ReportOutcome {
  if (!(error instanceof PlayCallFailed)) throw error;
  const { failure, message, retryAfterMs } = error;
  if (refusesApp(error)) return { outcome: 'credentials', message: credentialsHelp(error) };
  const isBusy = failure === 'quota' || failure === 'unavailable';
  return isBusy ? { outcome: 'busy', message, retryAfterMs } : { outcome: 'refused', message };
}

function isSame(one: Money | undefined, other: Money): boolean {
  return one?.currency === other.currency && (one?.priceMicros ?? '0') === other.priceMicros;
}

function isApplied(report: GoogleReport, found: ReportedTransaction): boolean {
  if (report.call === 'refund') return isSame(found.currentPreTaxAmount, report.preTaxLeft);
  const { originalPreTaxAmount, originalTaxAmount } = report.body;
  return (
    isSame(found.originalPreTaxAmount, originalPreTaxAmount) &&
    isSame(found.originalTaxAmount, originalTaxAmount)
  );
}

/** Whether the store may have accepted the report before: ids of transactions and refunds are unique. */
function mayBeKnown(error: unknown, { outcome }: ReportOutcome): boolean {
  return outcome === 'refused' || (error instanceof PlayCallFailed && error.reason === CONFLICT);
}

/** Sends a report about an external transaction. `token` is null for reports without one. */
export async function sendGoogleReport(
  api: PlayApi,
  report: GoogleReport,
  token: string | null,
): Promise<ReportOutcome> {
  const { externalTransactionId: id } = report;
  try {
    if (report.call === 'refund') await api.refundExternalTransaction(id, report.body);
    else
      await api.createExternalTransaction(
        id,
        report.needsToken ? withExternalToken(report.body, token ?? '') : report.body,
      );
    return sent();
  } catch (error) {
    const outcome = outcomeOf(error);
    if (!mayBeKnown(error, outcome)) return outcome;
    return (await isKnown(api, report)) ? sent(true) : outcome;
  }
}

async function isKnown(api: PlayApi, report: GoogleReport): Promise<boolean> {
  try {
    return isApplied(report, await api.externalTransaction(report.externalTransactionId));
  } catch (error) {
    if (error instanceof PlayCallFailed) return false;
    throw error;
  }
}
