import {
  noOneTimeFacts,
  noSubscriptionFacts,
  type OneTimeFact,
  type PeriodFact,
  type Register,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import type { ChargeRow } from '../transactions/transactions.repository.js';
import { chargesOf } from './report-charge.js';

const AT_MS = Date.UTC(2026, 10, 1);
const END_MS = Date.UTC(2026, 11, 1);
const said = <Value>(value: Value): Register<Value> => ({ at: AT_MS, src: 'api', value });

const row = (more: Partial<ChargeRow> = {}): ChargeRow => ({
  id: 'txn_1',
  recordedAt: new Date(AT_MS),
  kind: 'purchase',
  kindSeq: 0,
  periodKey: 'in_1',
  storeTransactionId: 'in_1',
  storeProductId: 'pro',
  quantity: 1,
  amountMicros: 12_100_000,
  currency: 'EUR',
  country: 'ES',
  purchasedAt: new Date(AT_MS),
  expiresAt: new Date(END_MS),
  ...more,
});
const sold = (taxMicros?: number): Pick<PeriodFact, 'startMs' | 'endMs' | 'taxMicros'> => ({
  startMs: AT_MS + 1,
  endMs: END_MS,
  ...(taxMicros !== undefined && { taxMicros }),
});
const facts = (more: object = {}): SubscriptionFacts =>
  ({
    ...noSubscriptionFacts,
    periods: { in_1: said(sold(2_100_000)) },
    ...more,
  }) as unknown as SubscriptionFacts;
const taxOf = (charge: Partial<ChargeRow>, of: SubscriptionFacts): number | null | undefined =>
  chargesOf([row(charge)], of)[0]?.taxMicros;

describe('charges of ledger rows', () => {
  it('has the amount of the ledger, with the tax and period of the facts', () => {
    expect(chargesOf([row()], facts())).toEqual([
      {
        sourceKey: 'txn_1',
        kind: 'purchase',
        periodKey: 'in_1',
        transactionId: 'in_1',
        atMs: AT_MS,
        productId: 'pro',
        quantity: 1,
        amountMicros: 12_100_000,
        currency: 'EUR',
        taxMicros: 2_100_000,
        country: 'ES',
        region: null,
        period: { startMs: AT_MS + 1, endMs: END_MS },
      },
    ]);
  });

  it('adds the tax of add-ons that the same charge paid for; one without a tax makes it unknown', () => {
    const addOn = (taxMicros?: number): object => said({ ...sold(taxMicros), chargeKey: 'in_1' });
    expect(taxOf({}, facts({ addOns: { a: addOn(100_000) } }))).toBe(2_200_000);
    expect(taxOf({}, facts({ addOns: { a: addOn() } }))).toBeNull();
    const alone = facts({ addOns: { a: said({ ...sold(300_000), chargeKey: 'in_2' }) } });
    expect(taxOf({ periodKey: 'in_2+', kind: 'proration' }, alone)).toBe(300_000);
  });

  it('takes the tax of money within a period from the extra', () => {
    const extras = { in_2: said({ chargeKey: 'in_1', taxMicros: 50_000 }) };
    expect(taxOf({ periodKey: 'in_2', kind: 'proration' }, facts({ extras }))).toBe(50_000);
  });

  it('leaves the tax of refunds and corrections to the charge, and unknown taxes unknown', () => {
    for (const kind of ['refund', 'refund_reversal', 'correction'] as const) {
      expect(taxOf({ kind }, facts())).toBeNull();
    }
    expect(taxOf({}, facts({ periods: { in_1: said(sold()) } }))).toBeNull();
    expect(taxOf({ periodKey: 'in_9' }, facts())).toBeNull();
  });

  it('has a period only for charges of a period', () => {
    const [refund] = chargesOf([row({ kind: 'refund', amountMicros: -1 })], facts());
    expect(refund?.period).toBeNull();
    const [unknown] = chargesOf([row({ periodKey: 'in_9' })], facts());
    expect(unknown?.period).toEqual({ startMs: AT_MS, endMs: END_MS });
  });

  it('marks pairs of rows that only change the commission', () => {
    const pair = [
      row({ id: 'a', kind: 'correction', kindSeq: 0, amountMicros: -12_100_000 }),
      row({ id: 'b', kind: 'correction', kindSeq: 1, amountMicros: 12_100_000 }),
    ];
    expect(chargesOf([row(), ...pair], facts()).map(({ rebooks }) => rebooks ?? false)).toEqual([
      false,
      true,
      true,
    ]);
    const price = row({ id: 'c', kind: 'correction', kindSeq: 0, amountMicros: -100_000 });
    expect(chargesOf([row(), price], facts())[1]).not.toHaveProperty('rebooks');
  });

  it('has the tax of a one-time purchase', () => {
    const purchase = said({ taxMicros: 1_000 } as OneTimeFact);
    const bought = { ...noOneTimeFacts, purchase };
    const charges = chargesOf([row({ kind: 'one_time' }), row({ kind: 'refund' })], bought);
    expect(charges.map(({ taxMicros, period }) => [taxMicros, period])).toEqual([
      [1_000, null],
      [null, null],
    ]);
  });
});
