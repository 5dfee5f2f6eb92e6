import { chargedPriceOf, deriveState, explainAddOns } from './index.js';
import { ADD_ON_MICROS, at, day, Life, PRICE_MICROS, START_MS, DAY_MS } from './testing/life.js';

/** A bundle of `monthly` and `hifi`. */
function bundle(periods = 1): Life {
  const life = new Life('play_store');
  for (let index = 0; index < periods; index++) {
    const saying = at(index * 30);
    life.hear(saying.period(index).addOn(index).renewal(index));
  }
  return life;
}

/** Access to the add-on `hifi`, and its end in days after the start. */
function addOn({ subscription }: Life, days: number): [boolean, number | null] | null {
  const found = deriveState(subscription.facts, day(days)).addOns.find(
    ({ storeProductId }) => storeProductId === 'hifi',
  );
  if (!found) return null;
  const { givesAccess, accessEndsAtMs: end } = found;
  return [givesAccess, end === null ? null : (end - START_MS) / DAY_MS];
}

const prices = ({ lastEvent }: Life): unknown => [
  lastEvent?.price.amountMicros,
  ...(lastEvent?.items ?? []).map(({ type, storeProductId, price }) => [
    type,
    storeProductId,
    price.amountMicros,
  ]),
];

describe('a subscription with add-ons', () => {
  it('emits all items with their prices, and books their total once', () => {
    const life = bundle(2);
    const together = PRICE_MICROS + ADD_ON_MICROS;
    expect(life.money).toEqual([
      ['purchase', together],
      ['renewal', together],
    ]);
    expect(life.lastEvent?.type).toBe('RENEWAL');
    expect(prices(life)).toEqual([
      together,
      ['base', 'monthly', PRICE_MICROS],
      ['addon', 'hifi', ADD_ON_MICROS],
    ]);
    expect(chargedPriceOf(life.subscription.facts, 'p1')?.amountMicros).toBe(together);
    expect(chargedPriceOf(life.subscription.facts, 'p9')).toBeNull();
  });

  it('has neither items in events nor add-on states without add-ons', () => {
    const life = new Life('play_store');
    life.hear(at(0).period(0).renewal(0));
    expect(life.lastEvent).not.toHaveProperty('items');
    expect(life.state.addOns).toEqual([]);
    expect(life.subscription.emitted).not.toHaveProperty('addOns');
  });

  it('emits an added add-on once, and books its own charge', () => {
    const life = new Life('play_store');
    life.hear(at(0).period(0).renewal(0));
    const joins = at(10).addOn('a1', { startMs: day(10), price: { ...usd(1_000_000) } });
    expect(life.hear(joins)).toEqual(['PRODUCT_CHANGE']);
    expect(life.lastEvent).toMatchObject({ storeProductId: 'monthly', occurredAtMs: day(10) });
    expect(prices(life)).toEqual([0, ['base', 'monthly', 0], ['addon', 'hifi', 0]]);
    expect(life.hear(joins)).toEqual([]);
    expect(life.money).toEqual([
      ['purchase', PRICE_MICROS],
      ['purchase', 1_000_000],
    ]);
    expect(life.ledger.at(-1)).toMatchObject({ periodKey: 'a1+', storeProductId: 'hifi', storeIds: ['a1'] });
    expect(life.state.storeIdentifiers).toContain('a1');
    expect(addOn(life, 29)).toEqual([true, 30]);
    expect(addOn(life, 30)).toEqual([false, 30]);
  });

  it('continues without an add-on that is not renewed, which ends with its period', () => {
    const life = bundle();
    expect(life.hear(at(5).addOn(0, { renews: false }))).toEqual([]);
    expect(addOn(life, 29)).toEqual([true, 30]);
    expect(life.hear(at(30).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(prices(life)).toEqual([PRICE_MICROS]);
    expect(addOn(life, 30)).toEqual([false, 30]);
    expect(life.state.addOns).toMatchObject([{ isInBundle: false }]);
    expect(life.pass(45)).toEqual([]);
  });

  it('ends an add-on with an end of its own, and emits it then', () => {
    const life = bundle();
    life.hear(at(5).addOn(0, { renews: false, endMs: day(20) }));
    expect(life.state.nextDueAtMs).toBe(day(20));
    expect(addOn(life, 19)).toEqual([true, 20]);
    expect(life.pass(20)).toEqual(['PRODUCT_CHANGE']);
    expect(life.lastEvent).toMatchObject({ occurredAtMs: day(20) });
    expect(life.lastEvent?.items).toBeUndefined();
    expect(life.state.givesAccess).toBe(true);
    expect(life.pass(21)).toEqual([]);
  });

  it('waits for an add-on whose own renewal may just be late', () => {
    const life = bundle();
    life.hear(at(5).addOn(0, { endMs: day(20) }));
    expect(life.pass(20)).toEqual([]);
    expect(addOn(life, 20)).toEqual([false, 20]);
    const renewed = at(20.1).addOn('a1', { startMs: day(20), isRenewal: true });
    expect(life.hear(renewed)).toEqual([]);
    expect(addOn(life, 21)).toEqual([true, 30]);
    expect(life.money.at(-1)).toEqual(['renewal', ADD_ON_MICROS]);
  });

  it('keeps add-ons in grace, suspends them on hold and restores them', () => {
    const life = bundle();
    const key = 'p0+hifi';
    life.hear(
      at(30)
        .renewal(0, { inRetry: true, graceUntilMs: day(33) })
        .with({ ends: { p0: { grace: emitted(30, 33) }, [key]: { grace: emitted(30, 33) } } }),
    );
    expect(addOn(life, 32)).toEqual([true, 33]);
    life.hear(
      at(33)
        .renewal(0, { inRetry: true })
        .ends(key, { expired: day(33) }),
    );
    expect(addOn(life, 33)).toEqual([false, 33]);
    life.hear(at(35).ends(key, { expired: null, grace: day(40) }));
    expect(addOn(life, 36)).toEqual([true, 40]);
  });

  it('ends all add-ons when it is refunded, replaced or not paid', () => {
    const refunded = bundle();
    expect(refunded.hear(at(10).refund(0))).toEqual([
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
    replaced.hear(
      at(10).with({ replaced: { at: day(10), src: 'api', value: { byStoreKey: 'x', atMs: day(10) } } }),
    );
    expect(addOn(replaced, 10)).toEqual([false, 10]);
    const pending = new Life('play_store');
    pending.hear(
      at(0)
        .period(0)
        .addOn(0)
        .with({ pending: { at: day(0), src: 'api', value: true } }),
    );
    expect(addOn(pending, 1)).toEqual([false, 30]);
    expect(pending.money).toEqual([]);
    expect(pending.hear(at(1).with({ pending: { at: day(1), src: 'api', value: false } }))).toEqual([
      'INITIAL_PURCHASE',
    ]);
    expect(pending.money).toEqual([['purchase', PRICE_MICROS + ADD_ON_MICROS]]);
  });

  it('refunds the charge of an add-on alone, with or without ending it', () => {
    const life = bundle();
    life.hear(at(5).addOn('a1', { storeProductId: 'podcasts', price: usd(2_000_000) }));
    life.hear(at(6).refund('a1', { kind: 'partial', amountMicros: 500_000 }));
    expect(life.money.at(-1)).toEqual(['refund', -500_000]);
    life.hear(at(7).refund('a1'));
    expect(life.money.at(-1)).toEqual(['refund', -1_500_000]);
    expect(life.state).toMatchObject({
      givesAccess: true,
      addOns: [
        { givesAccess: true },
        { storeProductId: 'podcasts', givesAccess: false, refundedAtMs: day(7) },
      ],
    });
  });

  it('corrects the ledger when an add-on becomes known later, or its charge also paid for a period', () => {
    const life = new Life('play_store');
    life.hear(at(0).period(0).renewal(0));
    life.hear(at(1).addOn(0));
    expect(life.money.at(-1)).toEqual(['correction', ADD_ON_MICROS]);
    life.hear(at(30).addOn(1));
    expect(life.money.at(-1)).toEqual(['renewal', ADD_ON_MICROS]);
    life.hear(at(31).period(1).renewal(1));
    expect(life.money.slice(-2)).toEqual([
      ['renewal', PRICE_MICROS + ADD_ON_MICROS],
      ['correction', -ADD_ON_MICROS],
    ]);
  });

  it('counts a product once if it was an add-on and is now the base product', () => {
    const life = bundle();
    life.hear(
      at(5)
        .period(0, { storeProductId: 'hifi', price: usd(ADD_ON_MICROS) })
        .addOn(0, { storeProductId: 'monthly', price: usd(PRICE_MICROS) }),
    );
    expect(life.state).toMatchObject({ storeProductId: 'hifi', addOns: [{ storeProductId: 'monthly' }] });
    expect(chargedPriceOf(life.subscription.facts, 'p0')?.amountMicros).toBe(PRICE_MICROS + ADD_ON_MICROS);
  });

  it('keeps the best known price of an add-on, and counts the known parts of a charge', () => {
    const life = bundle();
    life.hear(at(3).addOn(0, { price: { amountMicros: null, currency: null, source: 'unknown' } }));
    expect(life.money).toEqual([['purchase', PRICE_MICROS + ADD_ON_MICROS]]);
    const unknown = new Life('play_store');
    const noPrice = { price: { amountMicros: null, currency: null, source: 'unknown' } } as const;
    unknown.hear(at(0).period(0).addOn(0, noPrice).renewal(0));
    expect(unknown.money).toEqual([['purchase', PRICE_MICROS]]);
  });

  it('explains since when and why an add-on gives access or not', () => {
    const life = bundle(2);
    const explained = (days: number): unknown =>
      explainAddOns(life.subscription, day(days), (product) => product === 'hifi').map(
        ({ givesAccess, sinceMs, cause, endReason }) => [
          givesAccess,
          (sinceMs - START_MS) / DAY_MS,
          cause,
          endReason,
        ],
      );
    expect(explained(10)).toEqual([[true, 0, 'purchase', null]]);
    expect(explained(40)).toEqual([[true, 0, 'renewal', null]]);
    life.hear(at(41).addOn(1, { renews: false, endMs: day(50) }));
    expect(explained(51)).toEqual([[false, 50, 'expiry', 'UNSUBSCRIBE']]);
    life.hear(at(52).refund(1));
    expect(explained(53)).toEqual([[false, 50, 'expiry', 'UNSUBSCRIBE']]);
  });

  it('corrects the ledger when only the price of an add-on changes', () => {
    const life = bundle();
    life.hear(at(5).addOn(0, { price: usd(ADD_ON_MICROS + 500_000) }));
    expect(life.money.slice(1)).toEqual([['correction', 500_000]]);
    const better = { at: day(6), src: 'signed', value: usd(ADD_ON_MICROS + 800_000) } as const;
    life.hear(at(6).with({ prices: { 'p0+hifi': better } }));
    expect(life.money.slice(2)).toEqual([['correction', 300_000]]);
  });

  it('books nothing for add-ons that are free or not paid yet', () => {
    const free = new Life('play_store');
    free.hear(at(0).period(0).renewal(0));
    free.hear(at(10).addOn('a1', { startMs: day(10), price: usd(0) }));
    expect(free.money).toEqual([['purchase', PRICE_MICROS]]);
    const pending = new Life('play_store');
    const saying = at(0).period(0).addOn('a1');
    pending.hear(saying.with({ pending: { at: day(0), src: 'api', value: true } }));
    expect(pending.money).toEqual([]);
  });

  it('is due again when an add-on ends, even while its own end awaits confirmation', () => {
    const life = bundle();
    life.hear(at(5).addOn('a1', { storeProductId: 'podcasts', endMs: day(30.5) }));
    life.pass(30);
    expect(life.state.nextDueAtMs).toBe(day(30.5));
    life.pass(30.5);
    expect(life.state.nextDueAtMs).toBe(day(31));
  });

  it('reports each product as a sale of its own', () => {
    const life = bundle();
    expect(life.sales).toEqual([
      ['purchase', 'p0', 'monthly'],
      ['purchase', 'p0+hifi', 'hifi'],
    ]);
    life.hear(at(5).addOn('a1', { storeProductId: 'podcasts' }));
    expect(life.sales.slice(2)).toEqual([['purchase', 'a1+podcasts', 'podcasts']]);
    life.hear(at(6).addOn('a0', { storeProductId: 'paid before', price: usd(0) }));
    expect(life.sales.slice(3)).toEqual([]);
  });
});

function usd(amountMicros: number) {
  return { amountMicros, currency: 'USD', source: 'store' } as const;
}

function emitted(days: number, end: number) {
  return { at: day(days), src: 'api', value: day(end) } as const;
}
