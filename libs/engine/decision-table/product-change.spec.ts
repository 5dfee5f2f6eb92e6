import { type ReplacedFact, resolveEntitlements } from '../index.js';
import {
  at,
  day,
  SubscriptionHistory,
  register,
  type ReportBuilder,
  subscribed,
} from '../testing/subscription-history.js';

const replaced = (days: number, value: Partial<ReplacedFact> = {}): ReportBuilder =>
  at(days).with({
    replaced: register(day(days), { byStoreKey: 'new', atMs: day(days), byProductId: 'yearly', ...value }),
  });

describe('product change', () => {
  it('row 60: an upgrade takes effect at once on the same subscription', () => {
    const history = subscribed();
    const upgrade = at(10).period(1, {
      storeProductId: 'yearly',
      isRenewal: false,
      startMs: day(10),
      endMs: day(375),
    });
    expect(history.receive(upgrade.renewal(1))).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
    expect(history.events.at(-2)).toMatchObject({
      storeProductId: 'monthly',
      newProductId: 'yearly',
      expirationAtMs: day(30),
      price: { amountMicros: 0 },
    });
    expect(history.now).toEqual(['active', 'will_renew', true, 375]);
    expect(history.state.storeProductId).toBe('yearly');
  });

  it('row 61: a downgrade is announced, and takes effect with the next renewal', () => {
    const history = subscribed();
    expect(history.receive(at(10).renewal(0, { nextProductId: 'basic' }))).toEqual(['PRODUCT_CHANGE']);
    expect(history.lastEvent).toMatchObject({ storeProductId: 'monthly', newProductId: 'basic' });
    expect(history.now).toEqual(['active', 'will_change_product', true, 30]);
    expect(
      history.receive(at(30).period(1, { storeProductId: 'basic' }).renewal(1, { nextProductId: 'basic' })),
    ).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
  });

  it('row 62: a scheduled change that is withdrawn is no event', () => {
    const history = subscribed();
    history.receive(at(10).renewal(0, { nextProductId: 'basic' }));
    expect(history.receive(at(11).renewal(0, { nextProductId: 'monthly' }))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
  });

  it('row 63: another scheduled change instead of the first one is emitted', () => {
    const history = subscribed();
    history.receive(at(10).renewal(0, { nextProductId: 'basic' }));
    expect(history.receive(at(11).renewal(0, { nextProductId: 'weekly' }))).toEqual(['PRODUCT_CHANGE']);
    expect(history.lastEvent?.newProductId).toBe('weekly');
  });

  it.each(['the link first', 'the end first'])('row 64: an immediate replacement on Play, %s', (order) => {
    const old = subscribed('play_store');
    const link = replaced(10);
    const end = at(10.0001)
      .renewal(0, { autoRenew: false, ended: true })
      .ends(0, { expired: day(10) })
      .with({ replaced: register(day(10.0001), { byStoreKey: null, atMs: day(10) }) });
    const reports = order === 'the link first' ? [link, end] : [end, link];
    expect(reports.flatMap((report) => old.receive(report, day(10.01)))).toEqual(['PRODUCT_CHANGE']);
    expect(old.lastEvent?.newProductId).toBeUndefined();
    expect(old.now).toEqual(['expired', 'will_not_renew', false, 10]);
    const next = new SubscriptionHistory('play_store', 'sub_2');
    expect(
      next.receive(
        at(10)
          .period(0, { storeProductId: 'yearly', startMs: day(10) })
          .renewal(0),
      ),
    ).toEqual(['INITIAL_PURCHASE']);
  });

  it('row 65: a deferred replacement on Play continues the same subscription', () => {
    const history = subscribed('play_store');
    expect(history.receive(at(10).renewal(0, { nextProductId: 'yearly' }))).toEqual(['PRODUCT_CHANGE']);
    expect(history.now).toEqual(['active', 'will_change_product', true, 30]);
    expect(history.receive(at(30).period(1, { storeProductId: 'yearly' }).renewal(1))).toEqual(['RENEWAL']);
  });

  it('row 66: the same product bought again before a lapse closes the old subscription without an event', () => {
    const old = subscribed('play_store');
    expect(old.receive(replaced(10, { byProductId: 'monthly' }))).toEqual([]);
    expect(old.now).toEqual(['expired', 'will_not_renew', false, 10]);
    expect(old.pass(31)).toEqual([]);
  });

  it('row 67: of subscriptions that replaced each other, only the last gives access', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => {
      const history = new SubscriptionHistory('play_store', id);
      history.receive(at(0).period(0, { storeProductId: id }).renewal(0));
      return history;
    }) as [SubscriptionHistory, SubscriptionHistory, SubscriptionHistory];
    expect(a.receive(replaced(1, { byStoreKey: 'b', byProductId: 'b' }))).toEqual(['PRODUCT_CHANGE']);
    expect(b.receive(replaced(2, { byStoreKey: 'c', byProductId: 'c' }))).toEqual(['PRODUCT_CHANGE']);
    const pro = [{ id: 'entl1', lookupKey: 'pro' }];
    const sources = [a, b, c].map(({ subscription, state }) => ({
      id: subscription.id,
      state,
      entitlements: pro,
    }));
    expect([a, b, c].map(({ state }) => state.givesAccess)).toEqual([false, false, true]);
    expect(resolveEntitlements(sources, [], day(3))).toMatchObject([{ active: true, storeProductId: 'c' }]);
  });

  it('row 68: a change in the trial to a paid product converts', () => {
    const history = subscribed('app_store', 1, { kind: 'trial' });
    expect(
      history.receive(
        at(3)
          .period(1, { storeProductId: 'yearly', startMs: day(3) })
          .renewal(1),
      ),
    ).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
    expect(history.lastEvent?.isTrialConversion).toBe(true);
  });

  it('row 69: a purchase without a link is a subscription of its own', () => {
    const first = subscribed();
    const second = new SubscriptionHistory('app_store', 'sub_2');
    expect(
      second.receive(
        at(10)
          .period(0, { storeProductId: 'other', startMs: day(10) })
          .renewal(0),
      ),
    ).toEqual(['INITIAL_PURCHASE']);
    expect(first.pass(10)).toEqual([]);
    expect(first.state.givesAccess && second.state.givesAccess).toBe(true);
  });

  it('row 70: another price on the same subscription of Stripe or Paddle', () => {
    const history = subscribed('stripe');
    const change = at(10)
      .period(1, { storeProductId: 'price_2', startMs: day(10), endMs: day(40) })
      .renewal(1);
    expect(history.receive(change)).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
    expect(history.receive(at(20).renewal(1, { nextProductId: 'price_3' }))).toEqual(['PRODUCT_CHANGE']);
  });

  it.each([
    ['stripe', ['PRODUCT_CHANGE', 'RENEWAL']],
    ['play_store', ['RENEWAL']],
  ] as const)('row 70: another plan of the same product (%s)', (store, expected) => {
    const history = subscribed(store, 1, { planId: 'one' });
    const change = at(10)
      .period(1, { planId: 'two', startMs: day(10), endMs: day(40) })
      .renewal(1);
    expect(history.receive(change)).toEqual(expected);
  });

  it('row 70: another price within a continuing period', () => {
    const history = subscribed('stripe');
    const exchanged = (name: string, dayNumber: number) =>
      at(dayNumber).period(0, { storeProductId: name }).renewal(0);
    expect(history.receive(exchanged('price_2', 10))).toEqual(['PRODUCT_CHANGE']);
    expect(history.receive(exchanged('price_2', 11))).toEqual([]);
    expect(history.receive(exchanged('price_3', 9))).toEqual([]);
    expect(history.state.storeProductId).toBe('price_2');
  });
});
