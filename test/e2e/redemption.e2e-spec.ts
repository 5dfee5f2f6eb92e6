import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { type RedemptionWorld, startRedemptionWorld, tokenOf } from '../support/arrange-redemption.js';
import { signUp } from '../support/arrange.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const INVALID = { code: 7849, message: 'Invalid redemption token.' };
const OTHER = { code: 7852, message: 'The purchase belongs to another customer.' };
const EXPIRED = { code: 7853, message: 'The redemption token has expired.' };

const anonymous = (): string => `$RCAnonymousID:${randomBytes(16).toString('hex')}`;

describe('a purchase made on the web', () => {
  let world: RedemptionWorld;
  let receiver: Receiver;
  let count = 0;
  const person = (): string => `person-${++count}`;

  beforeAll(async () => {
    world = await startRedemptionWorld();
    receiver = await startReceiver();
    await world.stripe.backend.post(`${world.stripe.path}/integrations/webhooks`, {
      name: 'Backend',
      url: receiver.url,
    });
  });

  beforeEach(async () => {
    // Links of earlier cases count no more, and neither do their mails.
    world.stripe.clock.advanceMs(2 * HOUR_MS);
    await world.set({
      enabled: 'production',
      mail_on_expired: true,
      mail_on_purchase: false,
      link_minutes: 60,
    });
    await behave('transfer');
    await world.mails();
    await sent();
  });

  afterAll(async () => {
    await receiver.close();
    await world.close();
  });

  async function behave(transferBehavior: string): Promise<void> {
    const { session, path } = world.stripe;
    const answer = await session.post(path, { transfer_behavior: transferBehavior });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** Bodies of webhooks since the last call. */
  async function sent(): Promise<Json[]> {
    const { server, clock } = world.stripe;
    clock.advanceMs(10);
    const senders = [server, world.replica].map(({ app }) => app.get(DeliveryDispatcherService));
    let waiting: number;
    // Each server sends what it recorded and waits only for its own requests.
    do {
      for (const sender of senders) await sender.drain();
      [{ waiting }] = await server.dataSource.query<[{ waiting: number }]>(
        `SELECT count(*)::int AS waiting FROM webhook_deliveries WHERE status = 'pending'`,
      );
    } while (waiting > 0);
    return receiver.requests.splice(0).map(({ body }) => JSON.parse(body).event);
  }

  const typesOf = (appUserId: string): Promise<string[]> => world.stripe.events(appUserId);
  const hasPro = ({ body }: Answer): boolean => 'pro' in body.subscriber.entitlements;
  const infoOf = (appUserId: string): Promise<Answer> => world.mobile.get(`/v1/subscribers/${appUserId}`);

  /** A purchase and its link. */
  async function sold(owner: string, more: object = {}): Promise<{ id: string; link: Json; token: string }> {
    const id = await world.buy(owner, { $email: 'tester@example.com' });
    const link = await world.link(id, more);
    return { id, link, token: tokenOf(link) };
  }

  describe('is redeemed', () => {
    it('merges a known customer with an anonymous one, and sends one event', async () => {
      const [owner, redeemer] = [anonymous(), person()];
      const { id, link, token } = await sold(owner);
      const before = await sent();
      expect(before.map(({ type }) => type)).toEqual(['INITIAL_PURCHASE']);
      const answer = await world.redeem(redeemer, token);
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber).toMatchObject({
        original_app_user_id: redeemer,
        entitlements: { pro: { product_identifier: 'prod_pro' } },
        subscriptions: { prod_pro: { store: 'stripe' } },
      });
      expect((await world.customer(owner)).body.id).toBe(redeemer);
      const events = await sent();
      expect(events).toEqual([
        {
          id: expect.any(String),
          type: 'PURCHASE_REDEEMED',
          event_timestamp_ms: expect.any(Number),
          sequence: expect.any(Number),
          app_id: world.stripe.appId,
          app_user_id: redeemer,
          store: 'STRIPE',
          environment: 'PRODUCTION',
          redeemed_from: [owner],
          redeemed_by: [redeemer],
          redemption_outcome: 'alias',
          redemption_platform: 'ios',
          product_id: 'prod_pro',
          entitlement_ids: ['pro'],
          workflow_id: null,
          workflow_step_id: null,
          trace_id: link.id,
        },
      ]);
      expect(await typesOf(redeemer)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIBER_ALIAS', 'PURCHASE_REDEEMED']);
      const { path, backend } = world.stripe;
      const owners = await backend.get(`${path}/subscriptions/${id}/ownership_history`);
      expect(owners.body.items).toMatchObject([{ rule: 'redemption', to_customer_id: redeemer }]);
      const after = await backend.get(`${path}/redemption_links/${link.id}`);
      expect(after.body).toMatchObject({ status: 'redeemed', redeemed_by: redeemer, customer_id: redeemer });
    });

    it.each([
      ['anonymous', 'anonymous', anonymous, anonymous, 'owner'],
      ['anonymous', 'known', person, anonymous, 'owner'],
      ['known', 'anonymous', anonymous, person, 'redeemer'],
    ])(
      'merges an %s customer with an %s one, whatever the transfer behavior',
      async (_, __, of, by, survivor) => {
        for (const behavior of ['keep', 'transfer', 'transfer_if_no_active', 'share']) {
          await behave(behavior);
          const [owner, redeemer] = [of(), by()];
          const { token } = await sold(owner);
          await infoOf(redeemer);
          const answer = await world.redeem(redeemer, token);
          expect(answer.status).toBe(200);
          expect(hasPro(answer)).toBe(true);
          const original = survivor === 'owner' ? owner : redeemer;
          expect(answer.body.subscriber.original_app_user_id).toBe(original);
          const types = await typesOf(redeemer);
          expect(types).not.toContain('TRANSFER');
          expect(types.filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
          expect(types.at(-1)).toBe('PURCHASE_REDEEMED');
        }
      },
    );

    it.each([
      ['transfer', 'transfer'],
      ['share', 'alias'],
    ])('follows the transfer behavior between two people, with %s', async (behavior, outcome) => {
      await behave(behavior);
      const [owner, redeemer] = [person(), person()];
      const { link, token } = await sold(owner);
      await sent();
      const answer = await world.redeem(redeemer, token);
      expect([answer.status, hasPro(answer)]).toEqual([200, true]);
      expect(hasPro(await infoOf(owner))).toBe(outcome === 'alias');
      const events = await sent();
      const redeemed = { type: 'PURCHASE_REDEEMED', redemption_outcome: outcome, trace_id: link.id };
      const transferred = { type: 'TRANSFER', transferred_from: [owner], transferred_to: [redeemer] };
      expect(events).toMatchObject(outcome === 'transfer' ? [transferred, redeemed] : [redeemed]);
      expect(events.at(-1)).toMatchObject({ redeemed_from: [owner], redeemed_by: [redeemer] });
    });

    it.each(['keep', 'transfer_if_no_active'])(
      'refuses anyone else while %s protects its owner; the link stays active',
      async (behavior) => {
        await behave(behavior);
        const [owner, redeemer] = [person(), person()];
        const { link, token } = await sold(owner);
        const refused = await world.redeem(redeemer, token);
        expect([refused.status, refused.body]).toEqual([400, OTHER]);
        expect((await world.customer(redeemer)).status).toBe(404);
        const { path, backend } = world.stripe;
        expect((await backend.get(`${path}/redemption_links/${link.id}`)).body.status).toBe('active');
        const own = await world.redeem(owner, token);
        expect(own.status).toBe(200);
        const [event] = (await sent()).slice(-1);
        expect(event).toMatchObject({
          redemption_outcome: 'redeemer_owns',
          redeemed_from: null,
          redeemed_by: [owner],
        });
      },
    );

    it('redeems a one-time purchase, with its key in the event', async () => {
      const { stripe, backend, path } = world.stripe;
      const [owner, redeemer] = [anonymous(), person()];
      const { session } = stripe.checkout([{ price: fakePrices.lifetime }]);
      await world.stripe.post(owner, session.id);
      const list = await backend.get(`${path}/customers/${encodeURIComponent(owner)}/purchases`);
      const made = await backend.post(`${path}/redemption_links`, { purchase_id: list.body.items[0].id });
      expect(made.body).toMatchObject({ subscription_id: null, purchase_id: list.body.items[0].id });
      await sent();
      expect(hasPro(await world.redeem(redeemer, tokenOf(made.body)))).toBe(true);
      expect(await sent()).toMatchObject([{ type: 'PURCHASE_REDEEMED', entitlement_ids: ['pro'] }]);
    });

    it('redeems again on another device, with another link', async () => {
      const [owner, redeemer] = [anonymous(), person()];
      const { id, token } = await sold(owner);
      await world.redeem(redeemer, token);
      const next = tokenOf(await world.link(id, { email: 'tester@example.com' }));
      const device = anonymous();
      const answer = await world.redeem(device, next);
      expect([answer.status, hasPro(answer)]).toEqual([200, true]);
      expect(answer.body.subscriber.original_app_user_id).toBe(redeemer);
    });
  });

  describe('the same token', () => {
    it('returns the same answer and one event for two uses by one customer, under any id', async () => {
      const [owner, redeemer] = [anonymous(), person()];
      const { token } = await sold(owner);
      await sent();
      for (const id of [redeemer, redeemer, owner]) {
        const answer = await world.redeem(id, token);
        expect([answer.status, hasPro(answer)]).toEqual([200, true]);
      }
      expect(await sent()).toHaveLength(1);
    });

    it('answers 7852 for another customer afterwards', async () => {
      const { token } = await sold(anonymous());
      await world.redeem(person(), token);
      const later = person();
      const answer = await world.redeem(later, token);
      expect([answer.status, answer.body]).toEqual([400, OTHER]);
      expect((await world.customer(later)).status).toBe(404);
    });

    it.each([
      ['an anonymous owner', anonymous],
      ['a known one', person],
    ])('succeeds once on two replicas, from %s: the others get 7852', async (_, of) => {
      for (let round = 0; round < 5; round++) {
        const { id, token } = await sold(of());
        await sent();
        const people = [person(), person(), person(), person()];
        const servers = [world.stripe.server, world.replica];
        const answers = await Promise.all(
          people.map((appUserId, index) => world.redeem(appUserId, token, servers[index % 2])),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
        for (const { status, body } of answers) if (status === 400) expect(body).toEqual(OTHER);
        const winner = people[answers.findIndex(({ status }) => status === 200)] as string;
        const events = await sent();
        const redeemed = events.filter(({ type }) => type === 'PURCHASE_REDEEMED');
        expect(redeemed).toMatchObject([{ app_user_id: winner }]);
        const found = await world.stripe.backend.get(`${world.stripe.path}/subscriptions/${id}`);
        expect(found.body.customer_id).toBe(winner);
      }
    });

    it('gives one new customer on two replicas the purchase and one event', async () => {
      const { token } = await sold(anonymous());
      await sent();
      const redeemer = person();
      const answers = await Promise.all(
        [world.stripe.server, world.replica].map((server) => world.redeem(redeemer, token, server)),
      );
      expect(answers.map((answer) => [answer.status, hasPro(answer)])).toEqual([
        [200, true],
        [200, true],
      ]);
      expect(await sent()).toHaveLength(1);
    });
  });

  describe('a token that cannot be redeemed', () => {
    const refused = async (token: unknown): Promise<void> => {
      const answer = await world.redeem(person(), token);
      expect([answer.status, answer.body]).toEqual([400, INVALID]);
    };

    it.each([
      [undefined],
      [null],
      [7],
      [''],
      ['x'],
      [`rdm_${'a'.repeat(43)}`],
      ['a'.repeat(300)],
      [{ a: 1 }],
    ])('%j', refused);

    it('checks an impossible app user id first', async () => {
      const answer = await world.redeem('', 'x');
      expect([answer.status, answer.body.code]).toEqual([400, 7220]);
    });

    it('belongs to another project', async () => {
      const { token } = await sold(anonymous());
      const { session, projectId } = await signUp(world.stripe.server);
      const app = await session.post(`/v2/projects/${projectId}/apps`, { name: 'Other', type: 'test_store' });
      const keys = await session.get(`/v2/projects/${projectId}/apps/${app.body.id}/public_api_keys`);
      const foreign = await world.stripe.server.http
        .withKey(keys.body.items[0].key)
        .post('/v1/subscribers/redeem_purchase', { app_user_id: person(), redemption_token: token });
      expect([foreign.status, foreign.body]).toEqual([400, INVALID]);
      expect((await world.redeem(person(), token)).status).toBe(200);
    });

    it('fails when revoked, while redemption is off, or for the sandbox only', async () => {
      const { link, token } = await sold(anonymous());
      await world.set({ enabled: 'off' });
      await refused(token);
      await world.set({ enabled: 'sandbox' });
      await refused(token);
      await world.set({ enabled: 'production' });
      const { path, backend } = world.stripe;
      await backend.post(`${path}/redemption_links/${link.id}/actions/revoke`, {});
      await refused(token);
    });

    it('belongs to an erased owner', async () => {
      const owner = anonymous();
      const { link, token } = await sold(owner);
      const { path, backend } = world.stripe;
      await backend.delete(`${path}/customers/${encodeURIComponent(owner)}`);
      await refused(token);
      expect((await backend.get(`${path}/redemption_links/${link.id}`)).status).toBe(404);
    });
  });

  describe('opened too late', () => {
    it('gets a new link by mail, once an hour; that one works, and the old one stays expired', async () => {
      const { token } = await sold(anonymous());
      await world.mails();
      world.stripe.clock.advanceMs(HOUR_MS);
      const info = { purchase_redemption_error_info: { obfuscated_email: 't***@e*****.com' } };
      for (let time = 0; time < 3; time++) {
        const late = await world.redeem(person(), token);
        expect([late.status, late.body]).toEqual([400, { ...EXPIRED, ...info }]);
      }
      const [mail, ...more] = await world.mails();
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ to: ['tester@example.com'], subject: 'Your purchase in Pro' });
      const fresh = new URL(mail?.links[0] ?? '').pathname.split('/').at(-1) ?? '';
      const redeemer = person();
      expect(hasPro(await world.redeem(redeemer, fresh))).toBe(true);
      expect((await world.redeem(person(), token)).body.code).toBe(7853);
      world.stripe.clock.advanceMs(HOUR_MS + 1);
      await world.redeem(person(), token);
      expect(await world.mails()).toHaveLength(1);
    });

    it('mails to the address of the newest link, even if an older one with a wrong address is opened', async () => {
      const { id, token } = await sold(anonymous(), { email: 'wrong@example.com' });
      world.stripe.clock.advanceMs(1);
      await world.link(id, { email: 'right@example.com' });
      await world.mails();
      world.stripe.clock.advanceMs(2 * HOUR_MS);
      expect((await world.redeem(person(), token)).body.code).toBe(7853);
      expect((await world.mails()).map(({ to }) => to)).toEqual([['right@example.com']]);
    });

    it('says nothing of an address where there is none, or where no mail is wanted', async () => {
      const bare = tokenOf(await world.link(await world.buy(anonymous())));
      const { token } = await sold(anonymous());
      world.stripe.clock.advanceMs(HOUR_MS);
      expect((await world.redeem(person(), bare)).body).toEqual(EXPIRED);
      await world.set({ mail_on_expired: false });
      expect((await world.redeem(person(), token)).body).toEqual(EXPIRED);
      expect(await world.mails()).toEqual([]);
    });

    it('counts a link as too late once a newer one is created', async () => {
      const { id, token } = await sold(anonymous());
      const newer = await world.link(id);
      expect((await world.redeem(person(), token)).body.code).toBe(7853);
      const { path, backend } = world.stripe;
      const listed = await backend.get(`${path}/redemption_links/${newer.id}`);
      // The mailed link replaced it.
      expect(listed.body.status).toBe('replaced');
    });
  });

  it('limits tries of tokens to ten a minute, from an address and for a customer', async () => {
    const from = (address: string, appUserId: string): Promise<Answer> =>
      world.mobile
        .with({ 'x-forwarded-for': address })
        .post('/v1/subscribers/redeem_purchase', { app_user_id: appUserId, redemption_token: 'x' });
    for (let time = 0; time < 10; time++) expect((await from('203.0.113.1', person())).status).toBe(400);
    const tooMany = await from('203.0.113.1', person());
    expect([tooMany.status, tooMany.body.code]).toEqual([429, 7638]);
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(0);
    const one = person();
    for (let time = 0; time < 10; time++) expect((await from(`203.0.113.${time + 2}`, one)).status).toBe(400);
    expect((await from('203.0.113.99', one)).status).toBe(429);
    world.stripe.clock.advanceMs(MINUTE_MS);
    expect((await from('203.0.113.1', one)).status).toBe(400);
  });

  it('redeems by a secret key with the permission to change purchases', async () => {
    const { token } = await sold(anonymous());
    const { session, server, projectId } = world.stripe;
    const body = { app_user_id: person(), redemption_token: token };
    const keyWith = async (permissions: string[]) => {
      const made = await session.post(`/v2/projects/${projectId}/api_keys`, { name: 'Key', permissions });
      return server.http.withKey(made.body.key);
    };
    const reading = await keyWith(['customer_information:purchases:read']);
    expect((await reading.post('/v1/subscribers/redeem_purchase', body)).status).toBe(403);
    const writing = await keyWith(['customer_information:purchases:read_write']);
    expect((await writing.post('/v1/subscribers/redeem_purchase', body)).status).toBe(200);
  });

  it('has one owner after any calls, and no link has two redeemers', async () => {
    const { path, backend } = world.stripe;
    const call = fc.record({
      who: fc.nat({ max: 3 }),
      link: fc.nat({ max: 1 }),
      onReplica: fc.boolean(),
      isNewLink: fc.boolean(),
    });
    const behavior = fc.constantFrom('transfer', 'transfer_if_no_active', 'keep', 'share');
    const rounds = fc.array(fc.tuple(behavior, fc.array(call, { minLength: 1, maxLength: 3 })), {
      minLength: 3,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async (taken) => {
        const people = [anonymous(), anonymous(), person(), person()];
        const id = await world.buy(people[0] ?? '', { $email: 'tester@example.com' });
        const newLink = (): Promise<Json> => world.link(id, { email: 'tester@example.com' });
        const links = [await newLink()];
        const redeemers = new Map<string, string>();
        await sent();
        for (const [next, calls] of taken) {
          world.stripe.clock.advanceMs(MINUTE_MS);
          await behave(next);
          if (calls[0]?.isNewLink && links.length < 8) links.push(await newLink());
          const answers = await Promise.all(
            calls.map(({ who, link, onReplica }) =>
              world.redeem(
                people[who] ?? '',
                tokenOf(links.at(-1 - (link % links.length)) ?? {}),
                onReplica ? world.replica : world.stripe.server,
              ),
            ),
          );
          for (const { status, body } of answers)
            expect(status === 200 || [7852, 7853].includes(body.code)).toBe(true);
          const infos = await Promise.all(people.map(infoOf));
          const owners = infos.filter(hasPro).map(({ body }) => body.subscriber.original_app_user_id);
          expect(new Set(owners).size).toBe(1);
          for (const event of (await sent()).filter(({ type }) => type === 'PURCHASE_REDEEMED')) {
            expect(redeemers.has(event.trace_id)).toBe(false);
            redeemers.set(event.trace_id, event.app_user_id);
          }
          for (const { id: link } of links) {
            const { body } = await backend.get(`${path}/redemption_links/${link}`);
            expect(body.status === 'redeemed').toBe(redeemers.has(link));
          }
        }
      }),
      { numRuns: 4 },
    );
  });

  // Last: it ends the sessions of people.
  it('goes to another customer once it has lapsed, where only active ones are kept', async () => {
    await behave('transfer_if_no_active');
    const [owner, redeemer] = [person(), person()];
    const { token } = await sold(owner, { expires_in_minutes: 10_080 });
    await world.stripe.server.dataSource.query(
      `UPDATE redemption_links SET expires_at = expires_at + interval '60 days' WHERE expires_at > $1`,
      [new Date(world.stripe.clock.nowMs())],
    );
    world.stripe.clock.advanceMs(40 * 24 * HOUR_MS);
    const answer = await world.redeem(redeemer, token);
    expect(answer.status).toBe(200);
    expect((await typesOf(redeemer)).slice(-2)).toEqual(['TRANSFER', 'PURCHASE_REDEEMED']);
  });
});
