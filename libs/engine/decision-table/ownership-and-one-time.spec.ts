import {
  applyOneTime,
  decideOwnership,
  deriveOneTime,
  newOneTimePurchase,
  noOneTimeFacts,
  type Observation,
  type OneTimeFact,
  type OneTimeFacts,
  type OneTimePurchase,
  type OneTimeRefundFact,
  type OwnershipCase,
  resolveEntitlements,
} from '../index.js';
import { day, label, register, subscribed } from '../testing/subscription-history.js';

describe('a purchase that another customer posts', () => {
  const posted: OwnershipCase = {
    behavior: 'transfer',
    ownerIsIdentified: true,
    ownerHasActiveSubscription: true,
    isRestore: true,
  };

  it('row 83: a purchase moves to the customer who posts it', () => {
    expect(decideOwnership(posted)).toBe('move');
  });

  it('row 84: a purchase stays while its owner has an active subscription among those posted', () => {
    const behavior = 'transfer_if_no_active';
    expect(decideOwnership({ ...posted, behavior })).toBe('refuse');
    expect(decideOwnership({ ...posted, behavior, ownerHasActiveSubscription: false })).toBe('move');
  });

  it('row 85: a purchase stays when the project keeps purchases', () => {
    expect(decideOwnership({ ...posted, behavior: 'keep' })).toBe('refuse');
  });

  it('row 86: a restore merges both customers when purchases are shared', () => {
    expect(decideOwnership({ ...posted, behavior: 'share' })).toBe('merge');
    expect(decideOwnership({ ...posted, behavior: 'share', isRestore: false })).toBe('refuse');
  });

  it.each(['transfer', 'transfer_if_no_active', 'keep', 'share'] as const)(
    'row 87: an anonymous owner is merged into the poster (%s)',
    (behavior) => {
      expect(decideOwnership({ ...posted, behavior, ownerIsIdentified: false })).toBe('merge');
    },
  );
});

const fact = (change: Partial<OneTimeFact> = {}): OneTimeFact => ({
  storeProductId: 'coins',
  purchasedAtMs: day(0),
  expiresAtMs: null,
  price: { amountMicros: 3_000_000, currency: 'USD', source: 'store' },
  quantity: 1,
  ownership: 'purchased',
  storeTransactionId: 't1',
  country: null,
  ...change,
});

const bought = (change: Partial<OneTimeFact> = {}, days = 0): Observation<OneTimeFacts> => ({
  atMs: day(days),
  facts: { ...noOneTimeFacts, purchase: register(day(days), fact(change)) },
});

const refunded = (days: number, change: Partial<OneTimeRefundFact> = {}): Observation<OneTimeFacts> => ({
  atMs: day(days),
  facts: {
    ...noOneTimeFacts,
    refund: register(day(days), { refundedAtMs: day(days), quantity: 1, ...change }),
  },
});

const fresh = (id = 'purch_1'): OneTimePurchase =>
  newOneTimePurchase({ id, store: 'play_store', environment: 'production', purchaseKey: id });

/** The result of applying the observations in order. */
function outcome(...observations: Observation<OneTimeFacts>[]) {
  let purchase = fresh();
  const events = [];
  const money = [];
  for (const observation of observations) {
    const change = applyOneTime(purchase, observation, observation.atMs);
    purchase = change.purchase;
    events.push(...change.events);
    money.push(...change.ledger.map(({ kind, price }) => [kind, price.amountMicros]));
  }
  return { purchase, events, money, labels: events.map(label), state: deriveOneTime(purchase.facts) };
}

const pro = [{ id: 'entl1', lookupKey: 'pro' }];

describe('a one-time purchase', () => {
  it('row 90: each consumable has an event and a ledger entry', () => {
    for (const id of ['purch_1', 'purch_2']) {
      const { events, ledger } = applyOneTime(fresh(id), bought(), day(0));
      expect(events).toMatchObject([
        { type: 'NON_RENEWING_PURCHASE', expirationAtMs: null, periodType: 'normal' },
      ]);
      expect(ledger).toMatchObject([{ kind: 'one_time', price: { amountMicros: 3_000_000 } }]);
    }
  });

  it('row 91: a non-consumable gives access for good', () => {
    const { state } = outcome(bought({ storeProductId: 'forever' }));
    const sources = [{ id: 'purch_1', state, entitlements: pro }];
    expect(resolveEntitlements([], sources, day(9_999))).toMatchObject([{ active: true, expiresAtMs: null }]);
  });

  it('row 92: the same transaction again changes nothing', () => {
    const { purchase } = outcome(bought());
    expect(applyOneTime(purchase, bought(), day(1))).toMatchObject({
      changed: false,
      events: [],
      ledger: [],
    });
    expect(applyOneTime(purchase, bought({}, 1), day(1))).toMatchObject({ events: [], ledger: [] });
  });

  it('row 93: a quantity above one is one purchase', () => {
    const { labels, money, state } = outcome(bought({ quantity: 3 }));
    expect(labels).toEqual(['NON_RENEWING_PURCHASE']);
    expect(money).toEqual([['one_time', 3_000_000]]);
    expect(state.quantity).toBe(3);
  });

  it('row 94: a non-renewing subscription ends on time, without an event', () => {
    const { state } = outcome(bought({ expiresAtMs: day(30) }));
    const unlocked = (days: number) =>
      resolveEntitlements([], [{ id: 'purch_1', state, entitlements: pro }], day(days));
    expect(unlocked(29.9)).toMatchObject([{ active: true, expiresAtMs: day(30) }]);
    expect(unlocked(30)).toEqual([]);
  });

  it('row 95: a refund ends access', () => {
    const { labels, events, money, state } = outcome(bought(), refunded(5));
    expect(labels).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT']);
    expect(events[1]?.price).toEqual({ amountMicros: -3_000_000, currency: 'USD', source: 'store' });
    expect(money[1]).toEqual(['refund', -3_000_000]);
    expect(state).toMatchObject({ status: 'refunded', refundedAtMs: day(5) });
    expect(resolveEntitlements([], [{ id: 'purch_1', state, entitlements: pro }], day(5))).toEqual([]);
  });

  it('row 96: a partial refund of a quantity changes only money', () => {
    const { labels, money, state } = outcome(
      bought({ quantity: 3 }),
      refunded(5),
      refunded(6, { quantity: 2 }),
    );
    expect(labels).toEqual(['NON_RENEWING_PURCHASE']);
    expect(money.slice(1)).toEqual([
      ['refund', -1_000_000],
      ['refund', -1_000_000],
    ]);
    expect(state).toMatchObject({ status: 'owned', refundedQuantity: 2 });
  });

  it('row 97: a reversed refund restores access', () => {
    const { labels, events, money, state } = outcome(
      bought(),
      refunded(5),
      refunded(6, { refundedAtMs: null }),
    );
    expect(labels).toEqual(['NON_RENEWING_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'REFUND_REVERSED']);
    expect(events[2]?.price.amountMicros).toBe(3_000_000);
    expect(money[2]).toEqual(['refund_reversal', 3_000_000]);
    expect(state.status).toBe('owned');
  });
});

describe('the Test Store', () => {
  it('ends without a word of the store when nothing renews', () => {
    const history = subscribed('test_store');
    expect(history.state.nextDueAtMs).toBe(day(30));
    expect(history.pass(30)).toEqual(['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE']);
  });
});
