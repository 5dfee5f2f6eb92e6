import type { ProductPurchase } from '../../libs/stores/index.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { type FakePlayPurchase, playProducts } from '../support/fake-play/fake-play.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a one-time product of Google Play', () => {
  let world: PlayWorld;
  let count = 0;

  const newAppUserId = (): string => `user-${++count}`;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  beforeEach(() => {
    world.google.interfere = () => undefined;
  });
  afterAll(() => world?.close());

  describe('that the catalog lacks', () => {
    let packs = 0;
    const newPack = () => ({ id: `pack_${++packs}`, priceMicros: 990_000 });
    const register = (id: string, type: string): Promise<Answer> =>
      world.backend.post(`${world.path}/products`, { store_identifier: id, app_id: world.appId, type });
    const stateOf = ({ purchase }: { purchase: ProductPurchase }): string[] => [
      purchase.acknowledgementState?.replace('ACKNOWLEDGEMENT_STATE_', '') ?? '',
      purchase.productLineItem?.[0]?.productOfferDetails?.consumptionState?.replace(
        'CONSUMPTION_STATE_',
        '',
      ) ?? '',
    ];

    it('acknowledges it only when it stays unknown, a day before Google gives the money back', async () => {
      const pack = newPack();
      const bought = world.play.buy(pack);
      const answer = await world.post(newAppUserId(), bought.token, pack);
      expect(answer.body.purchased_products).toEqual({ [pack.id]: { should_consume: false } });
      for (let hours = 0; hours < 47; hours++) {
        await world.tasks();
        world.clock.advanceMs(HOUR_MS);
      }
      await world.tasks();
      expect(stateOf(bought)).toEqual(['PENDING', 'YET_TO_BE_CONSUMED']);
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'YET_TO_BE_CONSUMED']);
    });

    it.each(['before the app acknowledged it', 'after the app acknowledged it'])(
      'consumes it once the catalog knows it as a consumable, %s',
      async (when) => {
        const pack = newPack();
        const bought = world.play.buy(pack);
        await world.post(newAppUserId(), bought.token, pack);
        await world.tasks();
        if (when.startsWith('after'))
          bought.purchase.acknowledgementState = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
        world.clock.advanceMs(30 * HOUR_MS);
        await world.tasks();
        expect((await register(pack.id, 'consumable')).status).toBe(201);
        world.clock.advanceMs(HOUR_MS);
        await world.tasks();
        expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'CONSUMED']);
        const again = world.play.buy(pack);
        const { body } = await world.post(newAppUserId(), again.token, pack);
        expect(body.purchased_products).toEqual({ [pack.id]: { should_consume: true } });
      },
    );

    it('finishes when the app consumed it first, and when the money went back', async () => {
      const [consumed, refunded] = [newPack(), newPack()];
      const [first, second] = [world.play.buy(consumed), world.play.buy(refunded)];
      await world.post(newAppUserId(), first.token, consumed);
      await world.post(newAppUserId(), second.token, refunded);
      await register(consumed.id, 'consumable');
      await register(refunded.id, 'consumable');
      const [item] = first.purchase.productLineItem ?? [];
      if (item) item.productOfferDetails = { consumptionState: 'CONSUMPTION_STATE_CONSUMED' };
      world.play.refundProduct(second);
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      const left = await world.server.dataSource.query(
        `SELECT key FROM store_tasks WHERE kind = 'acknowledge_purchase' AND key = ANY($1) AND mark_at > 'epoch'`,
        [[first.token, second.token]],
      );
      expect(left).toEqual([]);
    });

    it('acknowledges it at least when Google does not let it be consumed', async () => {
      const pack = newPack();
      const bought = world.play.buy(pack);
      await world.post(newAppUserId(), bought.token, pack);
      await register(pack.id, 'consumable');
      world.google.interfere = ({ path }) =>
        path.endsWith(':consume') ? googleError(400, 'invalid') : undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'YET_TO_BE_CONSUMED']);
      world.google.interfere = () => undefined;
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'CONSUMED']);
    });

    it('acknowledges it as soon as the catalog knows it as no consumable', async () => {
      const pack = newPack();
      const bought = world.play.buy(pack);
      await world.post(newAppUserId(), bought.token, pack);
      await world.tasks();
      await register(pack.id, 'non_consumable');
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'YET_TO_BE_CONSUMED']);
    });

    it.each([
      ['it is a test purchase, which Google takes back within minutes', { test: true }, 0],
      ['it reaches this server late', {}, 60],
    ])('never waits when %s', async (_, options, hoursLate) => {
      const pack = newPack();
      const bought = world.play.buy(pack, options);
      world.clock.advanceMs(hoursLate * HOUR_MS);
      await world.post(newAppUserId(), bought.token, pack);
      await world.tasks();
      expect(stateOf(bought)).toEqual(['ACKNOWLEDGED', 'YET_TO_BE_CONSUMED']);
    });
  });

  describe('that is rented out', () => {
    const movie = { id: 'movie_1', priceMicros: 3_990_000 };
    let productId = '';
    let entitlementId = '';
    const created = async (path: string, body: object): Promise<string> =>
      (await world.backend.post(`${world.path}${path}`, body)).body.id;
    const setDuration = async (duration: string | null): Promise<void> => {
      const change = { subscription: { duration } };
      expect((await world.backend.post(`${world.path}/products/${productId}`, change)).status).toBe(200);
    };
    /** Compares every answer about access; undefined if none of them has the entitlement. */
    const access = async (
      user: string,
    ): Promise<{ active: boolean; untilMs?: number | null } | undefined> => {
      const path = `${world.path}/customers/${user}`;
      const info = await world.sdk.get(`/v1/subscribers/${user}`);
      const held = await world.backend.get(`${path}/active_entitlements`);
      const { body } = await world.backend.get(`${path}/access_explanation`);
      const explained = body.entitlements.find((one: Json) => one.lookup_key === 'cinema');
      const { cinema } = info.body.subscriber.entitlements;
      // The web SDK takes every listed one-time purchase for active.
      expect(cinema !== undefined).toBe(explained?.active ?? false);
      expect(held.body.items.map((one: Json) => [one.entitlement_id, one.expires_at])).toEqual(
        explained?.active ? [[entitlementId, explained.until]] : [],
      );
      if (explained === undefined) return undefined;
      expect(explained.cause.type).toBe(explained.active ? 'purchase' : 'expiry');
      if (cinema === undefined) return { active: false };
      const untilMs = cinema.expires_date === null ? null : Date.parse(cinema.expires_date);
      expect(explained.until).toBe(untilMs);
      return { active: true, untilMs };
    };

    beforeAll(async () => {
      const app = { app_id: world.appId, store_identifier: movie.id, type: 'one_time' };
      productId = await created('/products', app);
      entitlementId = await created('/entitlements', { lookup_key: 'cinema', display_name: 'Cinema' });
      await world.backend.post(`${world.path}/entitlements/${entitlementId}/actions/attach_products`, {
        product_ids: [productId],
      });
    });

    // REST v1 has no fractions of seconds.
    beforeEach(() => world.clock.advanceMs(1_000 - (world.clock.nowMs() % 1_000)));

    it('unlocks nothing until its product has a duration, then from the purchase on', async () => {
      await setDuration(null);
      const [user, boughtAtMs] = [newAppUserId(), world.clock.nowMs()];
      expect((await world.post(user, world.play.buy(movie, { isRental: true }).token, movie)).status).toBe(
        200,
      );
      expect(await access(user)).toBeUndefined();
      const { body: list } = await world.backend.get(`${world.path}/customers/${user}/purchases`);
      expect(list.items).toMatchObject([{ status: 'owned', entitlements: { items: [] } }]);
      world.clock.advanceMs(DAY_MS);
      await setDuration('P2D');
      const untilMs = boughtAtMs + 2 * DAY_MS;
      expect(await access(user)).toEqual({ active: true, untilMs });
      const { text } = await world.sdk.get(`/v1/subscribers/${user}`);
      world.clock.advanceMs(DAY_MS);
      expect(await access(user)).toEqual({ active: false });
      // The purchase itself stays in the answer.
      const ended = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(ended.body.subscriber.non_subscriptions).toEqual(JSON.parse(text).subscriber.non_subscriptions);
      expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE']);
    });

    it('appears in setup health while its product has no duration', async () => {
      const unset = async (): Promise<Json> =>
        (await world.backend.get(`${world.path}/setup_health`)).body.rentals_without_duration;
      const episode = { id: 'episode_1', priceMicros: 1_990_000 };
      const post = async (isRental: boolean): Promise<void> => {
        const { token } = world.play.buy(episode, { isRental });
        expect((await world.post(newAppUserId(), token, episode)).status).toBe(200);
      };
      await setDuration('P2D');
      await post(true);
      expect(await unset()).toEqual([]);
      const app = { app_id: world.appId, store_identifier: episode.id, type: 'non_consumable' };
      const id = await created('/products', app);
      await post(true);
      await post(false);
      expect(await unset()).toEqual([
        { app_id: world.appId, app_name: 'Android app', store_identifier: episode.id, purchases: 2 },
      ]);
      await world.backend.post(`${world.path}/products/${id}`, { subscription: { duration: 'P1D' } });
      expect(await unset()).toEqual([]);
    });

    it('ends a purchase recorded as outright once its product gets a duration', async () => {
      await setDuration(null);
      const [user, boughtAtMs] = [newAppUserId(), world.clock.nowMs()];
      const { token, purchase } = world.play.buy(movie);
      await world.post(user, token, movie);
      const buyer = newAppUserId();
      await world.post(buyer, world.play.buy(movie).token, movie);
      const [item] = purchase.productLineItem ?? [];
      if (item?.productOfferDetails) item.productOfferDetails.rentOfferDetails = {};
      world.clock.advanceMs(DAY_MS);
      expect(await access(user)).toEqual({ active: true, untilMs: null });
      await setDuration('P3D');
      await world.server.app.get(StoreTasksService).drain();
      world.clock.advanceMs(HOUR_MS);
      await world.server.app.get(StoreRefreshJob).drain();
      expect(await access(user)).toEqual({ active: true, untilMs: boughtAtMs + 3 * DAY_MS });
      expect(await access(buyer)).toEqual({ active: true, untilMs: null });
    });

    it.each([null, 'P2D'])('unlocks nothing after 60 days with the duration %s', async (duration) => {
      await setDuration(duration);
      const user = newAppUserId();
      const { token } = world.play.buy(movie, { isRental: true });
      world.clock.advanceMs(60 * DAY_MS);
      expect((await world.post(user, token, movie)).status).toBe(200);
      expect(await access(user)).toEqual(duration === null ? undefined : { active: false });
    });

    it.each([
      [null, null],
      ['P2D', ['cinema']],
    ])(
      'names in its events what it unlocks with the duration %s; its end sends none',
      async (duration, ids) => {
        await setDuration(duration);
        const user = newAppUserId();
        const rented = world.play.buy(movie, { isRental: true });
        expect((await world.post(user, rented.token, movie)).status).toBe(200);
        world.clock.advanceMs(3 * DAY_MS);
        await world.server.app.get(DueWorkJob).run();
        world.play.refundProduct(rented);
        await world.tasks();
        const { body } = await world.backend.get(`${world.path}/customers/${user}/events`);
        const sent = body.items.map(({ type, body: event }: Json) => [type, event.entitlement_ids]);
        expect(sent.reverse()).toEqual([
          ['NON_RENEWING_PURCHASE', ids],
          ['CANCELLATION', ids],
        ]);
      },
    );

    it('does not limit a purchase of the same product', async () => {
      await setDuration('P2D');
      const user = newAppUserId();
      await world.post(user, world.play.buy(movie).token, movie);
      world.clock.advanceMs(60 * DAY_MS);
      expect(await access(user)).toEqual({ active: true, untilMs: null });
    });
  });

  describe('bought together with another one', () => {
    const { coins, lifetime } = playProducts;
    let user = '';
    let bought: FakePlayPurchase;

    const purchases = async (owner = user): Promise<Json[]> => {
      const { body } = await world.backend.get(`${world.path}/customers/${owner}/purchases`);
      return body.items.sort((a: Json) => (a.product_id === world.products.coins.id ? -1 : 1));
    };
    const statuses = async (): Promise<string[]> => (await purchases()).map(({ status }) => status);
    const refresh = (): Promise<void> => world.server.app.get(StoreRefreshJob).drain();

    beforeEach(async () => {
      user = newAppUserId();
      bought = world.play.buy(coins, { together: [lifetime] });
      await world.post(user, bought.token, coins);
      expect(await statuses()).toEqual(['owned', 'owned']);
    });

    it('refunds the whole order, whichever of its products is refunded', async () => {
      const [, second] = await purchases();
      await refresh();
      world.google.calls.length = 0;
      const answer = await world.backend.post(`${world.path}/purchases/${second?.id}/actions/refund`);
      expect([answer.status, answer.body.status]).toEqual([200, 'refunded']);
      await refresh();
      expect(await statuses()).toEqual(['refunded', 'refunded']);
      const info = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(info.body.subscriber.entitlements).toEqual({});
      const asked = world.google.calls.map(({ path }) => path).filter((path) => path.includes('/tokens/'));
      expect(asked).toEqual([
        `/purchases/subscriptionsv2/tokens/${bought.token}`,
        `/purchases/productsv2/tokens/${bought.token}`,
      ]);
    });

    it('reads it again by the token of the purchase once its product gets a duration', async () => {
      const [, item] = bought.purchase.productLineItem ?? [];
      if (item?.productOfferDetails) item.productOfferDetails.rentOfferDetails = {};
      world.clock.advanceMs(DAY_MS);
      const path = `${world.path}/products/${world.products.lifetime.id}`;
      await world.backend.post(path, { subscription: { duration: 'P2D' } });
      await world.server.app.get(StoreTasksService).drain();
      world.clock.advanceMs(HOUR_MS);
      await refresh();
      const { pro } = (await world.sdk.get(`/v1/subscribers/${user}`)).body.subscriber.entitlements;
      expect(Date.parse(pro.expires_date) - Date.parse(pro.purchase_date)).toBe(2 * DAY_MS);
      await world.backend.post(path, { subscription: { duration: null } });
    });

    it('refunds it with the other one when the order is in the list of voided purchases', async () => {
      world.play.refundProduct(bought);
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(await statuses()).toEqual(['refunded', 'refunded']);
    });

    it('moves with the other one when its order is restored', async () => {
      const other = newAppUserId();
      await world.backend.post(`${world.path}/customers`, { id: other });
      const { status } = await world.backend.post(
        `${world.path}/customers/${other}/actions/restore_purchase_by_order_id`,
        { order_id: bought.purchase.orderId },
      );
      expect([status, (await purchases(other)).length, (await purchases()).length]).toEqual([200, 2, 0]);
    });
  });
});
