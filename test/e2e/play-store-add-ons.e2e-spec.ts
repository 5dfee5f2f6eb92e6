import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { webhookEventTypes } from '../../src/webhooks/events/event-types.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import type { FakePlaySubscription } from '../support/fake-play/fake-play-subscription.js';
import { walkList } from '../support/walk-list.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const { monthly, hifi, podcasts } = playProducts;

describe('subscriptions of Google Play with add-ons', () => {
  let world: PlayWorld;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await startPlayWorld();
    receiver = await startReceiver();
    for (const [name, product] of [
      ['sound', world.products.hifi],
      ['talk', world.products.podcasts],
    ] as const) {
      const made = await world.backend.post(`${world.path}/entitlements`, {
        lookup_key: name,
        display_name: name,
      });
      await world.backend.post(`${world.path}/entitlements/${made.body.id}/actions/attach_products`, {
        product_ids: [product.id],
      });
    }
    await world.backend.post(`${world.path}/integrations/webhooks`, {
      name: 'Everything',
      url: receiver.url,
      event_types: webhookEventTypes,
    });
  });
  afterAll(async () => {
    await receiver.close();
    await world.close();
  });

  const days = (count: number): void => world.clock.advanceMs(count * DAY_MS);
  const notify = async ({ token }: FakePlaySubscription, types: number[]): Promise<void> => {
    for (const type of types) expect((await world.notify(token, type)).status).toBe(200);
    world.clock.advanceMs(1_000);
  };
  const events = async (): Promise<Json[]> => {
    world.clock.advanceMs(5);
    await world.server.app.get(DeliveryDispatcherService).drain();
    return receiver.requests.splice(0).map(({ body }) => JSON.parse(body).event);
  };
  /** Lookup keys of what a customer holds now. */
  const held = async (user: string): Promise<string[]> => {
    const [v2, info] = await Promise.all([
      world.backend.get(`${world.path}/customers/${user}/active_entitlements`),
      world.sdk.get(`/v1/subscribers/${user}`),
    ]);
    const { entitlements } = info.body.subscriber as { entitlements: Record<string, Json> };
    const active = Object.entries(entitlements).filter(
      ([, { expires_date: end }]) => Date.parse(end) > world.clock.nowMs(),
    );
    expect(active).toHaveLength(v2.body.items.length);
    const explained = await world.backend.get(`${world.path}/customers/${user}/access_explanation`);
    const given = (explained.body.entitlements as Json[]).filter((entitlement) => entitlement.active);
    expect(given.map(({ lookup_key: key }) => key).sort()).toEqual(active.map(([key]) => key).sort());
    return active.map(([key]) => key).sort();
  };
  const money = async (user: string): Promise<[string, number][]> => {
    const [subscription] = await world.subscriptions(user);
    const list = await world.backend.get(`${world.path}/subscriptions/${subscription?.id}/transactions`);
    return (list.body.items as Json[]).map(({ id, revenue_in_local_currency: revenue }) => [
      id,
      revenue.gross,
    ]);
  };
  const revenue = async (user: string): Promise<number> =>
    (await world.subscriptions(user))[0]?.total_revenue_in_usd.gross;
  const item = (type: string, product: string, price: number): Json => ({
    type,
    product_id: product,
    expiration_at_ms: expect.any(Number),
    currency: 'USD',
    price,
    price_in_purchased_currency: price,
  });

  it('unlocks what each item unlocks, as one subscription that is paid for once', async () => {
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    expect((await world.post('ann', bought.token)).status).toBe(200);
    expect(await held('ann')).toEqual(['pro', 'sound']);
    const [subscription, ...others] = await world.subscriptions('ann');
    expect(others).toEqual([]);
    expect(subscription).toMatchObject({
      product_id: world.products.monthly.id,
      items: [
        { type: 'base', product_id: world.products.monthly.id, gives_access: true },
        { type: 'addon', product_id: world.products.hifi.id, store_product_identifier: 'hifi:monthly' },
      ],
    });
    expect((subscription?.entitlements.items as Json[]).map(({ lookup_key: key }) => key).sort()).toEqual([
      'pro',
      'sound',
    ]);
    const info = await world.sdk.get('/v1/subscribers/ann');
    expect(info.body.subscriber.subscriptions).toMatchObject({
      pro: { product_plan_identifier: 'monthly', price: { amount: 9.99, currency: 'USD' } },
      hifi: { product_plan_identifier: 'monthly', price: { amount: 3, currency: 'USD' } },
    });
    expect(await money('ann')).toEqual([[bought.baseOrderId, 12.99]]);
    expect(await revenue('ann')).toBe(12.99);
    const [purchase, ...more] = await events();
    expect(more).toEqual([]);
    expect(purchase).toMatchObject({
      type: 'INITIAL_PURCHASE',
      product_id: 'pro:monthly',
      entitlement_ids: ['pro', 'sound'],
      price: 12.99,
      items: [item('base', 'pro:monthly', 9.99), item('addon', 'hifi:monthly', 3)],
    });
  });

  it('leaves an event without add-ons unchanged', async () => {
    const bought = world.play.subscribe(monthly);
    await world.post('bob', bought.token);
    const [purchase] = await events();
    expect(purchase).not.toHaveProperty('items');
    const [subscription] = await world.subscriptions('bob');
    expect(subscription).not.toHaveProperty('items');
  });

  it('stays one subscription when add-ons are added and removed, through renewal, failure, refunds and end', async () => {
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('cem', bought.token);
    await events();

    days(15);
    const more = bought.changeAddOns([podcasts]);
    expect((await world.post('cem', more.token)).status).toBe(200);
    await notify(more, [4]);
    expect(await held('cem')).toEqual(['pro', 'sound', 'talk']);
    expect(await world.subscriptions('cem')).toHaveLength(1);
    expect(await money('cem')).toEqual([
      [bought.baseOrderId, 12.99],
      [more.baseOrderId, 0.75],
    ]);
    expect(await revenue('cem')).toBe(13.74);
    expect(await events()).toMatchObject([
      {
        type: 'PRODUCT_CHANGE',
        product_id: 'pro:monthly',
        price: 0,
        entitlement_ids: ['pro', 'sound', 'talk'],
        items: [{ type: 'base' }, { product_id: 'hifi:monthly' }, { product_id: 'podcasts:monthly' }],
      },
    ]);

    days(5);
    const fewer = more.changeAddOns([], [hifi]);
    await world.post('cem', fewer.token);
    expect(await held('cem')).toEqual(['pro', 'sound', 'talk']);
    expect(await events()).toEqual([]);
    const info = await world.sdk.get('/v1/subscribers/cem');
    expect(info.body.subscriber.subscriptions.hifi.unsubscribe_detected_at).not.toBeNull();
    expect(info.body.subscriber.subscriptions.podcasts.unsubscribe_detected_at).toBeNull();

    days(10);
    await notify(fewer, fewer.renew());
    expect(await held('cem')).toEqual(['pro', 'talk']);
    expect(await revenue('cem')).toBe(25.23);
    expect(await events()).toMatchObject([
      {
        type: 'RENEWAL',
        price: 11.49,
        entitlement_ids: ['pro', 'talk'],
        items: [item('base', 'pro:monthly', 9.99), item('addon', 'podcasts:monthly', 1.5)],
      },
    ]);

    days(30);
    await notify(fewer, fewer.fail(3));
    days(1);
    expect(await held('cem')).toEqual(['pro', 'talk']);
    days(3);
    await notify(fewer, fewer.hold());
    expect(await held('cem')).toEqual([]);
    await notify(fewer, fewer.recover());
    expect(await held('cem')).toEqual(['pro', 'talk']);
    await events();

    days(2);
    await notify(fewer, fewer.revoke());
    expect(await held('cem')).toEqual([]);
    expect(await revenue('cem')).toBe(25.23);
    expect(await events()).toMatchObject([
      {
        type: 'CANCELLATION',
        price: -11.49,
        items: [item('base', 'pro:monthly', -9.99), item('addon', 'podcasts:monthly', -1.5)],
      },
      { type: 'EXPIRATION', price: 0, items: [{ type: 'base' }, { product_id: 'podcasts:monthly' }] },
    ]);
  });

  it('lists what they unlock page by page, whichever item unlocks it', async () => {
    world.clock.advanceMs(1_000);
    const latest = { lookup_key: 'latest', display_name: 'Unlocked by the base, but created last' };
    const { body: entitlement } = await world.backend.post(`${world.path}/entitlements`, latest);
    await world.backend.post(`${world.path}/entitlements/${entitlement.id}/actions/attach_products`, {
      product_ids: [world.products.monthly.id],
    });
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('pam', bought.token);
    const [subscription] = await world.subscriptions('pam');
    const path = `${world.path}/subscriptions/${subscription?.id}/entitlements`;
    const all = await walkList(world.backend, path, 1);
    expect(all.map(({ lookup_key: key }) => key).sort()).toEqual(['latest', 'pro', 'sound']);
    expect(all.at(-1)?.lookup_key).toBe('latest');
    expect(subscription?.entitlements.items).toEqual(all);
    await world.backend.delete(`${world.path}/entitlements/${entitlement.id}`);
    await events();
  });

  it('ends all together when nothing renews them', async () => {
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('dan', bought.token);
    days(10);
    await notify(bought, bought.cancel());
    expect(await held('dan')).toEqual(['pro', 'sound']);
    days(20.1);
    await notify(bought, bought.expire());
    expect(await held('dan')).toEqual([]);
    expect(await world.events('dan')).toEqual([
      'INITIAL_PURCHASE',
      'CANCELLATION/UNSUBSCRIBE',
      'EXPIRATION/UNSUBSCRIBE',
    ]);
    await events();
  });

  it.each([true, false])('loses one refunded item, and only that (listed: %s)', async (isListed) => {
    const user = isListed ? 'eva' : 'eve';
    const bought = world.play.subscribe(monthly, { addOns: [hifi, podcasts] });
    await world.post(user, bought.token);
    await events();
    days(10);
    await notify(bought, bought.revokeAddOn(hifi, isListed));
    expect(await held(user)).toEqual(['pro', 'talk']);
    expect(await revenue(user)).toBe(11.49);
    expect(await events()).toMatchObject([
      { type: 'PRODUCT_CHANGE', entitlement_ids: ['pro', 'talk'], items: [{}, { type: 'addon' }] },
    ]);
  });

  it('gives the same result when an app posts late what notifications reported before', async () => {
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('gus', bought.token);
    days(15);
    const more = bought.changeAddOns([podcasts], [hifi]);
    await notify(more, [4]);
    await world.post('gus', more.token);
    days(15);
    const types = more.renew();
    await world.post('gus', more.token);
    await notify(more, types);
    await notify(bought, [13]);
    const before = await Promise.all([money('gus'), world.events('gus'), held('gus')]);
    for (const subscription of [more, bought, more]) {
      await notify(subscription, [2]);
      await world.post('gus', subscription.token);
    }
    expect(await Promise.all([money('gus'), world.events('gus'), held('gus')])).toEqual(before);
    expect(before).toEqual([
      [
        [bought.baseOrderId, 12.99],
        [more.baseOrderId, 0.75],
        [`${more.baseOrderId}..0`, 11.49],
      ],
      ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'],
      ['pro', 'talk'],
    ]);
    await events();
  });

  it('refunds a payment for an add-on alone, with or without the add-on', async () => {
    const bought = world.play.subscribe(monthly);
    await world.post('hal', bought.token);
    days(15);
    const more = bought.changeAddOns([hifi]);
    await world.post('hal', more.token);
    expect(await revenue('hal')).toBe(11.49);
    const [subscription] = await world.subscriptions('hal');
    const query = `store_subscription_identifier=${more.baseOrderId}`;
    const named = await world.backend.get(`${world.path}/subscriptions?${query}`);
    expect(named.body.items).toMatchObject([{ id: subscription?.id }]);
    const path = `${world.path}/subscriptions/${subscription?.id}/transactions/${more.baseOrderId}/actions/refund`;
    expect((await world.backend.post(path, {})).status).toBe(200);
    expect(await revenue('hal')).toBe(9.99);
    expect(await held('hal')).toEqual(['pro', 'sound']);
    await notify(more, more.revokeAddOn(hifi));
    expect(await held('hal')).toEqual(['pro']);
    expect(await revenue('hal')).toBe(9.99);
    await events();
  });

  it('refunds them one by one, and defers them with their subscription, by the product that names them', async () => {
    const bought = world.play.subscribe(monthly, { addOns: [hifi, podcasts] });
    await world.post('hugo', bought.token);
    const whole = await revenue('hugo');
    const order = (action: string, body?: object) =>
      world.backend.post(`/v1/subscribers/hugo/subscriptions/${action}`, body);
    days(10);
    expect((await order('hifi/revoke')).status).toBe(200);
    expect(await held('hugo')).toEqual(['pro', 'talk']);
    expect(await revenue('hugo')).toBe(whole - 3);
    world.clock.advanceMs(1_000);
    await world.server.app.get(StoreRefreshJob).drain();
    expect(await held('hugo')).toEqual(['pro', 'talk']);
    expect(await revenue('hugo')).toBe(whole - 3);
    const again = await order('hifi/revoke');
    expect([again.status, again.body.code]).toEqual([400, 7000]);
    expect((await order('podcasts:monthly/defer', { extend_by_days: 10 })).status).toBe(200);
    expect(await held('hugo')).toEqual(['pro', 'talk']);
    world.clock.advanceMs(60_000);
    await world.server.app.get(StoreRefreshJob).drain();
    days(25);
    expect(await held('hugo')).toEqual(['pro', 'talk']);
    expect((await order('nothing/revoke')).status).toBe(404);
    const cancelled = await order(`${bought.baseOrderId}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(await world.events('hugo')).toEqual([
      'INITIAL_PURCHASE',
      'PRODUCT_CHANGE',
      'SUBSCRIPTION_EXTENDED',
      'CANCELLATION/DEVELOPER_INITIATED',
    ]);
    await events();
  });

  it('prefers them where a subscription of the same product is over', async () => {
    const over = world.play.subscribe(hifi);
    await world.post('iris', over.token);
    days(1);
    over.cancel();
    await notify(over, [3]);
    days(35);
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('iris', bought.token);
    expect(await held('iris')).toEqual(['pro', 'sound']);
    days(1);
    expect((await world.backend.post('/v1/subscribers/iris/subscriptions/hifi/revoke')).status).toBe(200);
    expect(await held('iris')).toEqual(['pro']);
    await events();
  });

  it('refunds add-ons of one charge together only when the charge is refunded', async () => {
    const bought = world.play.subscribe(monthly);
    await world.post('ines', bought.token);
    days(15);
    const more = bought.changeAddOns([hifi]);
    await world.post('ines', more.token);
    const before = await revenue('ines');
    const answer = await world.backend.post('/v1/subscribers/ines/subscriptions/hifi:monthly/revoke');
    expect(answer.status).toBe(200);
    expect([await held('ines'), await revenue('ines')]).toEqual([['pro'], before - 1.5]);
    await world.server.app.get(StoreRefreshJob).drain();
    expect([await held('ines'), await revenue('ines')]).toEqual([['pro'], before - 1.5]);
    await events();
  });

  it('unlocks what a product unlocks that is added to the catalog later', async () => {
    const unknown = { id: 'lyrics', basePlanId: 'monthly', priceMicros: 1_000_000, periodMs: 30 * DAY_MS };
    const bought = world.play.subscribe(monthly, { addOns: [unknown] });
    await world.post('ivy', bought.token);
    expect(await held('ivy')).toEqual(['pro']);
    const product = await world.backend.post(`${world.path}/products`, {
      store_identifier: 'lyrics:monthly',
      app_id: world.appId,
      type: 'subscription',
    });
    const entitlement = await world.backend.post(`${world.path}/entitlements`, {
      lookup_key: 'words',
      display_name: 'Words',
    });
    await world.backend.post(`${world.path}/entitlements/${entitlement.body.id}/actions/attach_products`, {
      product_ids: [product.body.id],
    });
    expect(await held('ivy')).toEqual(['pro', 'words']);
    await events();
  });

  it('forms one lifetime without the permission to read orders, too', async () => {
    world.google.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('kai', bought.token);
    expect(await money('kai')).toEqual([[bought.baseOrderId, 12.99]]);
    days(15);
    const more = bought.changeAddOns([podcasts], [hifi]);
    await world.post('kai', more.token);
    expect(await held('kai')).toEqual(['pro', 'sound', 'talk']);
    days(15);
    await notify(more, more.renew());
    world.google.interfere = () => undefined;
    expect(await held('kai')).toEqual(['pro', 'talk']);
    expect(await world.events('kai')).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
    const [subscription, ...others] = await world.subscriptions('kai');
    expect(others).toEqual([]);
    expect(subscription?.total_revenue_in_usd.gross).toBe(24.48);
    await events();
  });

  it('credits what the product of each item grants, with each charge', async () => {
    for (const [code, product, amount] of [
      ['GLD', world.products.monthly, 100],
      ['SND', world.products.hifi, 7],
      ['TLK', world.products.podcasts, 3],
    ] as const) {
      const made = await world.backend.post(`${world.path}/virtual_currencies`, {
        code,
        name: code,
        product_grants: [{ product_ids: [product.id], amount }],
      });
      expect(made.status).toBe(201);
    }
    const balances = async (): Promise<Record<string, number>> => {
      const list = await world.backend.get(`${world.path}/customers/fay/virtual_currencies`);
      return Object.fromEntries(
        (list.body.items as Json[]).map(({ currency_code: code, balance }) => [code, balance]),
      );
    };
    const bought = world.play.subscribe(monthly, { addOns: [hifi] });
    await world.post('fay', bought.token);
    expect(await balances()).toMatchObject({ GLD: 100, SND: 7 });
    days(15);
    const more = bought.changeAddOns([podcasts]);
    await world.post('fay', more.token);
    await world.post('fay', more.token);
    expect(await balances()).toMatchObject({ GLD: 100, SND: 7, TLK: 3 });
    days(15);
    await notify(more, more.renew());
    expect(await balances()).toMatchObject({ GLD: 200, SND: 14, TLK: 6 });
    await notify(more, more.revoke());
    expect(await balances()).toMatchObject({ GLD: 100, SND: 7, TLK: 3 });
    await events();
  });
});
