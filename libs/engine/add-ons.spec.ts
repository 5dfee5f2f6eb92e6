import { chargedPriceOf, deriveState, explainAddOns } from './index.js';
import {
  ADD_ON_MICROS,
  at,
  day,
  SubscriptionHistory,
  PRICE_MICROS,
  START_MS,
  DAY_MS,
} from './testing/subscription-history.js';

/** A bundle of `monthly` and `hifi`. */
function bundle(periods = 1): SubscriptionHistory {
  const history = new SubscriptionHistory('play_store');
  for (let index = 0; index < periods; index++) {
    const report = at(index * 30);
    history.receive(report.period(index).addOn(index).renewal(index));
  }
  return history;
}

/** Access to the add-on `hifi`, and its end in days after the start. */
function addOn({ subscription }: SubscriptionHistory, days: number): [boolean, number | null] | null {
  const found = deriveState(subscription.facts, day(days)).addOns.find(
    ({ storeProductId }) => storeProductId === 'hifi',
  );
  if (!found) return null;
  const { givesAccess, accessEndsAtMs: end } = found;
  return [givesAccess, end === null ? null : (end - START_MS) / DAY_MS];
}

const prices = ({ lastEvent }: SubscriptionHistory): unknown => [
  lastEvent?.price.amountMicros,
  ...(lastEvent?.items ?? []).map(({ type, storeProductId, price }) => [
    type,
    storeProductId,
    price.amountMicros,
  ]),
];

describe('a subscription with add-ons', () => {
  it('emits all items with their prices, and books their total once', () => {
    const history = bundle(2);
    const together = PRICE_MICROS + ADD_ON_MICROS;
    expect(history.money).toEqual([
      ['purchase', together],
      ['renewal', together],
    ]);
    expect(history.lastEvent?.type).toBe('RENEWAL');
    expect(prices(history)).toEqual([
      together,
      ['base', 'monthly', PRICE_MICROS],
      ['addon', 'hifi', ADD_ON_MICROS],
    ]);
    expect(chargedPriceOf(history.subscription.facts, 'p1')?.amountMicros).toBe(together);
    expect(chargedPriceOf(history.subscription.facts, 'p9')).toBeNull();
  });

  it('has neither items in events nor add-on states without add-ons', () => {
    const history = new SubscriptionHistory('play_store');
    history.receive(at(0).period(0).renewal(0));
    expect(history.lastEvent).not.toHaveProperty('items');
    expect(history.state.addOns).toEqual([]);
    expect(history.subscription.emitted).not.toHaveProperty('addOns');
  });

  it('emits an added add-on once, and books its own charge', () => {
    const history = new SubscriptionHistory('play_store');
    history.receive(at(0).period(0).renewal(0));
    const joins = at(10).addOn('a1', { startMs: day(10), price: { ...usd(1_000_000) } });
    expect(history.receive(joins)).toEqual(['PRODUCT_CHANGE']);
    expect(history.lastEvent).toMatchObject({ storeProductId: 'monthly', occurredAtMs: day(10) });
    expect(prices(history)).toEqual([0, ['base', 'monthly', 0], ['addon', 'hifi', 0]]);
    expect(history.receive(joins)).toEqual([]);
    expect(history.money).toEqual([
      ['purchase', PRICE_MICROS],
      ['purchase', 1_000_000],
    ]);
    expect(history.ledger.at(-1)).toMatchObject({
      periodKey: 'a1+',
      storeProductId: 'hifi',
      storeIds: ['a1'],
    });
    expect(history.state.storeIdentifiers).toContain('a1');
    expect(addOn(history, 29)).toEqual([true, 30]);
    expect(addOn(history, 30)).toEqual([false, 30]);
  });

  it('continues without an add-on that is not renewed, which ends with its period', () => {
    const history = bundle();
    expect(history.receive(at(5).addOn(0, { renews: false }))).toEqual([]);
    expect(addOn(history, 29)).toEqual([true, 30]);
    expect(history.receive(at(30).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(prices(history)).toEqual([PRICE_MICROS]);
    expect(addOn(history, 30)).toEqual([false, 30]);
    expect(history.state.addOns).toMatchObject([{ isInBundle: false }]);
    expect(history.pass(45)).toEqual([]);
  });

  it('ends an add-on with an end of its own, and emits it then', () => {
    const history = bundle();
    history.receive(at(5).addOn(0, { renews: false, endMs: day(20) }));
    expect(history.state.nextDueAtMs).toBe(day(20));
    expect(addOn(history, 19)).toEqual([true, 20]);
    expect(history.pass(20)).toEqual(['PRODUCT_CHANGE']);
    expect(history.lastEvent).toMatchObject({ occurredAtMs: day(20) });
    expect(history.lastEvent?.items).toBeUndefined();
    expect(history.state.givesAccess).toBe(true);
    expect(history.pass(21)).toEqual([]);
  });

  it('waits for an add-on whose own renewal may just be late', () => {
    const history = bundle();
    history.receive(at(5).addOn(0, { endMs: day(20) }));
    expect(history.pass(20)).toEqual([]);
    expect(addOn(history, 20)).toEqual([false, 20]);
    const renewed = at(20.1).addOn('a1', { startMs: day(20), isRenewal: true });
    expect(history.receive(renewed)).toEqual([]);
    expect(addOn(history, 21)).toEqual([true, 30]);
    expect(history.money.at(-1)).toEqual(['renewal', ADD_ON_MICROS]);
  });

  it('keeps add-ons in grace, suspends them on hold and restores them', () => {
    const history = bundle();
    const key = 'p0+hifi';
    history.receive(
      at(30)
        .renewal(0, { inRetry: true, graceUntilMs: day(33) })
        .with({ ends: { p0: { grace: emitted(30, 33) }, [key]: { grace: emitted(30, 33) } } }),
    );
    expect(addOn(history, 32)).toEqual([true, 33]);
    history.receive(
      at(33)
        .renewal(0, { inRetry: true })
        .ends(key, { expired: day(33) }),
    );
    expect(addOn(history, 33)).toEqual([false, 33]);
    history.receive(at(35).ends(key, { expired: null, grace: day(40) }));
    expect(addOn(history, 36)).toEqual([true, 40]);
  });

  it('ends all add-ons when it is refunded, replaced or not paid', () => {
    const refunded = bundle();
    expect(refunded.receive(at(10).refund(0))).toEqual([
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
    ]);
    expect(refunded.events.at(-2)?.items).toMatchObject([
      { price: { amountMicros: -PRICE_MICROS } },
      { price: { amountMicros: -ADD_ON_MICROS } },
    ]);
    expect(refunded.lastEvent?.items).toHaveLength(2);
    expect(addOn(refunded, 10)).toEqual([false, 10]);
    expect(refunded.money.at(-1)).toEqual(['refund', -PRICE_MICROS - ADD_ON_MICROS]);
    const replaced = bundle();
    replaced.receive(
      at(10).with({ replaced: { at: day(10), src: 'api', value: { byStoreKey: 'x', atMs: day(10) } } }),
    );
    expect(addOn(replaced, 10)).toEqual([false, 10]);
    const pending = new SubscriptionHistory('play_store');
    pending.receive(
      at(0)
        .period(0)
        .addOn(0)
        .with({ pending: { at: day(0), src: 'api', value: true } }),
    );
    expect(addOn(pending, 1)).toEqual([false, 30]);
    expect(pending.money).toEqual([]);
    expect(pending.receive(at(1).with({ pending: { at: day(1), src: 'api', value: false } }))).toEqual([
      'INITIAL_PURCHASE',
    ]);
    expect(pending.money).toEqual([['purchase', PRICE_MICROS + ADD_ON_MICROS]]);
  });

  it('refunds the charge of an add-on alone, with or without ending it', () => {
    const history = bundle();
    history.receive(at(5).addOn('a1', { storeProductId: 'podcasts', price: usd(2_000_000) }));
    history.receive(at(6).refund('a1', { kind: 'partial', amountMicros: 500_000 }));
    expect(history.money.at(-1)).toEqual(['refund', -500_000]);
    history.receive(at(7).refund('a1'));
    expect(history.money.at(-1)).toEqual(['refund', -1_500_000]);
    expect(history.state).toMatchObject({
      givesAccess: true,
      addOns: [
        { givesAccess: true },
        { storeProductId: 'podcasts', givesAccess: false, refundedAtMs: day(7) },
      ],
    });
  });

  it('corrects the ledger when an add-on becomes known later, or its charge also paid for a period', () => {
    const history = new SubscriptionHistory('play_store');
    history.receive(at(0).period(0).renewal(0));
    history.receive(at(1).addOn(0));
    expect(history.money.at(-1)).toEqual(['correction', ADD_ON_MICROS]);
    history.receive(at(30).addOn(1));
    expect(history.money.at(-1)).toEqual(['renewal', ADD_ON_MICROS]);
    history.receive(at(31).period(1).renewal(1));
    expect(history.money.slice(-2)).toEqual([
      ['renewal', PRICE_MICROS + ADD_ON_MICROS],
      ['correction', -ADD_ON_MICROS],
    ]);
  });

  it('counts a product once if it was an add-on and is now the base product', () => {
    const history = bundle();
    history.receive(
      at(5)
        .period(0, { storeProductId: 'hifi', price: usd(ADD_ON_MICROS) })
        .addOn(0, { storeProductId: 'monthly', price: usd(PRICE_MICROS) }),
    );
    expect(history.state).toMatchObject({ storeProductId: 'hifi', addOns: [{ storeProductId: 'monthly' }] });
    expect(chargedPriceOf(history.subscription.facts, 'p0')?.amountMicros).toBe(PRICE_MICROS + ADD_ON_MICROS);
  });

  it('keeps the best known price of an add-on, and counts the known parts of a charge', () => {
    const history = bundle();
    history.receive(at(3).addOn(0, { price: { amountMicros: null, currency: null, source: 'unknown' } }));
    expect(history.money).toEqual([['purchase', PRICE_MICROS + ADD_ON_MICROS]]);
    const unknown = new SubscriptionHistory('play_store');
    const noPrice = { price: { amountMicros: null, currency: null, source: 'unknown' } } as const;
    unknown.receive(at(0).period(0).addOn(0, noPrice).renewal(0));
    expect(unknown.money).toEqual([['purchase', PRICE_MICROS]]);
  });

  it('explains since when and why an add-on gives access or not', () => {
    const history = bundle(2);
    const explained = (days: number): unknown =>
      explainAddOns(history.subscription, day(days), (product) => product === 'hifi').map(
        ({ givesAccess, sinceMs, cause, endReason }) => [
          givesAccess,
          (sinceMs - START_MS) / DAY_MS,
          cause,
          endReason,
        ],
      );
    expect(explained(10)).toEqual([[true, 0, 'purchase', null]]);
    expect(explained(40)).toEqual([[true, 0, 'renewal', null]]);
    history.receive(at(41).addOn(1, { renews: false, endMs: day(50) }));
    expect(explained(51)).toEqual([[false, 50, 'expiry', 'UNSUBSCRIBE']]);
    history.receive(at(52).refund(1));
    expect(explained(53)).toEqual([[false, 50, 'expiry', 'UNSUBSCRIBE']]);
  });

  it('corrects the ledger when only the price of an add-on changes', () => {
    const history = bundle();
    history.receive(at(5).addOn(0, { price: usd(ADD_ON_MICROS + 500_000) }));
    expect(history.money.slice(1)).toEqual([['correction', 500_000]]);
    const better = { at: day(6), src: 'signed', value: usd(ADD_ON_MICROS + 800_000) } as const;
    history.receive(at(6).with({ prices: { 'p0+hifi': better } }));
    expect(history.money.slice(2)).toEqual([['correction', 300_000]]);
  });

  it('books nothing for add-ons that are free or not paid yet', () => {
    const free = new SubscriptionHistory('play_store');
    free.receive(at(0).period(0).renewal(0));
    free.receive(at(10).addOn('a1', { startMs: day(10), price: usd(0) }));
    expect(free.money).toEqual([['purchase', PRICE_MICROS]]);
    const pending = new SubscriptionHistory('play_store');
    const report = at(0).period(0).addOn('a1');
    pending.receive(report.with({ pending: { at: day(0), src: 'api', value: true } }));
    expect(pending.money).toEqual([]);
  });

  it('becomes due when an add-on ends, even while its own end awaits confirmation', () => {
    const history = bundle();
    history.receive(at(5).addOn('a1', { storeProductId: 'podcasts', endMs: day(30.5) }));
    history.pass(30);
    expect(history.state.nextDueAtMs).toBe(day(30.5));
    history.pass(30.5);
    expect(history.state.nextDueAtMs).toBe(day(31));
  });

  it('reports each product as a sale of its own', () => {
    const history = bundle();
    expect(history.sales).toEqual([
      ['purchase', 'p0', 'monthly'],
      ['purchase', 'p0+hifi', 'hifi'],
    ]);
    history.receive(at(5).addOn('a1', { storeProductId: 'podcasts' }));
    expect(history.sales.slice(2)).toEqual([['purchase', 'a1+podcasts', 'podcasts']]);
    history.receive(at(6).addOn('a0', { storeProductId: 'paid before', price: usd(0) }));
    expect(history.sales.slice(3)).toEqual([]);
  });
});

function usd(amountMicros: number) {
  return { amountMicros, currency: 'USD', source: 'store' } as const;
}

function emitted(days: number, end: number) {
  return { at: day(days), src: 'api', value: day(end) } as const;
}
