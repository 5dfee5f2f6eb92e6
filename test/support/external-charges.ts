import {
  type Charge,
  planCharge,
  type PurchaseReport,
  type ReportContext,
  type ReportIds,
} from '../../libs/external-reports/index.js';

export const MONTHS = Array.from({ length: 14 }, (_, index) => Date.UTC(2026, 10 + index, 1));

const month = (index: number): number => MONTHS[index] ?? 0;

/** EUR 12.10 with 21 % in Spain. */
export const monthly: Charge = {
  sourceKey: 'txn_1',
  kind: 'purchase',
  periodKey: 'in_1',
  transactionId: 'in_1',
  atMs: month(0),
  productId: 'pro_monthly',
  quantity: 1,
  amountMicros: 12_100_000,
  currency: 'EUR',
  taxMicros: 2_100_000,
  country: 'ES',
  region: null,
  period: { startMs: month(0), endMs: month(1) },
};

/** The charge of the month with that index, counted from November 2026. */
export function chargeOf(index: number, changes: Partial<Charge> = {}): Charge {
  const period = { startMs: month(index), endMs: month(index + 1) };
  return {
    ...monthly,
    sourceKey: `txn_${index + 1}`,
    kind: index === 0 ? 'purchase' : 'renewal',
    periodKey: `in_${index + 1}`,
    transactionId: `in_${index + 1}`,
    atMs: period.startMs,
    period,
    ...changes,
  };
}

/** Returns a part of a charge; a negative amount takes a refund back. */
export function refundOf(charge: Charge, micros: number, sourceKey = 'txn_refund'): Charge {
  return {
    ...charge,
    sourceKey,
    kind: micros < 0 ? 'refund_reversal' : 'refund',
    atMs: charge.atMs + 86_400_000,
    amountMicros: -micros,
    taxMicros: null,
  };
}

export const apple: ReportContext = {
  store: 'apple',
  environment: 'production',
  token: { id: 'ept1', environment: 'production', externalPurchaseId: 'b2158121' },
  taxRates: {},
  fallbackCurrency: 'EUR',
  exchangeRate: () => null,
  linkType: null,
  isTokenTaken: false,
};

export const google: ReportContext = {
  ...apple,
  store: 'google',
  token: { id: 'ept1', environment: 'production', externalPurchaseId: null },
};

export function idsOf(number: number): ReportIds {
  const requestIdentifier = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { reportId: `oprt${number}`, requestIdentifier };
}

/** Reports about some ledger rows, in their order. */
export function reportsOf(
  charges: readonly Charge[],
  context: ReportContext = apple,
  before: readonly PurchaseReport[] = [],
): PurchaseReport[] {
  let reports = [...before];
  for (const charge of charges) {
    const plan = planCharge(charge, reports, context, idsOf(reports.length + 1));
    if (!plan) continue;
    const { report, isUpdate } = plan;
    reports = isUpdate ? reports.map((one) => (one.id === report.id ? report : one)) : [...reports, report];
  }
  return reports;
}
