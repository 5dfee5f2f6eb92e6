import fc from 'fast-check';
import {
  applyOneTime,
  deriveOneTime,
  newOneTimePurchase,
  noOneTimeFacts,
  type Observation,
  type OneTimeFacts,
  oneTimeReturns,
} from './index.js';
import { day, register } from './testing/subscription-history.js';

const PIECE_MICROS = 1_000_000;

const bought = (atMs: number, units: number, source: 'store' | 'device'): Observation<OneTimeFacts> => ({
  atMs,
  facts: {
    ...noOneTimeFacts,
    purchase: register(atMs, {
      storeProductId: 'coins',
      purchasedAtMs: day(0),
      expiresAtMs: null,
      price: { amountMicros: units * PIECE_MICROS + (source === 'device' ? 5 : 0), currency: 'USD', source },
      quantity: units,
      ownership: 'purchased',
      storeTransactionId: 't',
      country: null,
    }),
  },
});

const returned = (atMs: number, quantity: number, isBack: boolean): Observation<OneTimeFacts> => ({
  atMs,
  facts: { ...noOneTimeFacts, refund: register(atMs, { refundedAtMs: isBack ? atMs : null, quantity }) },
});

describe('a one-time purchase, whatever the statements', () => {
  it('has a ledger that adds up to charges less refunds, and emits each change once', () => {
    const report = fc.record({
      on: fc.integer({ min: 1, max: 20 }),
      quantity: fc.integer({ min: 1, max: 4 }),
      isBack: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('store' as const, 'device' as const),
        fc.array(report, { maxLength: 8 }),
        (units, firstSource, reports) => {
          const heard = [
            bought(day(0), units, firstSource),
            ...reports.map(({ on, quantity, isBack }) => returned(day(on), quantity, isBack)),
            bought(day(0) + 1, units, 'store'),
          ];
          let purchase = newOneTimePurchase({
            id: 'p',
            store: 'play_store',
            environment: 'production',
            purchaseKey: 'k',
          });
          const keys: string[] = [];
          const rows: string[] = [];
          const types: string[] = [];
          let booked = 0;
          for (const observation of [...heard, ...heard]) {
            const change = applyOneTime(purchase, observation, day(30));
            purchase = change.purchase;
            types.push(...change.events.map(({ type }) => type));
            keys.push(...change.events.map(({ dedupeKey }) => dedupeKey));
            rows.push(...change.ledger.map(({ kind, kindSeq }) => `${kind} ${kindSeq}`));
            booked += change.ledger.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
          }
          const { refundedQuantity, price, status } = deriveOneTime(purchase.facts);
          expect(price.amountMicros).toBe(units * PIECE_MICROS);
          expect(booked).toBe((units - refundedQuantity) * PIECE_MICROS);
          expect([new Set(keys).size, new Set(rows).size]).toEqual([keys.length, rows.length]);
          const changes = types.filter((type) => type !== 'NON_RENEWING_PURCHASE');
          changes.forEach((type, index) =>
            expect(type).toBe(index % 2 === 0 ? 'CANCELLATION' : 'REFUND_REVERSED'),
          );
          expect(changes.length % 2 === 1).toBe(status === 'refunded');
        },
      ),
    );
  });
});

it.each([['price_pack'], [null], [undefined]])(
  'names the price in all events of a purchase at %s',
  (planId) => {
    const { atMs, facts } = bought(day(0), 1, 'store');
    const { at, src, value } = facts.purchase as NonNullable<OneTimeFacts['purchase']>;
    const purchase = newOneTimePurchase({
      id: 'p',
      store: 'stripe',
      environment: 'production',
      purchaseKey: 'k',
    });
    const observation = { atMs, facts: { ...facts, purchase: { at, src, value: { ...value, planId } } } };
    const sold = applyOneTime(purchase, observation);
    const refund = applyOneTime(sold.purchase, returned(day(1), 1, true));
    const named = [sold, refund].flatMap(({ state, events, ledger }) => [state, ...events, ...ledger]);
    const back = oneTimeReturns('k', sold.purchase.facts, refund.purchase.facts);
    expect([...named, ...back].map((emitted) => emitted.planId)).toEqual(Array(7).fill(planId ?? null));
  },
);
