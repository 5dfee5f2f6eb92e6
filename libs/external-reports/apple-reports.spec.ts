import { usdRate } from '../money/index.js';
import { crossRate, planCharge, planRestatement, reconsider } from './index.js';
import type { AppleLineItem, AppleReport, Charge, PurchaseReport, ReportContext } from './index.js';
import {
  apple,
  chargeOf,
  idsOf,
  monthly,
  MONTHS,
  refundOf,
  reportsOf,
} from '../../test/support/external-charges.js';

const DAY_MS = 86_400_000;

function bodyOf(report: PurchaseReport | undefined): AppleReport {
  if (!report?.body) throw new Error(report?.reason ?? 'There is no report.');
  return report.body as AppleReport;
}

function lastLine(charges: readonly Charge[], context: ReportContext = apple): AppleLineItem | undefined {
  return bodyOf(reportsOf(charges, context).at(-1)).lineItems?.[0];
}

function amountsOf(line: AppleLineItem | undefined) {
  return [line?.amountTaxInclusive, line?.amountTaxExclusive, line?.taxAmount, line?.netAmountTaxExclusive];
}

const trial = chargeOf(0, { kind: 'trial_start', amountMicros: 0, taxMicros: null });
const unknownTax = { taxMicros: null };

describe('reports to Apple about charges', () => {
  it('reports the first charge as the start of the subscription', () => {
    expect(bodyOf(reportsOf([monthly])[0])).toEqual({
      requestIdentifier: '00000000-0000-4000-8000-000000000001',
      externalPurchaseId: 'b2158121',
      status: 'LINE_ITEM',
      lineItems: [
        {
          lineItemId: 'oprt1',
          creationDate: MONTHS[0],
          eventType: 'BUY',
          amountTaxInclusive: 12_100,
          amountTaxExclusive: 10_000,
          taxAmount: 2_100,
          netAmountTaxExclusive: 10_000,
          taxCountry: 'ESP',
          pricingCurrency: 'EUR',
          reportingCurrency: 'EUR',
          productType: 'SUBSCRIPTION',
          productIdentifier: 'pro_monthly',
          quantity: 1,
          subscriptionEvent: 'SUBSCRIPTION_START',
          subscriptionStartDate: MONTHS[0],
          subscriptionEndDate: MONTHS[1],
          subscriptionDaysOfPaidService: 0,
        },
      ],
    });
  });

  it('reports a free trial as a start of 0', () => {
    const line = lastLine([trial]);
    expect(line).toMatchObject({ subscriptionEvent: 'SUBSCRIPTION_START', subscriptionDaysOfPaidService: 0 });
    expect(amountsOf(line)).toEqual([0, 0, 0, 0]);
  });

  it('reports the first paid period after a trial as a renewal without paid days', () => {
    const line = lastLine([trial, chargeOf(1)]);
    expect(line).toMatchObject({
      subscriptionEvent: 'RENEWAL',
      referenceLineItemId: 'oprt1',
      subscriptionDaysOfPaidService: 0,
    });
    expect(amountsOf(line)).toEqual([12_100, 10_000, 2_100, 10_000]);
  });

  it('counts the days of paid service at each renewal', () => {
    const lines = reportsOf([chargeOf(0), chargeOf(1), chargeOf(2)]).map(
      (report) => bodyOf(report).lineItems?.[0],
    );
    expect(lines.map((line) => line && 'subscriptionEvent' in line && line.subscriptionEvent)).toEqual([
      'SUBSCRIPTION_START',
      'RENEWAL',
      'RENEWAL',
    ]);
    expect(
      lines.map((line) => line && 'subscriptionEvent' in line && line.subscriptionDaysOfPaidService),
    ).toEqual([0, 30, 61]);
  });

  it('reports a charge for another product as a change', () => {
    const change = chargeOf(0, {
      sourceKey: 'txn_2',
      kind: 'proration',
      productId: 'premium_monthly',
      periodKey: 'in_2',
      atMs: monthly.atMs + 15 * DAY_MS,
      period: null,
    });
    expect(lastLine([monthly, change])).toMatchObject({
      subscriptionEvent: 'SUBSCRIPTION_CHANGE',
      referenceLineItemId: 'oprt1',
      productIdentifier: 'premium_monthly',
      subscriptionEndDate: MONTHS[1],
      subscriptionDaysOfPaidService: 15,
    });
  });

  it('reports a further charge within the period as a payment', () => {
    const payment = chargeOf(0, { sourceKey: 'txn_2', kind: 'proration', periodKey: 'in_1x', period: null });
    expect(lastLine([monthly, payment])).toMatchObject({
      subscriptionEvent: 'SUBSCRIPTION_PAYMENT',
      referenceLineItemId: 'oprt1',
    });
  });

  it('leaves a credit to a person', () => {
    const credit = chargeOf(0, { sourceKey: 'txn_2', kind: 'proration', amountMicros: -5_000_000 });
    expect(reportsOf([monthly, credit])[1]).toMatchObject({
      state: 'manual',
      reason: 'Stores accept no credits.',
      body: null,
    });
  });

  it('reports a one-time purchase with its quantity', () => {
    const line = lastLine([{ ...monthly, kind: 'one_time', quantity: 3, period: null }]);
    expect(line).toMatchObject({ productType: 'ONE_TIME_BUY', quantity: 3 });
    expect(line).not.toHaveProperty('subscriptionEvent');
  });

  it('starts a new series for a purchase after a lapse', () => {
    const line = lastLine([monthly, chargeOf(3, { kind: 'purchase' })]);
    expect(line).toMatchObject({
      lineItemId: 'oprt2',
      subscriptionEvent: 'SUBSCRIPTION_START',
      subscriptionDaysOfPaidService: 0,
    });
    expect(line).not.toHaveProperty('referenceLineItemId');
  });

  it('reports nothing for rows that only change a commission, and nothing without charges', () => {
    expect(reportsOf([{ ...monthly, kind: 'correction', rebooks: true }])).toEqual([]);
    expect(reportsOf([])).toEqual([]);
  });
});

describe('reports to Apple about refunds', () => {
  const renewal = chargeOf(1);
  const half = refundOf(renewal, 6_050_000, 'txn_half');
  const otherHalf = refundOf(renewal, 6_050_000, 'txn_other_half');

  it('reports a partial refund with what is left of the renewal', () => {
    const line = lastLine([monthly, renewal, half]);
    expect(line).toMatchObject({ eventType: 'REFUND', referenceLineItemId: 'oprt2', taxCountry: 'ESP' });
    expect(line).not.toHaveProperty('productType');
    expect(amountsOf(line)).toEqual([6_050, 5_000, 1_050, 5_000]);
  });

  it('leaves nothing after a second refund of the other half', () => {
    expect(amountsOf(lastLine([monthly, renewal, half, otherHalf]))).toEqual([6_050, 5_000, 1_050, 0]);
  });

  it('reports a full refund', () => {
    const line = lastLine([monthly, renewal, refundOf(renewal, 12_100_000)]);
    expect(amountsOf(line)).toEqual([12_100, 10_000, 2_100, 0]);
  });

  it('withdraws a refund that failed', () => {
    const failed = refundOf(renewal, -12_100_000, 'txn_reversal');
    const report = reportsOf([monthly, renewal, refundOf(renewal, 12_100_000), failed]).at(-1);
    expect(bodyOf(report).requestIdentifier).toBe('00000000-0000-4000-8000-000000000004');
    const [line] = bodyOf(report).lineItems ?? [];
    expect(line).toMatchObject({
      lineItemId: 'oprt3',
      eventType: 'REFUND',
      restatement: true,
      erroneouslySubmitted: true,
    });
    expect(amountsOf(line)).toEqual([12_100, 10_000, 2_100, 10_000]);
  });

  it('lowers a refund of which a part was taken back', () => {
    const line = lastLine([monthly, refundOf(monthly, 12_100_000), refundOf(monthly, -6_050_000, 'back')]);
    expect(line).toMatchObject({ lineItemId: 'oprt2', restatement: true });
    expect(line).not.toHaveProperty('erroneouslySubmitted');
    expect(amountsOf(line)).toEqual([6_050, 5_000, 1_050, 5_000]);
  });

  it('withdraws all refunds that one row reverses', () => {
    const won = refundOf(renewal, -12_100_000, 'txn_won');
    const report = reportsOf([monthly, renewal, half, otherHalf, won]).at(-1);
    expect(bodyOf(report).lineItems?.map(({ lineItemId }) => lineItemId)).toEqual(['oprt4', 'oprt3']);
    expect(bodyOf(report).lineItems?.map((line) => line.netAmountTaxExclusive)).toEqual([10_000, 10_000]);
  });

  it('divides a refund of everything that was paid together', () => {
    const fee = { kind: 'proration' as const, sourceKey: 'txn_fee', periodKey: 'in_1+fee' };
    const setUp = chargeOf(0, { ...fee, amountMicros: 24_200_000, taxMicros: 4_200_000, period: null });
    const report = reportsOf([monthly, setUp, refundOf(monthly, 36_300_000)]).at(-1);
    const lines = bodyOf(report).lineItems ?? [];
    expect(lines.map(({ lineItemId }) => lineItemId)).toEqual(['oprt3', 'oprt3_2']);
    expect(lines.map(amountsOf)).toEqual([
      [12_100, 10_000, 2_100, 0],
      [24_200, 20_000, 4_200, 0],
    ]);
  });

  it('leaves a refund of more than was paid to a person', () => {
    const report = reportsOf([monthly, refundOf(monthly, 12_200_000)]).at(-1);
    expect(report).toMatchObject({ state: 'manual', body: null });
  });
});

describe('currencies of reports to Apple', () => {
  const priced = (currency: string, units: number, taxUnits: number | null): Charge => ({
    ...monthly,
    currency,
    amountMicros: units * 1_000_000,
    taxMicros: taxUnits === null ? null : taxUnits * 1_000_000,
  });

  it('reports yen in thousandths', () => {
    const line = lastLine([{ ...priced('JPY', 1_100, 100), country: 'JP' }]);
    expect(amountsOf(line)).toEqual([1_100_000, 1_000_000, 100_000, 1_000_000]);
    expect(line).toMatchObject({ reportingCurrency: 'JPY', taxCountry: 'JPN' });
    expect(line).not.toHaveProperty('exchangeRate');
  });

  it('converts a currency that Apple does not accept', () => {
    const context = { ...apple, exchangeRate: () => 0.0066 };
    const line = lastLine([{ ...priced('ISK', 1_790, 0), country: 'IS' }], context);
    expect(amountsOf(line)).toEqual([11_814, 11_814, 0, 11_814]);
    expect(line).toMatchObject({ pricingCurrency: 'ISK', reportingCurrency: 'EUR', exchangeRate: 0.0066 });
  });

  it('refunds at the rate of the charge', () => {
    const charge = { ...priced('ISK', 1_790, 0), country: 'IS' };
    const before = reportsOf([charge], { ...apple, exchangeRate: () => 0.0066 });
    const later = { ...apple, exchangeRate: () => 0.007 };
    const [, refund] = reportsOf([refundOf(charge, 1_790_000_000)], later, before);
    expect(amountsOf(bodyOf(refund).lineItems?.[0])).toEqual([11_814, 11_814, 0, 0]);
  });

  it('waits for an exchange rate', () => {
    const [report] = reportsOf([priced('ISK', 1_790, 0)]);
    expect(report).toMatchObject({ state: 'needs_data', body: null });
    if (!report) return;
    const known = reconsider(report, [report], { ...apple, exchangeRate: () => 0.0066 });
    expect(known).toMatchObject({ state: 'due', requestIdentifier: report.requestIdentifier });
  });

  it('divides the rates per USD', () => {
    expect(crossRate('USD', 'USD', monthly.atMs, usdRate)).toBe(1);
    const [isk, eur] = [
      crossRate('USD', 'ISK', monthly.atMs, usdRate),
      crossRate('USD', 'EUR', monthly.atMs, usdRate),
    ];
    expect(crossRate('ISK', 'EUR', monthly.atMs, usdRate)).toBeCloseTo((eur ?? 0) / (isk ?? 1), 10);
    expect(crossRate('XXX', 'EUR', monthly.atMs, usdRate)).toBeNull();
  });
});

describe('taxes in reports to Apple', () => {
  it('estimates an unknown tax by the rate of the country', () => {
    const [report] = reportsOf([{ ...monthly, ...unknownTax }], { ...apple, taxRates: { ES: 2_100 } });
    expect(report?.items[0]).toMatchObject({ taxMicros: 2_100_000, isTaxEstimated: true });
    expect(amountsOf(bodyOf(report).lineItems?.[0])).toEqual([12_100, 10_000, 2_100, 10_000]);
  });

  it('needs a tax if none is known and no rate is set', () => {
    const reports = reportsOf([{ ...monthly, ...unknownTax }, refundOf(monthly, 6_050_000)]);
    expect(reports.map(({ state }) => state)).toEqual(['needs_tax', 'needs_tax']);
    expect(reports[0]?.reason).toContain('ES');
  });

  it('becomes due when a rate is set', () => {
    const reports = reportsOf([{ ...monthly, ...unknownTax }]);
    const [report] = reports;
    if (!report) throw new Error('There is no report.');
    const decided = reconsider(report, reports, { ...apple, taxRates: { ES: 2_100 } });
    expect(decided).toMatchObject({ state: 'due', requestIdentifier: report.requestIdentifier });
    expect(amountsOf(bodyOf(decided).lineItems?.[0])).toEqual([12_100, 10_000, 2_100, 10_000]);
  });

  it('restates all fields when the tax is known later', () => {
    const reports = reportsOf([{ ...monthly, ...unknownTax }], { ...apple, taxRates: { ES: 2_100 } });
    const known = { lineItemId: 'oprt1', change: { taxMicros: 2_200_000 }, sourceKey: 'restate:oprt1:1' };
    const plan = planRestatement(known, reports, apple, idsOf(2));
    expect(plan?.isUpdate).toBe(false);
    expect(bodyOf(plan?.report).requestIdentifier).toBe('00000000-0000-4000-8000-000000000002');
    const [line] = bodyOf(plan?.report).lineItems ?? [];
    expect(line).toMatchObject({ lineItemId: 'oprt1', restatement: true, productIdentifier: 'pro_monthly' });
    expect(amountsOf(line)).toEqual([12_100, 9_900, 2_200, 9_900]);
  });

  it('restates the refunds of a charge with its tax', () => {
    const reports = reportsOf([monthly, refundOf(monthly, 12_100_000)]);
    const known = { lineItemId: 'oprt1', change: { taxMicros: 2_200_000 }, sourceKey: 'restate:oprt1:1' };
    const lines = bodyOf(planRestatement(known, reports, apple, idsOf(3))?.report).lineItems ?? [];
    expect(lines.map(amountsOf)).toEqual([
      [12_100, 9_900, 2_200, 9_900],
      [12_100, 9_900, 2_200, 0],
    ]);
  });

  it('restates two refunds of a charge with its tax', () => {
    const half = refundOf(monthly, 6_050_000, 'txn_half');
    const reports = reportsOf([monthly, half, { ...half, sourceKey: 'txn_other_half' }]);
    const known = { lineItemId: 'oprt1', change: { taxMicros: 2_200_000 }, sourceKey: 'restate:oprt1:1' };
    const lines = bodyOf(planRestatement(known, reports, apple, idsOf(4))?.report).lineItems ?? [];
    expect(lines.map(amountsOf)).toEqual([
      [12_100, 9_900, 2_200, 9_900],
      [6_050, 4_950, 1_100, 0],
      [6_050, 4_950, 1_100, 0],
    ]);
  });

  it('restates nothing if the tax was estimated right', () => {
    const reports = reportsOf([{ ...monthly, ...unknownTax }], { ...apple, taxRates: { ES: 2_100 } });
    const known = { lineItemId: 'oprt1', change: { taxMicros: 2_100_000 }, sourceKey: 'restate:oprt1:1' };
    expect(planRestatement(known, reports, apple, idsOf(2))).toBeNull();
  });

  it('mends a refused report under the same identifiers', () => {
    const refused = reportsOf([monthly]).map((report) => ({ ...report, state: 'refused' as const }));
    const change = { lineItemId: 'oprt1', change: { country: 'PT' }, sourceKey: 'restate:oprt1:1' };
    const plan = planRestatement(change, refused, apple, idsOf(2));
    expect(plan).toMatchObject({ isUpdate: true, report: { id: 'oprt1', state: 'due' } });
    const [line] = bodyOf(plan?.report).lineItems ?? [];
    expect(bodyOf(plan?.report).requestIdentifier).toBe(refused[0]?.requestIdentifier);
    expect(line).toMatchObject({ taxCountry: 'PRT' });
    expect(line).not.toHaveProperty('restatement');
  });
});

describe('corrections of the ledger', () => {
  const correction = (amountMicros: number, currency = 'EUR'): Charge => ({
    ...monthly,
    sourceKey: `txn_correction${amountMicros}`,
    kind: 'correction',
    amountMicros,
    currency,
    taxMicros: null,
  });

  it('restates the corrected charge', () => {
    const line = lastLine([monthly, correction(12_100_000)]);
    expect(line).toMatchObject({ lineItemId: 'oprt1', restatement: true });
    expect(amountsOf(line)).toEqual([24_200, 20_000, 4_200, 20_000]);
  });

  it('completes a charge of unknown amount', () => {
    const unknown = { ...monthly, amountMicros: null, currency: null, taxMicros: null };
    expect(reportsOf([unknown])[0]).toMatchObject({ state: 'needs_data', reason: 'The amount is unknown.' });
    const context = { ...apple, taxRates: { ES: 2_100 } };
    const reports = reportsOf([unknown, correction(12_100_000)], context);
    expect(reports).toHaveLength(1);
    expect(amountsOf(bodyOf(reports[0]).lineItems?.[0])).toEqual([12_100, 10_000, 2_100, 10_000]);
  });

  it('moves a charge to another currency by way of 0', () => {
    const charges = [monthly, correction(-12_100_000), correction(13_000_000, 'USD')];
    const context = { ...apple, taxRates: { ES: 0 } };
    const line = lastLine(charges, context);
    expect(line).toMatchObject({ reportingCurrency: 'USD', restatement: true });
    expect(amountsOf(line)).toEqual([13_000, 13_000, 0, 13_000]);
  });
});

describe('environments and missing data', () => {
  const sandboxToken = { id: 'ept1', environment: 'sandbox' as const, externalPurchaseId: 'SANDBOX_1' };

  it.each([
    ['production', 'production', 1],
    ['sandbox', 'sandbox', 1],
    ['sandbox', 'production', 0],
    ['production', 'sandbox', 0],
  ] as const)('reports a %s purchase with a %s token %i times', (environment, ofToken, count) => {
    const token = ofToken === 'sandbox' ? sandboxToken : apple.token;
    expect(reportsOf([monthly], { ...apple, environment, token })).toHaveLength(count);
  });

  it('needs a billing country', () => {
    expect(reportsOf([{ ...monthly, country: null }])[0]).toMatchObject({ state: 'needs_data' });
  });

  it('needs a token that Apple issued', () => {
    const token = { id: 'ept1', environment: 'production' as const, externalPurchaseId: null };
    const [report] = reportsOf([monthly], { ...apple, token });
    expect(report).toMatchObject({ state: 'needs_token', body: null, tokenId: null });
    const refund = planCharge(refundOf(monthly, 1), [], apple, idsOf(1));
    expect(refund?.report).toMatchObject({ state: 'manual', items: [] });
  });
});
