import { planRestatement, reconsider, withExternalToken, withNewToken } from './index.js';
import type { Charge, GoogleReport, PurchaseReport } from './index.js';
import {
  apple,
  chargeOf,
  google,
  idsOf,
  monthly,
  refundOf,
  reportsOf,
} from '../../test/support/external-charges.js';

function callOf(report: PurchaseReport | undefined): GoogleReport {
  if (!report?.body) throw new Error(report?.reason ?? 'There is no report.');
  return report.body as GoogleReport;
}

const lastCall = (charges: readonly Charge[]): GoogleReport => callOf(reportsOf(charges, google).at(-1));
const eur = (priceMicros: string) => ({ priceMicros, currency: 'EUR' });
const RECURRING = { subscriptionType: 'RECURRING' };
const trial = chargeOf(0, { kind: 'trial_start', amountMicros: 0, taxMicros: null });

describe('reports to Google about charges', () => {
  it('reports the first charge as an initial transaction without its token', () => {
    expect(lastCall([monthly])).toEqual({
      call: 'create',
      externalTransactionId: 'oprt1',
      needsToken: true,
      body: {
        originalPreTaxAmount: eur('10000000'),
        originalTaxAmount: eur('2100000'),
        transactionTime: '2026-11-01T00:00:00.000Z',
        userTaxAddress: { regionCode: 'ES' },
        recurringTransaction: { externalSubscription: RECURRING },
      },
    });
  });

  it('inserts the token when the report is sent', () => {
    const call = lastCall([monthly]);
    if (call.call !== 'create') throw new Error('The call refunds.');
    expect(withExternalToken(call.body, 'secret').recurringTransaction).toEqual({
      externalTransactionToken: 'secret',
      externalSubscription: RECURRING,
    });
    const once = lastCall([{ ...monthly, kind: 'one_time', period: null }]);
    if (once.call !== 'create') throw new Error('The call refunds.');
    expect(withExternalToken(once.body, 'secret')).toMatchObject({
      oneTimeTransaction: { externalTransactionToken: 'secret' },
    });
  });

  it('reports a free trial as an initial transaction of 0', () => {
    expect(lastCall([trial])).toMatchObject({
      needsToken: true,
      body: { originalPreTaxAmount: eur('0'), originalTaxAmount: eur('0') },
    });
  });

  it.each([
    ['the first paid period after a trial', [trial, chargeOf(1)]],
    ['a renewal', [monthly, chargeOf(1)]],
    ['a further charge', [monthly, chargeOf(0, { kind: 'proration', periodKey: 'in_1x', period: null })]],
  ])('reports %s with a new id and the initial one', (_, charges) => {
    expect(lastCall(charges)).toMatchObject({
      externalTransactionId: 'oprt2',
      needsToken: false,
      body: {
        originalPreTaxAmount: eur('10000000'),
        recurringTransaction: { initialExternalTransactionId: 'oprt1', externalSubscription: RECURRING },
      },
    });
  });

  it.each([
    ['a change of the product', chargeOf(1, { productId: 'premium_monthly' })],
    ['a purchase after a lapse', chargeOf(3, { kind: 'purchase' })],
  ])('needs a new token for %s, which starts a series', (_, charge) => {
    const reports = reportsOf([monthly, charge, chargeOf(4, { productId: charge.productId })], google);
    const [, changed, renewal] = reports;
    expect(changed).toMatchObject({ state: 'needs_token', tokenId: null, body: null });
    expect(callOf(renewal).body).toMatchObject({
      recurringTransaction: { initialExternalTransactionId: 'oprt2' },
    });
    if (!changed) return;
    const token = { id: 'ept2', environment: 'production' as const, externalPurchaseId: null };
    const decided = reconsider(changed, reports, { ...google, token });
    expect(decided).toMatchObject({ state: 'due', tokenId: 'ept2', body: { needsToken: true } });
  });

  it('needs a token for the first charge', () => {
    expect(reportsOf([monthly], { ...google, token: null })[0]).toMatchObject({ state: 'needs_token' });
  });

  it('reports a one-time purchase', () => {
    const call = lastCall([{ ...monthly, kind: 'one_time', period: null }]);
    expect(call).toMatchObject({ needsToken: true, body: { oneTimeTransaction: {} } });
    expect(call.body).not.toHaveProperty('recurringTransaction');
  });

  it('reports yen in micros, and other currencies as they were paid', () => {
    const yen = { ...monthly, currency: 'JPY', amountMicros: 1_100_000_000, taxMicros: 100_000_000 };
    expect(lastCall([yen]).body).toMatchObject({
      originalPreTaxAmount: { priceMicros: '1000000000', currency: 'JPY' },
      originalTaxAmount: { priceMicros: '100000000', currency: 'JPY' },
    });
    const krona = { ...monthly, currency: 'ISK', amountMicros: 1_790_000_000, taxMicros: 0, country: 'IS' };
    expect(lastCall([krona]).body).toMatchObject({
      originalPreTaxAmount: { priceMicros: '1790000000', currency: 'ISK' },
    });
  });

  it('requires the state in India, and names no state elsewhere', () => {
    const indian = { ...monthly, country: 'IN' };
    expect(reportsOf([indian], google)[0]).toMatchObject({ state: 'needs_data' });
    expect(lastCall([{ ...indian, region: 'Kerala' }]).body).toMatchObject({
      userTaxAddress: { regionCode: 'IN', administrativeArea: 'Kerala' },
    });
    expect(lastCall([{ ...monthly, region: 'Madrid' }]).body).toMatchObject({
      userTaxAddress: { regionCode: 'ES' },
    });
  });

  it('names the type of the link', () => {
    const linkType = 'LINK_TO_DIGITAL_CONTENT_OFFER';
    const [report] = reportsOf([monthly], { ...google, linkType });
    expect(callOf(report).body).toMatchObject({ externalOfferDetails: { linkType } });
  });

  it('takes the state in India from an earlier charge of the purchase', () => {
    const start = { ...monthly, country: 'IN', region: 'Kerala' };
    const renewal = chargeOf(1, { country: 'IN' });
    expect(lastCall([start, renewal]).body).toMatchObject({
      userTaxAddress: { administrativeArea: 'Kerala' },
    });
    const moved = chargeOf(1, { country: 'ES' });
    expect(reportsOf([start, moved], google).at(-1)?.items[0]?.region).toBeNull();
  });

  it('needs a token of its own for each purchase', () => {
    const [start] = reportsOf([monthly], { ...google, isTokenTaken: true });
    expect(start).toMatchObject({
      state: 'needs_token',
      reason: expect.stringContaining('of its own') as string,
    });
    const [, renewal] = reportsOf([monthly, chargeOf(1)], { ...google, isTokenTaken: true });
    expect(renewal).toMatchObject({ state: 'due' });
  });

  it('reports no sandbox purchases', () => {
    expect(reportsOf([monthly], { ...google, environment: 'sandbox' })).toEqual([]);
  });
});

describe('reports to Google about refunds', () => {
  const renewal = chargeOf(1);
  const half = refundOf(renewal, 6_050_000, 'txn_half');

  it('reports partial refunds under the ids of their reports', () => {
    const reports = reportsOf([monthly, renewal, half, { ...half, sourceKey: 'txn_other' }], google);
    const [, , first, second] = reports;
    expect(callOf(first)).toEqual({
      call: 'refund',
      externalTransactionId: 'oprt2',
      preTaxLeft: eur('5000000'),
      body: {
        refundTime: '2026-12-02T00:00:00.000Z',
        partialRefund: { refundId: 'oprt3', refundPreTaxAmount: eur('5000000') },
      },
    });
    expect(callOf(second)).toMatchObject({
      preTaxLeft: eur('0'),
      body: { partialRefund: { refundId: 'oprt4' } },
    });
  });

  it('reports a full refund', () => {
    expect(lastCall([monthly, renewal, refundOf(renewal, 12_100_000)]).body).toEqual({
      refundTime: '2026-12-02T00:00:00.000Z',
      fullRefund: {},
    });
  });

  it('leaves a failed refund to a person', () => {
    const charges = [monthly, refundOf(monthly, 12_100_000), refundOf(monthly, -12_100_000, 'back')];
    expect(reportsOf(charges, google).at(-1)).toMatchObject({
      state: 'manual',
      reason: 'Google accepts no corrections.',
    });
  });

  it('leaves a tax that becomes known later to a person', () => {
    const known = { lineItemId: 'oprt1', change: { taxMicros: 2_200_000 }, sourceKey: 'restate:oprt1:1' };
    const sent = reportsOf([monthly], google).map((report) => ({ ...report, state: 'sent' as const }));
    expect(planRestatement(known, sent, google, idsOf(2))?.report.state).toBe('manual');
  });

  it('leaves a refund of several charges to a person', () => {
    const fee = chargeOf(0, { kind: 'proration', periodKey: 'fee', amountMicros: 1_000_000, taxMicros: 0 });
    expect(reportsOf([monthly, fee, refundOf(monthly, 13_100_000)], google).at(-1)?.state).toBe('manual');
  });
});

describe('a purchase that is bound to another token', () => {
  const other = { id: 'ept2', environment: 'production' as const, externalPurchaseId: 'other' };
  const changed = chargeOf(1, { productId: 'premium_monthly' });
  const statesOf = (reports: readonly PurchaseReport[]): string[] =>
    reports.map(({ state, tokenId }) => `${state} ${tokenId}`);

  it('uses it for the charge that waits and for those that follow, not for earlier ones', () => {
    const renewal = chargeOf(2, { productId: 'premium_monthly' });
    const refund = refundOf(monthly, 1_000_000);
    const reports = reportsOf([monthly, changed, renewal, refund], google);
    expect(statesOf(reports)).toEqual(['due ept1', 'needs_token null', 'due ept1', 'due ept1']);
    const decided = withNewToken(reports, { ...google, token: other }, null);
    expect(statesOf(decided)).toEqual(['due ept1', 'due ept2', 'due ept2', 'due ept1']);
    expect(decided.map(({ id }) => id)).toEqual(reports.map(({ id }) => id));
    expect(statesOf(reportsOf([chargeOf(3, { productId: 'premium_monthly' })], google, decided))).toEqual([
      ...statesOf(decided),
      'due ept2',
    ]);
  });

  it('needs yet another token for the next change', () => {
    const again = chargeOf(2, { productId: 'basic_monthly' });
    const reports = reportsOf([monthly, changed, again], google);
    const decided = withNewToken(reports, { ...google, token: other }, null);
    expect(statesOf(decided)).toEqual(['due ept1', 'due ept2', 'needs_token null']);
    const third = withNewToken(decided, { ...google, token: { ...other, id: 'ept3' } }, null);
    expect(statesOf(third)).toEqual(['due ept1', 'due ept2', 'due ept3']);
  });

  it('sends reports of a refused token with the other one, under the same ids', () => {
    const [start, renewal] = reportsOf([monthly, chargeOf(1)], apple);
    if (!start || !renewal) throw new Error('There are no reports.');
    const refused = [{ ...start, state: 'refused' as const }, renewal];
    const decided = withNewToken(refused, { ...apple, token: other }, 'ept1');
    expect(decided).toMatchObject([
      { id: start.id, state: 'due', tokenId: 'ept2', body: { externalPurchaseId: 'other' } },
      { id: renewal.id, state: 'due', tokenId: 'ept2', body: { externalPurchaseId: 'other' } },
    ]);
    expect(decided.map(({ requestIdentifier }) => requestIdentifier)).toEqual(
      refused.map(({ requestIdentifier }) => requestIdentifier),
    );
  });

  it('leaves accepted and otherwise refused reports as they are', () => {
    const [start, renewal] = reportsOf([monthly, chargeOf(1)], google);
    if (!start || !renewal) throw new Error('There are no reports.');
    const reports = [
      { ...start, state: 'sent' as const },
      { ...renewal, state: 'refused' as const },
    ];
    expect(withNewToken(reports, { ...google, token: other }, null)).toEqual(reports);
  });
});
