import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { createSecretKey } from '../support/arrange.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { googleError } from '../support/fake-play/play-answer.js';
import { playProducts } from '../support/fake-play/fake-play.js';

const DAY_MS = 86_400_000;

/** Parts of both worlds, and how to buy something in each without posting it. */
interface World {
  path: string;
  backend: ApiClient;
  sdk: ApiClient;
}

let count = 0;

async function newCustomer({ backend, path }: World): Promise<string> {
  const id = `restorer-${++count}`;
  await backend.post(`${path}/customers`, { id });
  return id;
}

function restore({ backend, path }: World, appUserId: string, order_id: string): Promise<Answer> {
  const place = `${path}/customers/${appUserId}/actions/restore_purchase_by_order_id`;
  return backend.post(place, { order_id });
}

async function subscriptionsOf({ backend, path }: World, id: string): Promise<Json[]> {
  return (await backend.get(`${path}/customers/${id}/subscriptions`)).body.items;
}

const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.type, body.param ?? null];

describe('orders that were not posted', () => {
  describe('in the App Store', () => {
    let world: AppStoreWorld;

    beforeAll(async () => {
      world = await startAppStoreWorld();
    });
    beforeEach(() => world.configure(world.keyFields));
    afterEach(() => {
      world.api.interfere = () => undefined;
    });
    afterAll(() => world.close());

    const subscribed = (environment: 'Production' | 'Sandbox' = 'Production') => {
      const subscription = world.store.subscribe(world.store.account(environment), fakeProducts.monthly);
      return { subscription, orderId: world.store.order(subscription.latest) };
    };

    it('hides orders of other projects', async () => {
      const { orderId } = subscribed();
      const user = await newCustomer(world);
      const project = await world.session.post('/v2/projects', { name: 'Another one' });
      const projectId: string = project.body.id;
      const { client } = await createSecretKey(world.session, projectId);
      const foreign = { ...world, backend: client };
      expect((await restore(foreign, user, orderId)).status).toBe(404);
      const own = { backend: client, sdk: world.sdk, path: `/v2/projects/${projectId}` };
      const stranger = await newCustomer(own);
      expect(refusalOf(await restore(own, stranger, orderId))).toEqual([404, 'resource_missing', 'order_id']);
      expect(refusalOf(await restore(world, 'nobody-here', orderId)).slice(0, 2)).toEqual([
        404,
        'resource_missing',
      ]);
    });

    it('returns it to the customer who names it, as the store has it by now; a repeat adds nothing', async () => {
      const { subscription, orderId } = subscribed();
      world.clock.advanceMs(30 * DAY_MS);
      subscription.renew();
      subscription.cancel();
      const user = await newCustomer(world);
      const answer = await restore(world, user, orderId);
      expect(answer.status).toBe(200);
      expect(answer.body.active_entitlements.items).toHaveLength(1);
      expect((await restore(world, user, orderId)).status).toBe(200);
      const [row, ...others] = await subscriptionsOf(world, user);
      expect(others).toEqual([]);
      expect(row).toMatchObject({ gives_access: true, auto_renewal_status: 'will_not_renew' });
      expect(row?.total_revenue_in_usd.gross).toBeCloseTo(19.98, 2);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION/UNSUBSCRIBE']);
    });

    it('finds a lifetime product, and nothing else of the account', async () => {
      const account = world.store.account();
      const { transaction } = world.store.buy(account, fakeProducts.lifetime, 'Non-Consumable');
      world.store.subscribe(account, fakeProducts.monthly);
      const user = await newCustomer(world);
      expect((await restore(world, user, world.store.order(transaction))).status).toBe(200);
      expect(await subscriptionsOf(world, user)).toEqual([]);
      const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(body.subscriber.entitlements.pro.expires_date).toBeNull();
    });

    it('leaves it with its owner, as the transfer behaviour says', async () => {
      const [owner, other] = [await newCustomer(world), await newCustomer(world)];
      const { subscription, orderId } = subscribed();
      await world.post(owner, subscription.signed());
      await world.backend.post(world.path, { transfer_behavior: 'keep' });
      expect(refusalOf(await restore(world, other, orderId))).toEqual([
        409,
        'resource_already_exists',
        'order_id',
      ]);
      expect(await subscriptionsOf(world, other)).toEqual([]);
      await world.backend.post(world.path, { transfer_behavior: 'transfer' });
      expect((await restore(world, other, orderId)).status).toBe(200);
      expect([await subscriptionsOf(world, owner), await subscriptionsOf(world, other)]).toMatchObject([
        [],
        [{ gives_access: true }],
      ]);
      expect(await world.events(other)).toEqual(['TRANSFER']);
    });

    it('creates one purchase of one customer when requested ten times at once', async () => {
      const { orderId } = subscribed();
      const people = await Promise.all(Array.from({ length: 5 }, () => newCustomer(world)));
      const answers = await Promise.all(
        [...people, ...people].map((person) => restore(world, person, orderId)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const owned = await Promise.all(people.map((person) => subscriptionsOf(world, person)));
      expect(owned.flat()).toHaveLength(1);
    });

    it('finds no order that Apple does not know, or only in the sandbox', async () => {
      const user = await newCustomer(world);
      for (const orderId of ['MABCDEFGHI', '../../v1/x', 'M../1', 'M%2e%2e']) {
        expect(refusalOf(await restore(world, user, orderId))).toEqual([404, 'resource_missing', 'order_id']);
      }
      const { orderId: ofSandbox } = subscribed('Sandbox');
      const answer = await restore(world, user, ofSandbox);
      expect(refusalOf(answer)).toEqual([404, 'resource_missing', 'order_id']);
      expect(answer.body.message).toContain('orders of the sandbox (TestFlight, too) it does not look up');
      const calls = world.api.calls.filter(({ path }) => path.includes('lookup'));
      expect(calls.map(({ path }) => path).every((path) => /\/lookup\/M[0-9A-Z]+$/.test(path))).toBe(true);
      expect(calls.every(({ environment }) => environment === 'Production')).toBe(true);
    });

    it('finds no order of an app that was never released, and accepts its key', async () => {
      const user = await newCustomer(world);
      world.api.interfere = ({ environment }) => (environment === 'Production' ? unauthorized : undefined);
      const { orderId } = subscribed();
      expect(refusalOf(await restore(world, user, orderId))).toEqual([404, 'resource_missing', 'order_id']);
      const { body } = await world.backend.get(`${world.path}/setup_health`);
      expect(body.apps[0].credentials_error).toBeNull();
      world.api.interfere = ({ environment }) => (environment === 'Production' ? unauthorized : serverError);
      expect(refusalOf(await restore(world, user, orderId)).slice(0, 2)).toEqual([503, 'store_error']);
    });

    it('waits while Apple does not answer, answers what it did not sign, or refuses the key', async () => {
      const user = await newCustomer(world);
      const { orderId } = subscribed();
      for (const answer of [
        serverError,
        unauthorized,
        { status: 429 },
        { status: 200, instead: 'reset' as const },
      ]) {
        world.api.interfere = () => answer;
        expect(refusalOf(await restore(world, user, orderId)).slice(0, 2)).toEqual([503, 'store_error']);
        world.clock.advanceMs(60_000);
      }
      const foreign = { status: 0, signedTransactions: ['eyJhbGciOiJub25lIn0.e30.'] };
      world.api.interfere = ({ path }) =>
        path.includes('lookup') ? { status: 200, body: foreign } : undefined;
      expect((await restore(world, user, orderId)).status).toBe(503);
      expect(await subscriptionsOf(world, user)).toEqual([]);
    });
  });

  describe('in Google Play', () => {
    let world: PlayWorld;

    beforeAll(async () => {
      world = await startPlayWorld();
    });
    afterEach(() => {
      world.google.interfere = () => undefined;
    });
    afterAll(() => world.close());

    it('finds them by the first order and by that of any renewal, and acknowledges them', async () => {
      for (const suffix of ['', '..0']) {
        const subscription = world.play.subscribe(playProducts.monthly);
        world.clock.advanceMs(30 * DAY_MS);
        subscription.renew();
        const user = await newCustomer(world);
        const answer = await restore(world, user, `${subscription.baseOrderId}${suffix}`);
        expect([answer.status, answer.body.active_entitlements.items.length]).toEqual([200, 1]);
        await world.tasks();
        expect(subscription.isAcknowledged).toBe(true);
        expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      }
    });

    it('finds products, too', async () => {
      const user = await newCustomer(world);
      const bought = world.play.buy(playProducts.lifetime);
      expect((await restore(world, user, bought.purchase.orderId ?? '')).status).toBe(200);
      const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
      expect(body.subscriber.entitlements.pro.expires_date).toBeNull();
    });

    it('finds no order that Google does not know; while Google is down it waits', async () => {
      const user = await newCustomer(world);
      const unknown = 'GPA.3312-1234-5678-90123';
      expect(refusalOf(await restore(world, user, unknown))).toEqual([404, 'resource_missing', 'order_id']);
      const { baseOrderId } = world.play.subscribe(playProducts.monthly);
      for (const answer of [
        googleError(500, 'backendError'),
        googleError(403, 'permissionDenied'),
        googleError(429, 'rateLimitExceeded'),
      ]) {
        world.google.interfere = () => answer;
        expect(refusalOf(await restore(world, user, baseOrderId)).slice(0, 2)).toEqual([503, 'store_error']);
      }
      world.google.interfere = () => undefined;
      expect((await restore(world, user, baseOrderId)).status).toBe(200);
    });
  });
});
