import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { PromotionalOfferV2SignatureCreator } from '@apple/app-store-server-library';
import { jest } from '@jest/globals';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { RetentionOutcomesJob } from '../../src/stores/retention-messages/requests/retention-outcomes.job.js';
import { RetentionRequestsRepository } from '../../src/stores/retention-messages/requests/retention-requests.repository.js';
import { RetentionRequestsService } from '../../src/stores/retention-messages/requests/retention-requests.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { APPLE_ID, type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { FakeAppStore, fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { Environment, FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { heardChanges } from '../support/heard-changes.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const { monthly, lifetime } = fakeProducts;

describe("Apple's question which message to show", () => {
  let world: AppStoreWorld;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
    path = `${world.path}/apps/${world.appId}`;
    await world.configure(world.keyFields);
  });
  beforeEach(() => world.clock.advanceMs(MINUTE_MS));
  afterEach(async () => {
    await stored();
    for (const { id } of (await world.backend.get(`${path}/retention_rules`)).body.items)
      await world.backend.delete(`${path}/retention_rules/${id}`);
  });
  afterAll(() => world.close());

  const stored = (): Promise<void> => world.server.app.get(RetentionRequestsService).flush();
  const post = (signedPayload: unknown, server: TestServer = world.server, appId = world.appId) =>
    server.http.post(`/v1/stores/app_store/${appId}/retention_message`, { signedPayload });
  const ask = (subscription: FakeSubscription, more: object = {}): Promise<Answer> =>
    post(world.store.retentionRequest(subscription, { ...more }));
  const addRule = async (more: object = {}): Promise<Json> => {
    const body = { display_name: 'Rule', message_id: randomUUID(), ...more };
    const rule = await world.backend.post(`${path}/retention_rules`, body);
    if (rule.status !== 201) throw new Error(rule.text);
    await heardChanges(world.server);
    return rule.body;
  };
  const configure = async (fields: object): Promise<void> => {
    await world.configure(fields);
    await heardChanges(world.server);
  };
  /** A subscription that its customer has posted. */
  const bought = async (environment: Environment = 'Production'): Promise<FakeSubscription> => {
    const subscription = world.store.subscribe(world.store.account(environment), monthly);
    const posted = await world.post(`customer-${++count}`, subscription.signed());
    if (posted.status !== 200) throw new Error(posted.text);
    return subscription;
  };
  const rows = async (): Promise<Json[]> => {
    await stored();
    return world.server.dataSource.query('SELECT * FROM retention_requests');
  };

  it('answers with the message of the first rule that matches', async () => {
    const subscription = await bought();
    await addRule({ conditions: [{ field: 'paid_periods', operator: '>', value: 1 }] });
    const first = await addRule({ conditions: [{ field: 'paid_periods', operator: '=', value: 1 }] });
    await addRule();
    const answer = await ask(subscription);
    expect([answer.status, answer.body]).toEqual([200, { message: { messageIdentifier: first.message_id } }]);
    world.clock.advanceMs(DAY_MS);
    const row = (await rows()).find(({ rule_id }) => rule_id === first.id);
    expect(row).toMatchObject({ environment: 'production', due_at: expect.any(Date) });
  });

  it.each([
    ['product', 'in', () => [world.products.monthly.id]],
    ['days_since_purchase', '=', () => 10],
    ['lifetime_usd', '=', () => 9.99],
    ['country', 'in', () => ['US']],
    ['app_config', 'in', () => [world.appId]],
  ])('compares %s with the subscription', async (field, operator, value) => {
    const subscription = await bought();
    world.clock.advanceMs(10 * DAY_MS);
    const rule = await addRule({ conditions: [{ field, operator, value: value() }] });
    expect((await ask(subscription)).body.message?.messageIdentifier).toBe(rule.message_id);
  });

  it('compares attributes of the customer', async () => {
    const subscription = await bought();
    const condition = { field: 'custom_attribute', operator: 'in', value: ['gold'], context: 'plan' };
    const rule = await addRule({ conditions: [condition] });
    expect((await ask(subscription)).status).toBe(204);
    await world.backend.post(`${world.path}/customers/customer-${count}/attributes`, {
      attributes: [{ name: 'plan', value: 'gold' }],
    });
    expect((await ask(subscription)).body.message?.messageIdentifier).toBe(rule.message_id);
  });

  it('answers 204 if no rule matches, the subscription is unknown or answers are off', async () => {
    const subscription = await bought();
    expect((await ask(subscription)).status).toBe(204);
    const never = { field: 'paid_periods', operator: '>', value: 100 };
    await addRule({ conditions: [never] });
    expect((await ask(subscription)).status).toBe(204);
    await addRule();
    const stranger = world.store.subscribe(world.store.account(), monthly);
    expect((await ask(stranger)).status).toBe(204);
    await configure({ answer_retention_requests: false });
    expect((await ask(subscription)).status).toBe(204);
    await configure({ answer_retention_requests: null });
    expect((await ask(subscription)).status).toBe(200);
  });

  it('separates the environments', async () => {
    const sandbox = await bought('Sandbox');
    const production = await bought();
    await addRule();
    const rule = await addRule({ environment: 'sandbox' });
    expect((await ask(sandbox)).body.message?.messageIdentifier).toBe(rule.message_id);
    expect((await ask(production)).body.message?.messageIdentifier).not.toBe(rule.message_id);
  });

  it('offers another product only to customers who do not have it', async () => {
    const subscription = await bought();
    await addRule({ alternate_product_id: world.products.monthly.id });
    const rule = await addRule({ alternate_product_id: world.products.yearly.id });
    expect((await ask(subscription)).body).toEqual({
      alternateProduct: { messageIdentifier: rule.message_id, productId: 'pro_yearly' },
    });
    const owner = await bought();
    const bundle = world.store.buy(owner.account, lifetime, 'Non-Consumable');
    await world.post(`customer-${count}`, world.store.signed(bundle.transaction));
    const last = await addRule();
    for (const { id } of (await world.backend.get(`${path}/retention_rules`)).body.items)
      if (id !== last.id) await world.backend.delete(`${path}/retention_rules/${id}`);
    const switching = await addRule({ alternate_product_id: world.products.lifetime.id });
    await world.backend.send('PUT', `${path}/retention_rules/priority_list`, {
      rule_ids: [switching.id, last.id],
    });
    await heardChanges(world.server);
    expect((await ask(owner)).body).toEqual({ message: { messageIdentifier: last.message_id } });
  });

  it('skips a rule whose product is archived', async () => {
    const subscription = await bought();
    const { id } = world.products.plus;
    await addRule({ alternate_product_id: id });
    await world.backend.post(`${world.path}/products/${id}/actions/archive`, {});
    await heardChanges(world.server);
    expect((await ask(subscription)).status).toBe(204);
    await world.backend.post(`${world.path}/products/${id}/actions/unarchive`, {});
    await heardChanges(world.server);
    expect((await ask(subscription)).body.alternateProduct?.productId).toBe('pro_plus');
  });

  it('signs a promotional offer for the transaction', async () => {
    const subscription = await bought();
    const offer = { product_id: world.products.monthly.id, offer_id: 'half_price' };
    const rule = await addRule({ promotional_offer: offer });
    const { promotionalOffer } = (await ask(subscription)).body;
    expect(promotionalOffer.messageIdentifier).toBe(rule.message_id);
    const parts = String(promotionalOffer.promotionalOfferSignatureV2).split('.');
    const [header, payload] = parts
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header).toMatchObject({ alg: 'ES256', kid: world.api.key.keyId });
    expect(payload).toMatchObject({
      aud: 'promotional-offer',
      iss: world.api.key.issuerId,
      bid: 'com.example.app',
      productId: 'pro_monthly',
      offerIdentifier: 'half_price',
      transactionId: subscription.originalTransactionId,
    });
    const publicKey = createPublicKey(world.api.key.privateKeyPem);
    const signed = Buffer.from(parts.slice(0, 2).join('.'));
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', signed, key, Buffer.from(parts[2] ?? '', 'base64url'))).toBe(true);
  });

  it('signs an offer once for each answer', async () => {
    const subscription = await bought();
    await addRule({ promotional_offer: { product_id: world.products.monthly.id, offer_id: 'half_price' } });
    const sign = jest.spyOn(PromotionalOfferV2SignatureCreator.prototype, 'createSignature');
    const requestIdentifier = randomUUID();
    await ask(subscription, { requestIdentifier });
    expect(sign).toHaveBeenCalledTimes(1);
    await ask(subscription, { requestIdentifier });
    expect(sign).toHaveBeenCalledTimes(2);
    sign.mockRestore();
  });

  it('uses the next rule if there is no key, and setup health shows that', async () => {
    const subscription = await bought();
    await addRule({ promotional_offer: { product_id: world.products.monthly.id, offer_id: 'half_price' } });
    const next = await addRule();
    await configure({ subscription_private_key: null });
    expect((await ask(subscription)).body).toEqual({ message: { messageIdentifier: next.message_id } });
    const health = await world.backend.get(`${world.path}/setup_health`);
    expect(health.body.apps.find(({ id }: Json) => id === world.appId).credentials_configured).toBe(false);
    await configure(world.keyFields);
    expect((await ask(subscription)).body.promotionalOffer).toBeDefined();
  });

  it('gives a repeated request the same answer and stores it once', async () => {
    const subscription = await bought();
    const before = (await rows()).length;
    const rule = await addRule();
    const requestIdentifier = randomUUID();
    const answers = await Promise.all([1, 2].map(() => ask(subscription, { requestIdentifier })));
    await stored();
    await world.backend.delete(`${path}/retention_rules/${rule.id}`);
    await heardChanges(world.server);
    answers.push(await ask(subscription, { requestIdentifier }));
    for (const { body } of answers) expect(body).toEqual({ message: { messageIdentifier: rule.message_id } });
    expect((await rows()).length).toBe(before + 1);
    expect((await ask(subscription)).status).toBe(204);
  });

  it('uses changed rules on every replica', async () => {
    const { clock, env } = world;
    const { databaseUrl } = world.server;
    const replica = await startTestServer({ clock, databaseUrl, env });
    try {
      const subscription = await bought();
      const request = (): string => world.store.retentionRequest(subscription);
      expect((await post(request(), replica)).status).toBe(204);
      const rule = await addRule();
      await heardChanges(replica);
      expect((await post(request(), replica)).body).toEqual({
        message: { messageIdentifier: rule.message_id },
      });
      const messageId = randomUUID();
      await world.backend.post(`${path}/retention_rules/${rule.id}`, { message_id: messageId });
      await heardChanges(replica, { repeated: true });
      expect((await post(request(), replica)).body).toEqual({ message: { messageIdentifier: messageId } });
      await replica.app.get(RetentionRequestsService).flush();
    } finally {
      await replica.close();
    }
  });

  it('refuses what Apple did not sign for this app, and stores nothing', async () => {
    const subscription = await bought();
    await addRule();
    const before = (await rows()).length;
    const stranger = new FakeAppStore(world.clock, 'com.example.app', APPLE_ID);
    const genuine = world.store.retentionRequest(subscription);
    const [header = '', payload = '', signature = ''] = genuine.split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace('en-US', 'en-GB');
    for (const signed of [
      stranger.retentionRequest(subscription),
      [header, Buffer.from(forged).toString('base64url'), signature].join('.'),
      world.store.retentionRequest(subscription, { appAppleId: APPLE_ID + 1 }),
      world.store.retentionRequest(subscription, { environment: 'Sandbox', appAppleId: APPLE_ID + 1 }),
      world.store.retentionRequest(subscription, { environment: 'Xcode' }),
      world.store.retentionRequest(subscription, { requestIdentifier: 'no-uuid' }),
      world.store.retentionRequest(subscription, { originalTransactionId: '../1' }),
      subscription.signed(),
      'a.b.c',
      '',
      7,
    ])
      expect((await post(signed)).status).toBe(400);
    expect((await rows()).length).toBe(before);
  });

  it("refuses requests while the app's number is not saved", async () => {
    const subscription = await bought();
    await addRule();
    await configure({ app_apple_id: null });
    expect((await ask(subscription)).status).toBe(400);
    await configure({ app_apple_id: APPLE_ID });
    expect((await ask(subscription)).status).toBe(200);
  });

  it('refuses requests signed more than five minutes ago or ahead', async () => {
    const subscription = await bought();
    await addRule();
    const nowMs = world.clock.nowMs();
    for (const offMs of [-5 * MINUTE_MS - 1, 5 * MINUTE_MS + 1])
      expect((await ask(subscription, { signedDate: nowMs + offMs })).status).toBe(400);
    for (const offMs of [-5 * MINUTE_MS, 5 * MINUTE_MS])
      expect((await ask(subscription, { signedDate: nowMs + offMs })).status).toBe(200);
  });

  it('answers 404 for an unknown app and for one of another store', async () => {
    const signed = world.store.retentionRequest(await bought());
    const play = await world.backend.post(`${world.path}/apps`, {
      name: 'Android app',
      type: 'play_store',
      play_store: { package_name: 'com.example.app' },
    });
    for (const appId of ['appunknown', play.body.id])
      expect((await post(signed, world.server, appId)).status).toBe(404);
  });

  it('answers 503 when the work takes longer than half a second', async () => {
    const subscription = await bought();
    await addRule();
    const repository = world.server.app.get(RetentionRequestsRepository);
    const findAnswer = repository.findAnswer.bind(repository);
    let answerLate = (): void => undefined;
    repository.findAnswer = () => new Promise((resolve) => (answerLate = () => resolve(undefined)));
    const before = (await rows()).length;
    expect((await ask(subscription)).status).toBe(503);
    repository.findAnswer = findAnswer;
    answerLate();
    expect((await rows()).length).toBe(before);
    expect((await ask(subscription)).status).toBe(200);
  });

  it('answers 100 requests a second for an app, then 503', async () => {
    const subscription = await bought();
    await addRule();
    const statuses: number[] = [];
    for (let sent = 0; sent < 101; sent++) statuses.push((await ask(subscription)).status);
    expect(statuses.slice(0, 100).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(503);
    world.clock.advanceMs(1_000);
    expect((await ask(subscription)).status).toBe(200);
  });

  it('refuses bodies above 16 KiB', async () => {
    expect((await post('x'.repeat(17_000))).status).toBe(413);
  });

  describe('statistics', () => {
    const statistics = async (query = ''): Promise<Json> =>
      (await world.backend.get(`${path}/retention_messages/statistics?environment=sandbox${query}`)).body;
    const followUp = (): Promise<void> => world.server.app.get(RetentionOutcomesJob).run();

    it('counts what was asked, who was still to renew a day later, and who renewed', async () => {
      const fromMs = world.clock.nowMs();
      const [stays, leaves, unanswered] = [
        await bought('Sandbox'),
        await bought('Sandbox'),
        await bought('Sandbox'),
      ];
      const rule = await addRule({ environment: 'sandbox' });
      await ask(stays);
      await ask(leaves);
      await world.backend.delete(`${path}/retention_rules/${rule.id}`);
      await heardChanges(world.server);
      await ask(unanswered);
      await stored();
      world.clock.advanceMs(1);
      const window = `&from=${fromMs}`;
      expect(await statistics(window)).toMatchObject({ asked: 3, checked_after_24h: 0, ended: 0 });
      await followUp();
      expect(await statistics(window)).toMatchObject({ checked_after_24h: 0 });

      await world.notify(leaves.cancel());
      world.clock.advanceMs(DAY_MS);
      await followUp();
      const afterADay = await statistics(window);
      expect(afterADay).toMatchObject({ checked_after_24h: 3, auto_renew_after_24h: 2, ended: 0 });
      expect(afterADay.rules).toEqual([
        {
          rule_id: rule.id,
          display_name: null,
          asked: 2,
          checked_after_24h: 2,
          auto_renew_after_24h: 1,
          ended: 0,
          renewed: 0,
        },
      ]);
      expect(afterADay.unanswered).toMatchObject({ asked: 1, auto_renew_after_24h: 1 });

      world.clock.advanceMs(Number(stays.latest.expiresDate) - world.clock.nowMs() + 1);
      await world.notify(stays.renew());
      world.clock.advanceMs(DAY_MS);
      await followUp();
      const end = await statistics(`${window}&to=${world.clock.nowMs()}`);
      expect(end.rules[0]).toMatchObject({ ended: 2, renewed: 1, auto_renew_after_24h: 1 });
      await followUp();
      expect(await statistics(`${window}&to=${world.clock.nowMs()}`)).toEqual(end);
    });

    it('rejects a window that ends before it starts', async () => {
      const answer = await world.backend.get(`${path}/retention_messages/statistics?from=2&to=1`);
      expect([answer.status, answer.body.param]).toEqual([400, 'from']);
      const foreign = `${world.path}/apps/appunknown/retention_messages/statistics`;
      expect((await world.backend.get(foreign)).status).toBe(404);
    });

    it('forgets requests after 13 months', async () => {
      await ask(await bought());
      expect((await rows()).length).toBeGreaterThan(0);
      world.clock.advanceMs(397 * DAY_MS);
      await world.server.app.get(CleanupsJob).run();
      expect(await rows()).toEqual([]);
    });
  });
});
