import { createSecretKey } from '../support/arrange.js';
import { type AmazonWorld, startAmazonWorld } from '../support/arrange-amazon.js';
import { type AllStores, startAllStores } from '../support/arrange-all-stores.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { amazonErrors, fakeSkus } from '../support/fake-amazon/fake-amazon.js';
import { appleChain } from '../support/fake-app-store/certificates.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { Signer } from '../support/fake-app-store/signer.js';
import { playProducts } from '../support/fake-play/fake-play.js';

/** The rows of "What a caller proves" in docs/security.md. */
describe('what a caller proves', () => {
  let count = 0;
  const newAppUserId = (): string => `$RCAnonymousID:${String(++count).padStart(32, '0')}`;

  interface Place {
    path: string;
    backend: ApiClient;
  }
  const purchasesOf = async ({ backend, path }: Place, appUserId: string): Promise<string[]> => {
    const of = `${path}/customers/${encodeURIComponent(appUserId)}`;
    const lists = await Promise.all([backend.get(`${of}/subscriptions`), backend.get(`${of}/purchases`)]);
    return lists
      .flatMap(({ status, body }) => (status === 200 ? (body.items as Json[]) : []))
      .map(({ id }) => id);
  };
  /** Reads both customers; neither may have a purchase or an alias of the other. */
  const everythingOf = async (place: Place, owner: string, other: string): Promise<unknown> => {
    const aliases = await place.backend.get(`${place.path}/customers/${encodeURIComponent(owner)}/aliases`);
    return {
      owned: await purchasesOf(place, owner),
      taken: await purchasesOf(place, other),
      aliases: (aliases.body.items as Json[]).map(({ id }) => id),
    };
  };

  describe('to the App Store', () => {
    let world: AppStoreWorld;

    beforeAll(async () => {
      world = await startAppStoreWorld();
      await world.configure(world.keyFields);
    });
    afterAll(() => world.close());

    it('needs the signature of Apple over the receipt: naming a transaction alone gives nothing', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const victim = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      const id = victim.originalTransactionId;
      expect((await world.post(owner, victim.signed())).status).toBe(200);
      const strangers = appleChain({ leaf: { rsa: true } });
      const purchases = [
        { transactionId: id, originalTransactionId: id, productId: 'pro_monthly', purchasedAtMs: 1e12 },
      ];
      const genuine = world.store.appReceipt({
        purchases: [{ ...purchases[0], transactionId: '1' } as never],
      });
      const altered = Buffer.from(genuine, 'base64');
      altered[altered.indexOf('pro_monthly')] = 'q'.charCodeAt(0);
      const info = Buffer.from(`{ "bid" = "${world.store.bundleId}"; "transaction-id" = "${id}"; }`);
      const plist = `{ "purchase-info" = "${info.toString('base64')}"; }`;
      const { root, intermediate, leaf } = strangers;
      const forged = [
        world.store.appReceipt({ purchases }, { signers: [] }),
        world.store.appReceipt(
          { purchases },
          { certificates: [leaf, intermediate, root], signers: [{ certificate: leaf }] },
        ),
        altered.toString('base64'),
        Buffer.from(plist).toString('base64'),
        new Signer(strangers).sign({ ...victim.latest, signedDate: world.clock.nowMs() }),
        id,
      ];
      const before = await everythingOf(world, owner, thief);
      world.api.calls.length = 0;
      for (const behavior of ['transfer', 'keep']) {
        await world.backend.post(world.path, { transfer_behavior: behavior });
        for (const token of forged) {
          const { status, body } = await world.post(thief, token);
          expect([status, body.code]).toEqual([400, 7103]);
        }
      }
      expect(world.api.calls).toEqual([]);
      expect(await everythingOf(world, owner, thief)).toEqual(before);
    });

    it('proves nothing by a notification that Apple has not signed', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const victim = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      await world.post(owner, victim.signed());
      const before = await everythingOf(world, owner, thief);
      const latest = { ...victim.latest, appAccountToken: thief, signedDate: world.clock.nowMs() };
      const signer = new Signer(appleChain());
      const data = { ...latest, signedTransactionInfo: signer.sign(latest) };
      const signedPayload = signer.sign({
        notificationType: 'SUBSCRIBED',
        signedDate: latest.signedDate,
        data,
      });
      const sent = await world.notify({ body: JSON.stringify({ signedPayload }) } as never);
      expect(sent.status).toBe(400);
      expect(await everythingOf(world, owner, thief)).toEqual(before);
    });

    it('needs a secret key with the permission, for orders that are restored and purchases that are transferred', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const victim = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      const orderId = world.store.order(victim.latest);
      await world.post(owner, victim.signed());
      const reader = (
        await createSecretKey(world.session, world.projectId, ['customer_information:customers:read'])
      ).client;
      await world.backend.post(`${world.path}/customers`, { id: thief });
      const before = await everythingOf(world, owner, thief);
      for (const caller of [world.sdk, reader]) {
        const of = (id: string): string => `${world.path}/customers/${encodeURIComponent(id)}/actions`;
        for (const [place, body] of [
          [`${of(thief)}/restore_purchase_by_order_id`, { order_id: orderId }],
          [`${of(owner)}/transfer`, { target_customer_id: thief }],
        ] as const) {
          expect([401, 403]).toContain((await caller.post(place, body)).status);
        }
        const extend = `/v1/subscribers/${encodeURIComponent(owner)}/subscriptions/${victim.originalTransactionId}/extend`;
        const days = { extend_by_days: 1, extend_reason_code: 0 };
        expect([401, 403]).toContain((await caller.post(extend, days)).status);
      }
      expect(await everythingOf(world, owner, thief)).toEqual(before);
    });
  });

  describe('to Google Play', () => {
    let world: PlayWorld;

    beforeAll(async () => {
      world = await startPlayWorld();
    });
    afterAll(() => world.close());

    it('needs the purchase token: an order id is not enough', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const victim = world.play.subscribe(playProducts.monthly);
      expect((await world.post(owner, victim.token)).status).toBe(200);
      const before = await everythingOf(world, owner, thief);
      for (const name of [
        victim.latestOrderId,
        victim.latestOrderId.replace(/\.\..*$/, ''),
        victim.token.slice(0, -1),
      ]) {
        const { status, body } = await world.post(thief, name);
        expect([status, body.code]).toEqual([400, 7103]);
      }
      expect(await everythingOf(world, owner, thief)).toEqual(before);
    });
  });

  describe('to Amazon', () => {
    let world: AmazonWorld;

    beforeAll(async () => {
      world = await startAmazonWorld();
    });
    afterAll(() => world.close());

    it('needs the receipt id with the id of the buyer, even for returned purchases', async () => {
      const [owner, thief] = [newAppUserId(), newAppUserId()];
      const { userId, receipt } = world.amazon.buy(fakeSkus.lifetime, 'ENTITLED');
      const more = { store_user_id: userId };
      expect((await world.post(owner, receipt.receiptId, more)).status).toBe(200);
      const before = await everythingOf(world, owner, thief);
      const foreign = { store_user_id: world.amazon.newUser() };
      expect((await world.post(thief, receipt.receiptId, foreign)).body.code).toBe(7103);
      expect((await world.post(thief, receipt.receiptId)).body.code).toBe(7226);
      // Simulates an answer of Amazon that does not check the user.
      world.amazon.interfere = () => amazonErrors.gone;
      const gone = await world.post(thief, receipt.receiptId, foreign);
      expect([gone.status, gone.body.code]).toEqual([400, 7103]);
      expect(await everythingOf(world, owner, thief)).toEqual(before);
      expect((await world.post(owner, receipt.receiptId, more)).status).toBe(200);
    });
  });

  describe('to Stripe and the Test Store', () => {
    let all: AllStores;

    beforeAll(async () => {
      all = await startAllStores();
    });
    afterAll(() => all.close());

    it('needs the id of a subscription, unless the app takes receipts with a secret key only', async () => {
      const { world, ...stripe } = all.stores.stripe;
      const [owner, other] = [newAppUserId(), newAppUserId()];
      const victim = stripe.buy();
      await world.configure({ require_secret_key_for_receipts: true });
      expect((await world.post(owner, victim.token)).status).toBeGreaterThanOrEqual(400);
      const body = { app_user_id: owner, fetch_token: victim.token };
      const server = world.backend.with({ 'x-platform': 'stripe' });
      expect((await server.post('/v1/receipts', body)).status).toBe(200);
      const before = await everythingOf(world, owner, other);
      expect((await world.post(other, victim.token)).status).toBeGreaterThanOrEqual(400);
      expect(await everythingOf(world, owner, other)).toEqual(before);
      await world.configure({ require_secret_key_for_receipts: false });
      expect((await world.post(other, victim.token)).status).toBe(200);
      expect(await purchasesOf(world, other)).toHaveLength(1);
    });

    it('needs the id of an anonymous customer to sign in: an identified customer is never merged', async () => {
      const { testStore } = all;
      const owner = `owner-${++count}`;
      const thief = `thief-${count}`;
      const token = `test_${all.clock.nowMs()}_${count}`;
      const receipt = { app_user_id: owner, fetch_token: token, product_id: 'pro_monthly' };
      expect((await testStore.sdk.post('/v1/receipts', receipt)).status).toBe(200);
      const before = await everythingOf(testStore, owner, thief);
      for (const [from, to] of [
        [owner, thief],
        [thief, owner],
      ]) {
        const ids = { app_user_id: from, new_app_user_id: to };
        expect((await testStore.sdk.post('/v1/subscribers/identify', ids)).status).toBeLessThan(300);
      }
      expect(await everythingOf(testStore, owner, thief)).toEqual(before);
    });

    it('needs the token of a test purchase, which is sandbox', async () => {
      const { testStore } = all;
      const [owner, other] = [newAppUserId(), newAppUserId()];
      const token = `test_${all.clock.nowMs()}_${count}`;
      const post = (appUserId: string, fetch_token: string) =>
        testStore.sdk.post('/v1/receipts', {
          app_user_id: appUserId,
          fetch_token,
          product_id: 'pro_monthly',
        });
      expect((await post(owner, token)).status).toBe(200);
      const before = await everythingOf(testStore, owner, other);
      expect((await post(other, `${token}x`)).status).toBe(200);
      expect(((await everythingOf(testStore, owner, other)) as Json).owned).toEqual((before as Json).owned);
      const { body } = await post(other, `${token}x`);
      expect(body.subscriber.subscriptions.pro_monthly.is_sandbox).toBe(true);
    });
  });
});
