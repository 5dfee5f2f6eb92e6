import { UnknownValuesService } from '../../src/purchases/unknown-values/unknown-values.service.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts, type FakeProduct } from '../support/fake-app-store/fake-app-store.js';
import type { FakeAccount, FakeSubscription } from '../support/fake-app-store/fake-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, plus } = fakeProducts;
const BUNDLE = 'bundle_monthly';
/** A reason for revocations that is no refund. */
const SWITCHED = 7;

interface Switched {
  user: string;
  account: FakeAccount;
  old: FakeSubscription;
  bundle: FakeSubscription;
}

describe('switches between a subscription and a bundle of the App Store', () => {
  let world: AppStoreWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  beforeEach(async () => {
    await world.configure({ track_new_purchases: false, subscription_private_key: null });
  });
  afterAll(() => world.close());

  const newUser = (): string => `user-${++users}`;
  const post = async (user: string, token: string): Promise<void> => {
    world.clock.advanceMs(1);
    expect((await world.post(user, token)).status).toBe(200);
  };
  const notify = async (notification: Parameters<AppStoreWorld['notify']>[0]): Promise<void> => {
    world.clock.advanceMs(1);
    expect((await world.notify(notification)).status).toBe(200);
  };
  const intoBundle = (previous: FakeSubscription, product: FakeProduct = plus): FakeSubscription =>
    world.store.subscribe(previous.account, product, { previous, bundleProductId: BUNDLE });
  const outOfBundle = (previous: FakeSubscription, product: FakeProduct = monthly): FakeSubscription =>
    world.store.subscribe(previous.account, product, { previous });
  /** A customer with a subscription, which becomes part of a bundle on day 10. */
  const switched = async (): Promise<Switched> => {
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    const bundle = intoBundle(old);
    await notify(bundle.subscribed());
    return { user, account, old, bundle };
  };
  const ledger = async (user: string): Promise<[string, number | null][]> => {
    const rows: Json[] = await world.server.dataSource.query(
      `SELECT t.kind, t.amount_micros::float8 AS amount
       FROM store_transactions t JOIN customer_aliases a ON a.project_id = t.project_id AND a.customer_id = t.customer_id
       WHERE t.project_id = $1 AND a.app_user_id = $2 ORDER BY t.recorded_at, t.id`,
      [world.projectId, user],
    );
    return rows.map(({ kind, amount }) => [kind, amount]);
  };
  const subscriptions = async (user: string): Promise<Json[]> =>
    (await world.backend.get(`${world.path}/customers/${user}/subscriptions`)).body.items;
  const named = async (id: string): Promise<string[]> => {
    const found = await world.backend.get(`${world.path}/subscriptions?store_subscription_identifier=${id}`);
    return found.body.items.map((item: Json) => item.id);
  };
  const bodies = async (user: string): Promise<Json[]> => {
    const list = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
    return list.body.items.map(({ body }: Json) => body).sort((a: Json, b: Json) => a.sequence - b.sequence);
  };
  const unknownValues = async (): Promise<string[]> => {
    const service = world.server.app.get(UnknownValuesService);
    await service.flush();
    return (await service.forProject(world.projectId)).map(({ field, value }) => `${field} ${value}`);
  };
  const SWITCH = ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'];
  const RUNNING = { status: 'active', auto_renewal_status: 'will_renew', gives_access: true };

  it('continues the subscription when its customer switches to a bundle', async () => {
    const { user, old, bundle } = await switched();
    const [subscription, ...others] = await subscriptions(user);
    expect(others).toEqual([]);
    expect(subscription).toMatchObject({ ...RUNNING, ends_at: bundle.latest.expiresDate });
    expect(await ledger(user)).toEqual([
      ['purchase', 9_990_000],
      ['purchase', null],
    ]);
    expect(await bodies(user)).toMatchObject([
      { type: 'INITIAL_PURCHASE', price: 9.99 },
      { type: 'PRODUCT_CHANGE', product_id: monthly.id, new_product_id: plus.id, price: 0 },
      { type: 'RENEWAL', product_id: plus.id, price: null },
    ]);
    for (const { originalTransactionId } of [old, bundle]) {
      expect(await named(originalTransactionId)).toEqual([subscription?.id]);
    }
  });

  it('continues it with the receipt of the device, too', async () => {
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    const bundle = intoBundle(old);
    for (let times = 0; times < 2; times++) await post(user, bundle.signed());
    await notify(bundle.subscribed());
    expect(await subscriptions(user)).toHaveLength(1);
    expect(await world.events(user)).toEqual(SWITCH);
  });

  it('reports a switch of the same product into a bundle', async () => {
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    await post(user, intoBundle(old, monthly).signed());
    expect(await world.events(user)).toEqual(SWITCH);
  });

  it('renews the bundle by its own transactions, which may not name the former subscription', async () => {
    const { user, bundle } = await switched();
    world.clock.advanceMs(30 * DAY_MS);
    const renewal = bundle.renew();
    delete bundle.latest.previousOriginalTransactionId;
    await notify(bundle.notification(renewal.type, null));
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await world.events(user)).toEqual([...SWITCH, 'RENEWAL']);
  });

  it('continues the subscription when its customer leaves the bundle', async () => {
    const { user, bundle } = await switched();
    world.clock.advanceMs(10 * DAY_MS);
    const alone = outOfBundle(bundle);
    await notify(alone.subscribed());
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: alone.latest.expiresDate }]);
    expect((await ledger(user)).slice(2)).toEqual([['purchase', 9_990_000]]);
    expect((await bodies(user)).slice(3)).toMatchObject([
      { type: 'PRODUCT_CHANGE', product_id: plus.id, new_product_id: monthly.id },
      { type: 'RENEWAL', product_id: monthly.id, price: 9.99 },
    ]);
  });

  it('moves no money when the former subscription is revoked', async () => {
    const { user, old, bundle } = await switched();
    world.clock.advanceMs(1_000);
    Object.assign(old.latest, { revocationDate: world.clock.nowMs(), revocationReason: SWITCHED });
    await post(user, old.signed());
    expect(await ledger(user)).toHaveLength(2);
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await world.events(user)).toEqual(SWITCH);
  });

  it('reports the switch even if the former subscription was revoked at once', async () => {
    await world.configure(world.keyFields);
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    const bundle = intoBundle(old);
    Object.assign(old.latest, { revocationDate: world.clock.nowMs(), revocationReason: SWITCHED });
    await post(user, bundle.signed());
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await world.events(user)).toEqual(SWITCH);
  });

  it.each([
    ['the unused part of the former period', {}, -6_660_000],
    ['the reported share of the former period', { revocationPercentage: 25_000 }, -2_497_500],
  ])('returns %s after a refund notification', async (_, more, amount) => {
    const { user, old, bundle } = await switched();
    await notify(old.refund(old.latest, { revocationReason: SWITCHED, ...more }));
    const [purchase, ofBundle, refund, ...others] = await ledger(user);
    expect([purchase, ofBundle]).toEqual([
      ['purchase', 9_990_000],
      ['purchase', null],
    ]);
    expect(others).toEqual([]);
    expect(refund?.[0]).toBe('refund');
    // The switch is a millisecond later than 10 days.
    expect(Math.round(Number(refund?.[1]) / 1_000)).toBe(Math.round(amount / 1_000));
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await world.events(user)).toEqual(SWITCH);
  });

  it('returns only the unused part if the switch becomes known after the refund', async () => {
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    const bundle = intoBundle(old);
    await notify(old.refund(old.latest, { revocationReason: SWITCHED }));
    expect(await ledger(user)).toEqual([
      ['purchase', 9_990_000],
      ['refund', -9_990_000],
    ]);
    await notify(bundle.subscribed());
    const left = (await ledger(user)).reduce((sum, [, amount]) => sum + (amount ?? 0), 0);
    expect(Math.round(left / 1_000)).toBe(3_330);
    expect(await subscriptions(user)).toMatchObject([RUNNING]);
  });

  it('renews by the bundle, whatever the App Store reports about the former subscription', async () => {
    const { user, old, bundle } = await switched();
    world.clock.advanceMs(DAY_MS);
    await notify(bundle.cancel());
    world.clock.advanceMs(DAY_MS);
    await notify(old.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'));
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, auto_renewal_status: 'will_not_renew' }]);
    world.clock.advanceMs(DAY_MS);
    await notify(bundle.uncancel());
    await notify(old.expire('VOLUNTARY'));
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await world.events(user)).toEqual([...SWITCH, 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION']);
  });

  describe('whose former subscription is unknown', () => {
    const unknown = () => {
      const account = world.store.account();
      const old = world.store.subscribe(account, monthly);
      world.clock.advanceMs(10 * DAY_MS);
      return { old, bundle: intoBundle(old), user: newUser() };
    };
    const requestsFor = (id: string): number =>
      world.api.calls.filter(({ path }) => path.endsWith(`/history/${id}`)).length;

    it('starts a subscription, which the former one joins', async () => {
      const { old, bundle, user } = unknown();
      await post(user, bundle.signed());
      expect(await ledger(user)).toEqual([['purchase', null]]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      await post(user, old.signed());
      expect(await subscriptions(user)).toMatchObject([
        { ...RUNNING, starts_at: old.latest.purchaseDate, ends_at: bundle.latest.expiresDate },
      ]);
      expect(await ledger(user)).toEqual([
        ['purchase', null],
        ['purchase', 9_990_000],
      ]);
      expect((await world.events(user)).filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
    });

    it('asks Apple once for the former one', async () => {
      const { old, bundle, user } = unknown();
      // Apple's answers about the bundle lack the former subscription.
      old.account.appTransactionId = world.store.newTransactionId();
      const other = world.store.account();
      Object.assign(old, { account: other });
      await world.configure({ ...world.keyFields });
      await post(user, bundle.signed());
      await world.upkeep();
      expect(requestsFor(old.originalTransactionId)).toBe(1);
      const [subscription, ...others] = await subscriptions(user);
      expect(others).toEqual([]);
      expect(subscription).toMatchObject({ ...RUNNING, starts_at: old.latest.purchaseDate });
      expect((await world.events(user)).filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
      await post(user, bundle.signed());
      await world.upkeep();
      expect(requestsFor(old.originalTransactionId)).toBe(1);
    });

    it('records a whole account in order if Apple returns all of it', async () => {
      const { bundle, user } = unknown();
      await world.configure(world.keyFields);
      await post(user, bundle.signed());
      expect(await subscriptions(user)).toHaveLength(1);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });

  describe('with two owners', () => {
    const apart = async () => {
      const account = world.store.account('Production', { appTransactionId: undefined as never });
      const old = world.store.subscribe(account, monthly);
      const [first, second] = [newUser(), newUser()];
      await post(first, old.signed());
      world.clock.advanceMs(10 * DAY_MS);
      const bundle = intoBundle(old);
      await post(second, bundle.signed());
      return { old, bundle, first, second };
    };

    it('leaves both subscriptions with their owners, and counts them', async () => {
      const { old, bundle, first, second } = await apart();
      expect(await subscriptions(first)).toMatchObject([{ ...RUNNING, ends_at: old.latest.expiresDate }]);
      expect(await subscriptions(second)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
      expect(await ledger(second)).toEqual([['purchase', null]]);
      expect(await world.events(second)).toEqual(['INITIAL_PURCHASE']);
      expect(await unknownValues()).toContain(`bundle_switch_owners ${old.originalTransactionId}`);
    });

    it('leaves them there when the App Store reports both', async () => {
      const { old, bundle, first, second } = await apart();
      await notify(bundle.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'));
      await notify(old.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'));
      expect(await world.events(first)).toEqual(['INITIAL_PURCHASE']);
      expect(await world.events(second)).toEqual(['INITIAL_PURCHASE']);
    });
  });

  it('joins subscriptions that were recorded apart before the switch was known', async () => {
    const account = world.store.account();
    const old = world.store.subscribe(account, monthly);
    const user = newUser();
    await post(user, old.signed());
    world.clock.advanceMs(10 * DAY_MS);
    const bundle = intoBundle(old);
    await post(user, bundle.signed({ ...bundle.latest, previousOriginalTransactionId: undefined }));
    expect(await subscriptions(user)).toHaveLength(2);
    await post(user, bundle.signed());
    expect(await subscriptions(user)).toMatchObject([{ ...RUNNING, ends_at: bundle.latest.expiresDate }]);
    expect(await ledger(user)).toHaveLength(2);
  });

  it('records each switch back and forth once', async () => {
    const { user, old, bundle } = await switched();
    const all = [old, bundle];
    for (let switches = 1; switches < 6; switches++) {
      world.clock.advanceMs(3 * DAY_MS);
      const previous = all.at(-1) as FakeSubscription;
      const next = switches % 2 === 1 ? outOfBundle(previous) : intoBundle(previous);
      all.push(next);
      await notify(next.subscribed());
      await post(user, next.signed());
    }
    for (const one of all) await post(user, one.signed());
    expect(await subscriptions(user)).toMatchObject([
      { ...RUNNING, ends_at: all.at(-1)?.latest.expiresDate },
    ]);
    expect(await ledger(user)).toEqual(
      all.map((_, index) => ['purchase', index % 2 === 0 ? 9_990_000 : null]),
    );
    const events = (await world.events(user)).slice(1);
    expect(events).toEqual(all.slice(1).flatMap(() => ['PRODUCT_CHANGE', 'RENEWAL']));
  });

  it.each([[[3, 0, 2, 1]], [[2, 3, 1, 0]], [[1, 3, 0, 2]]])(
    'makes one subscription of four purchases in the order %j',
    async (order) => {
      const account = world.store.account();
      const all = [world.store.subscribe(account, monthly)];
      for (let switches = 1; switches < 4; switches++) {
        world.clock.advanceMs(3 * DAY_MS);
        const previous = all.at(-1) as FakeSubscription;
        all.push(switches % 2 === 1 ? intoBundle(previous) : outOfBundle(previous));
      }
      const user = newUser();
      for (const index of order) await post(user, (all[index] as FakeSubscription).signed());
      expect(await subscriptions(user)).toMatchObject([
        { ...RUNNING, starts_at: all[0]?.latest.purchaseDate, ends_at: all[3]?.latest.expiresDate },
      ]);
      const amounts = (await ledger(user)).map(([, amount]) => amount);
      expect(amounts.sort()).toEqual([9_990_000, 9_990_000, null, null]);
      expect((await world.events(user)).filter((type) => type === 'INITIAL_PURCHASE').length).toBeGreaterThan(
        0,
      );
    },
  );

  describe('in the subscription', () => {
    it('names the bundle and the former subscription until the customer leaves the bundle', async () => {
      const { user, old, bundle } = await switched();
      const stated = {
        product_identifier: BUNDLE,
        previous_store_subscription_identifier: old.originalTransactionId,
      };
      expect((await subscriptions(user))[0]?.bundle).toEqual(stated);
      world.clock.advanceMs(30 * DAY_MS);
      const renewal = bundle.renew();
      delete bundle.latest.previousOriginalTransactionId;
      await notify(bundle.notification(renewal.type, null));
      expect((await subscriptions(user))[0]?.bundle).toEqual(stated);
      world.clock.advanceMs(DAY_MS);
      await notify(outOfBundle(bundle).subscribed());
      expect((await subscriptions(user))[0]?.bundle).toBeNull();
    });

    it('names no former subscription of a bundle bought at once', async () => {
      const user = newUser();
      const bought = { bundleProductId: BUNDLE };
      await post(user, world.store.subscribe(world.store.account(), plus, bought).signed());
      expect((await subscriptions(user))[0]?.bundle).toEqual({
        product_identifier: BUNDLE,
        previous_store_subscription_identifier: null,
      });
    });
  });

  it('extends the present purchase', async () => {
    await world.configure(world.keyFields);
    const { user, bundle } = await switched();
    const [subscription] = await subscriptions(user);
    const answer = await world.backend.post(
      `${world.path}/subscriptions/${subscription?.id}/actions/extend`,
      {
        extend_by_days: 3,
        extend_reason_code: 'customer_satisfaction',
      },
    );
    expect(answer.status).toBe(200);
    const [call, ...others] = world.api.calls.filter(({ method }) => method === 'PUT');
    expect(others).toEqual([]);
    expect(call?.path).toMatch(new RegExp(`/extend/${bundle.originalTransactionId}$`));
  });
});
