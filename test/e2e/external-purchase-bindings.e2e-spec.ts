import { Registry } from 'prom-client';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { startPaddleWorld } from '../support/arrange-paddle.js';
import type { StoreWorld } from '../support/arrange-store-app.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { paddlePrices } from '../support/fake-paddle/fake-paddle.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';

const HOUR_MS = 3_600_000;
const bundleId = 'com.example.app';

let count = 0;
const newAppUserId = (): string => `bound-${++count}`;
const metadata = (id: unknown): object => ({ external_purchase_token_id: id });

/** An app of the App Store in a project that sells on the web, and its tokens. */
class Tokens {
  private constructor(
    private readonly world: StoreWorld,
    readonly appId: string,
  ) {}

  static async of(world: StoreWorld): Promise<Tokens> {
    const own = { bundle_id: bundleId, app_apple_id: 6443000000 };
    const body = { name: 'iOS', type: 'app_store', app_store: own };
    const { id } = (await world.backend.post(`${world.path}/apps`, body)).body;
    return new Tokens(world, id as string);
  }

  path(suffix = ''): string {
    return `${this.world.path}/external_purchase_tokens${suffix}`;
  }

  /** Id of a new token of a customer, who is created if need be. */
  async add(appUserId: string, more: object = {}): Promise<string> {
    const { backend, clock, path, sdk } = this.world;
    clock.advanceMs(1_000);
    await sdk.get(`/v1/subscribers/${appUserId}`);
    const content = {
      appAppleId: 6443000000,
      bundleId,
      tokenCreationDate: clock.nowMs(),
      externalPurchaseId: `purchase-${++count}`,
      ...more,
    };
    const token = Buffer.from(JSON.stringify(content)).toString('base64url');
    const body = { app_id: this.appId, store: 'apple', token };
    const answer = await backend.post(`${path}/customers/${appUserId}/external_purchase_tokens`, body);
    expect(answer.status).toBe(201);
    clock.advanceMs(1_000);
    return answer.body.id;
  }

  async get(id: string): Promise<Json> {
    return (await this.world.backend.get(this.path(`/${id}`))).body;
  }

  /** State of a token, and what is bound to it. */
  async stateOf(id: string): Promise<unknown[]> {
    const { state, bindings } = await this.get(id);
    return [
      state,
      ...bindings.map((one: Json) => `${one.store} ${one.store_purchase_identifier} ${one.bound_by}`),
    ];
  }

  async bindBy(bind: 'id' | 'newest' | null): Promise<void> {
    const settings = bind === null ? null : { bind };
    const body = { app_store: { external_purchase_reports: settings } };
    const { status } = await this.world.backend.post(`${this.world.path}/apps/${this.appId}`, body);
    expect(status).toBe(200);
  }

  bind(id: string, body: object, client: ApiClient = this.world.backend): Promise<Answer> {
    return client.post(this.path(`/${id}/actions/bind`), body);
  }

  async ignored(reason: string): Promise<number> {
    const name = 'tenure_external_purchase_token_conflicts_total';
    const metric = await this.world.server.app.get(Registry).getSingleMetric(name)?.get();
    return metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
  }
}

describe('bindings of outside purchases', () => {
  describe('at Stripe', () => {
    let world: StripeWorld;
    let tokens: Tokens;

    beforeAll(async () => {
      world = await startStripeWorld({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
      tokens = await Tokens.of(world);
    });
    beforeEach(() => tokens.bindBy(null));
    afterAll(() => world.close());

    it('binds a subscription whose metadata names a token, for ever', async () => {
      const user = newAppUserId();
      const [token, other] = [await tokens.add(user), await tokens.add(user)];
      const life = world.stripe.subscribe();
      life.object.metadata = metadata(token);
      expect((await world.post(user, life.id)).status).toBe(200);
      expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${life.id} id`]);
      expect((await tokens.get(token)).bindings[0].bound_at).toBe(world.clock.nowMs());
      life.object.metadata = metadata(other);
      world.clock.advanceMs(HOUR_MS);
      await world.post(user, life.id);
      expect(await tokens.stateOf(other)).toEqual(['open']);
      expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${life.id} id`]);
      const used = await world.backend.get(tokens.path(`?state=used&customer_id=${user}`));
      expect(used.body.items.map(({ id }: Json) => id)).toEqual([token]);
    });

    it('binds a known subscription once its metadata names a token', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      const token = await tokens.add(user);
      life.object.metadata = metadata(token);
      await world.notify(world.stripe.event('customer.subscription.updated', life.object));
      expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${life.id} id`]);
    });

    it('binds one-time purchases by the metadata of the session or of its payment', async () => {
      const user = newAppUserId();
      const ids: string[] = [];
      for (const place of ['session', 'payment'] as const) {
        const token = await tokens.add(user);
        const { session } = world.stripe.checkout([{ price: fakePrices.lifetime }]);
        const intent = session.payment_intent as { id: string; metadata?: object };
        if (place === 'session') session.metadata = metadata(token);
        else intent.metadata = metadata(token);
        expect((await world.post(user, session.id)).status).toBe(200);
        expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${intent.id} id`]);
        ids.push(token);
      }
      expect(new Set(ids).size).toBe(2);
    });

    it("binds a subscription by its session's metadata, posted by an app or by Stripe", async () => {
      for (const sender of ['app', 'stripe']) {
        const user = newAppUserId();
        const token = await tokens.add(user);
        const { id } = world.stripe.subscribe();
        const options = { mode: 'subscription', subscription: id } as const;
        const { session } = world.stripe.checkout([{ price: fakePrices.monthly }], options);
        session.metadata = metadata(token);
        if (sender === 'app') await world.post(user, session.id);
        else {
          await world.post(user, id);
          expect(await tokens.stateOf(token)).toEqual(['open']);
          await world.notify(world.stripe.event('checkout.session.completed', session));
        }
        expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${id} id`]);
      }
    });

    it('binds what a subscription sold once to the token of the subscription', async () => {
      const user = newAppUserId();
      await tokens.bindBy('newest');
      const token = await tokens.add(user);
      const lines = [
        { of: 'item', price: fakePrices.monthly, amount: fakePrices.monthly.amount },
        { of: 'once', price: fakePrices.lifetime, amount: 4999 },
      ] as const;
      const life = world.stripe.subscribe(fakePrices.monthly, { lines: [...lines] });
      await world.post(user, life.id);
      const [state, ...bound] = await tokens.stateOf(token);
      expect([state, bound.length]).toEqual(['used', 2]);
      expect(bound).toContain(`stripe ${life.id} newest`);
    });

    it('binds to the only open token of the last 24 hours if the app is set to do so', async () => {
      const user = newAppUserId();
      const token = await tokens.add(user);
      const life = world.stripe.subscribe();
      await world.post(user, life.id);
      expect(await tokens.stateOf(token)).toEqual(['open']);
      await tokens.bindBy('newest');
      const second = world.stripe.subscribe();
      await world.post(user, second.id);
      expect(await tokens.stateOf(token)).toEqual(['used', `stripe ${second.id} newest`]);
    });

    it('binds none of two open tokens, nor one that is older or of another environment', async () => {
      await tokens.bindBy('newest');
      const chooser = newAppUserId();
      const two = [await tokens.add(chooser), await tokens.add(chooser)];
      await world.post(chooser, world.stripe.subscribe().id);
      const late = newAppUserId();
      const old = await tokens.add(late);
      const tester = newAppUserId();
      const live = await tokens.add(tester);
      await world.post(tester, world.stripe.subscribe(fakePrices.monthly, { livemode: false }).id);
      world.clock.advanceMs(24 * HOUR_MS + 1);
      await world.post(late, world.stripe.subscribe().id);
      for (const token of [...two, old, live]) expect(await tokens.stateOf(token)).toEqual(['open']);
    });

    it('ignores and counts ids of other customers, unknown ids and unusable tokens', async () => {
      const user = newAppUserId();
      const [foreign, unreadable] = [await tokens.add(newAppUserId()), await tokens.add(user)];
      await world.server.dataSource.query(
        `UPDATE external_purchase_tokens SET state = 'unreadable' WHERE project_id = $1 AND id = $2`,
        [world.projectId, unreadable],
      );
      const cases = [
        ['other_customer', foreign],
        ['unknown_id', `ept${'0'.repeat(32)}`],
        ['unusable', unreadable],
      ] as const;
      for (const [reason, id] of cases) {
        const before = await tokens.ignored(reason);
        const life = world.stripe.subscribe();
        life.object.metadata = metadata(id);
        expect((await world.post(user, life.id)).status).toBe(200);
        expect([reason, (await tokens.ignored(reason)) - before]).toEqual([reason, 1]);
      }
      for (const odd of [5, {}, 'ept1']) {
        const life = world.stripe.subscribe();
        life.object.metadata = metadata(odd);
        expect((await world.post(user, life.id)).status).toBe(200);
      }
      expect(await tokens.stateOf(foreign)).toEqual(['open']);
    });

    it('keeps the binding when the customers are merged, and when the customer is deleted', async () => {
      const anonymous = `$RCAnonymousID:${'c'.repeat(32)}`;
      const token = await tokens.add(anonymous);
      const life = world.stripe.subscribe();
      life.object.metadata = metadata(token);
      await world.post(anonymous, life.id);
      const user = newAppUserId();
      await world.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: user });
      expect((await tokens.get(token)).bindings).toHaveLength(1);
      expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
      expect(await tokens.get(token)).toMatchObject({ customer_id: null, state: 'used' });
      expect((await tokens.get(token)).bindings).toHaveLength(1);
    });

    describe('on request', () => {
      const subscribed = async (user: string): Promise<string> => {
        await world.post(user, world.stripe.subscribe().id);
        return (await world.subscription(user)).id;
      };

      it('binds a subscription or a one-time purchase to a token of the customer', async () => {
        const user = newAppUserId();
        const token = await tokens.add(user);
        const subscriptionId = await subscribed(user);
        const answer = await tokens.bind(token, { subscription_id: subscriptionId });
        expect([answer.status, answer.body.state, answer.body.bindings.length]).toEqual([200, 'used', 1]);
        expect(answer.body.bindings[0]).toMatchObject({ store: 'stripe', bound_by: 'action' });
        const [log] = (await world.backend.get(`${world.path}/audit_logs?limit=1`)).body.items;
        expect(log.action_type).toBe('external_purchase_token_bound');
        const { session } = world.stripe.checkout([{ price: fakePrices.lifetime }]);
        await world.post(user, session.id);
        const { items } = (await world.backend.get(`${world.path}/customers/${user}/purchases`)).body;
        const second = await tokens.bind(token, { purchase_id: items[0].id });
        expect([second.status, second.body.bindings.length]).toEqual([200, 2]);
      });

      it('rejects a purchase that is bound already with 409', async () => {
        const user = newAppUserId();
        const [token, other] = [await tokens.add(user), await tokens.add(user)];
        const body = { subscription_id: await subscribed(user) };
        expect((await tokens.bind(token, body)).status).toBe(200);
        expect((await tokens.bind(token, body)).status).toBe(409);
        expect((await tokens.bind(other, body)).status).toBe(409);
        expect(await tokens.stateOf(other)).toEqual(['open']);
      });

      it('binds once when two requests come at the same time', async () => {
        const user = newAppUserId();
        const ids = [await tokens.add(user), await tokens.add(user)];
        const body = { subscription_id: await subscribed(user) };
        const answers = await Promise.all(ids.map((id) => tokens.bind(id, body)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        const states = await Promise.all(ids.map(async (id) => (await tokens.get(id)).state as string));
        expect(states.sort()).toEqual(['open', 'used']);
      });

      it('rejects purchases of another customer, too old ones and unusable tokens with 409', async () => {
        const user = newAppUserId();
        const subscriptionId = await subscribed(user);
        const body = { subscription_id: subscriptionId };
        const foreign = await tokens.add(newAppUserId());
        expect((await tokens.bind(foreign, body)).status).toBe(409);
        const refused = await tokens.add(user);
        await world.server.dataSource.query(
          `UPDATE external_purchase_tokens SET state = 'refused' WHERE project_id = $1 AND id = $2`,
          [world.projectId, refused],
        );
        expect((await tokens.bind(refused, body)).status).toBe(409);
        world.clock.advanceMs(24 * HOUR_MS);
        const late = await tokens.add(user);
        const { status, body: error } = await tokens.bind(late, body);
        expect([status, error.message]).toEqual([409, expect.stringContaining('more than a day')]);
      });

      it('rejects purchases of other stores with 409', async () => {
        const user = newAppUserId();
        const token = await tokens.add(user);
        const { body: pro } = await world.backend.get(`${world.path}/entitlements`);
        await world.backend.post(`${world.path}/customers/${user}/actions/grant_entitlement`, {
          entitlement_id: pro.items[0].id,
          expires_at: world.clock.nowMs() + HOUR_MS,
        });
        const body = { subscription_id: (await world.subscription(user)).id };
        expect((await tokens.bind(token, body)).status).toBe(409);
      });

      it('answers 400 unless one purchase is named, and 404 for what the project does not have', async () => {
        const user = newAppUserId();
        const token = await tokens.add(user);
        const subscriptionId = await subscribed(user);
        const none = await tokens.bind(token, {});
        expect([none.status, none.body.param]).toEqual([400, 'subscription_id']);
        const both = await tokens.bind(token, { subscription_id: subscriptionId, purchase_id: 'p' });
        expect([both.status, both.body.param]).toEqual([400, 'purchase_id']);
        expect((await tokens.bind(token, { subscription_id: 'sub_none' })).status).toBe(404);
        expect((await tokens.bind(token, { purchase_id: 'purch_none' })).status).toBe(404);
        expect((await tokens.bind('ept0', { subscription_id: subscriptionId })).status).toBe(404);
        expect(await tokens.stateOf(token)).toEqual(['open']);
      });

      it('requires the permission to write purchases', async () => {
        const user = newAppUserId();
        const token = await tokens.add(user);
        const body = { subscription_id: await subscribed(user) };
        const permissions = ['customer_information:purchases:read'];
        const { client } = await createSecretKey(world.session, world.projectId, permissions);
        expect((await tokens.bind(token, body, client)).status).toBe(403);
      });
    });

    it('rejects a setting that it does not know with 400', async () => {
      const { status, body } = await world.backend.post(`${world.path}/apps/${tokens.appId}`, {
        app_store: { external_purchase_reports: { bind: 'oldest' } },
      });
      expect([status, body.param]).toEqual([400, 'app_store.external_purchase_reports.bind']);
    });
  });

  it('binds purchases at Paddle by the custom data of the subscription or transaction', async () => {
    const world = await startPaddleWorld();
    try {
      const tokens = await Tokens.of(world);
      const { paddle } = world;
      const user = newAppUserId();
      const [first, second] = [await tokens.add(user), await tokens.add(user)];
      const life = paddle.subscribe(paddlePrices.monthly, { customData: metadata(first) });
      expect((await world.post(user, life.id)).status).toBe(200);
      expect(await tokens.stateOf(first)).toEqual(['used', `paddle ${life.id} id`]);
      const sold = paddle.sell([{ price: paddlePrices.lifetime }], { customData: metadata(second) });
      expect((await world.post(user, sold.id)).status).toBe(200);
      expect(await tokens.stateOf(second)).toEqual(['used', `paddle ${sold.id} id`]);
    } finally {
      await world.close();
    }
  });
});
