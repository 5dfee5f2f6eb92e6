import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { APPLE_ID, BUNDLE_ID, startAppStoreWorld } from '../support/arrange-app-store.js';
import { startPlayWorld } from '../support/arrange-play.js';
import { startStripeWorld } from '../support/arrange-stripe.js';
import { databaseSettings } from '../support/database/index.js';
import { FakeAppStore, fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { FakeServerApi } from '../support/fake-app-store/fake-server-api.js';
import { FakePlay, playProducts } from '../support/fake-play/fake-play.js';
import { FakePlayServer } from '../support/fake-play/fake-play-server.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import { expireLeases } from '../support/leases.js';
import { startServerProcess } from '../support/server-process.js';
import type { TestServer } from '../support/test-server.js';

const HANGS = { status: 0, instead: 'hang' } as const;
/** Longer than any lease. */
const LATER_MS = 200_000;
/** The servers of the tests leave all jobs to the process that is killed. */
const api = { SERVICE_ROLE: 'api' };

/** Signals that a store has accepted a call. */
function signal(): { reached: Promise<void>; reach: () => void } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach };
}

/** A server in a process of its own works until the store has accepted its call, and is killed. */
async function killOnce(
  { databaseUrl }: TestServer,
  env: NodeJS.ProcessEnv,
  accepted: Promise<void>,
): Promise<void> {
  const settings = databaseSettings(databaseUrl);
  const { pid } = await startServerProcess(settings.DATABASE_URL ?? '', {
    ...settings,
    ...env,
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_DEMO: 'false',
  });
  await accepted;
  process.kill(pid, 'SIGKILL');
}

async function onlyRequest(backend: ApiClient, path: string): Promise<Json> {
  const { items } = (await backend.get(`${path}/refund_requests`)).body;
  expect(items).toHaveLength(1);
  return items[0];
}

describe('a server that is killed after a store accepted its call', () => {
  it('leaves another one to send Apple the same answer once more, and to decide nothing again', async () => {
    const clock = new ManualClock(Date.now());
    const world = await startAppStoreWorld({ clock, env: api });
    const { backend, path, server } = world;
    try {
      const consent = { refund_data_consent: 'all_customers' };
      await world.configure({ ...world.keyFields, ...consent, refund_request_handling: 'decline' });
      const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
      await world.post('asking', subscription.signed());
      const { reached, reach } = signal();
      world.api.interfere = ({ path: called }) => {
        if (!called.includes('/consumption/')) return undefined;
        reach();
        return HANGS;
      };
      await world.deliver(subscription.askConsumption());
      await killOnce(server, world.env, reached);

      world.api.interfere = () => undefined;
      await world.configure({ refund_request_handling: 'grant_full' });
      await world.process();
      expect(await onlyRequest(backend, path)).toMatchObject({ answer_status: 'waiting', attempts: 0 });
      clock.setMs(Date.now() + LATER_MS);
      await expireLeases(server, 'refund_requests');
      await world.process();
      await world.process();
      const bodies = world.api.calls
        .filter(({ path: called }) => called.includes('/consumption/'))
        .map(({ body }) => body);
      expect(bodies).toEqual([expect.objectContaining({ refundPreference: 'DECLINE' }), bodies[0]]);
      expect(await onlyRequest(backend, path)).toMatchObject({
        answer_status: 'sent',
        preference: 'decline',
        attempts: 1,
        body_sent: bodies[0],
      });
      const events = await world.events('asking');
      expect(events.filter((type) => type === 'REFUND_REQUESTED')).toHaveLength(1);
    } finally {
      await world.close();
    }
  });

  it('leaves another one to answer Google, for whom the first answer counts', async () => {
    const clock = new ManualClock(Date.now());
    const world = await startPlayWorld(api, undefined, clock);
    const { backend, path, server } = world;
    try {
      await world.configure({ refund_request_handling: 'decline' });
      const { token, purchase } = world.play.buy(playProducts.coins);
      await world.post('disputing', token, playProducts.coins);
      const notification: Json = world.play.askReview(String(purchase.orderId));
      const { pendingRefundToken } = notification.pendingRefundReviewNotification;
      const review = world.play.reviews.get(pendingRefundToken);
      const { reached, reach } = signal();
      world.google.interfere = ({ path: called, body }) => {
        if (!review || !called.endsWith(':reviewrefund')) return undefined;
        review.answer ??= body;
        reach();
        return HANGS;
      };
      await world.deliver(notification);
      await killOnce(server, world.env, reached);

      const first = review?.answer;
      world.google.interfere = () => undefined;
      await world.configure({ refund_request_handling: 'grant_full' });
      clock.setMs(Date.now() + LATER_MS);
      await expireLeases(server, 'refund_requests');
      await world.process();
      await world.process();
      const calls = world.google.calls.filter(({ path: called }) => called.endsWith(':reviewrefund'));
      expect(calls.map(({ body }) => body?.refundPreference)).toEqual(['DECLINE', 'DECLINE']);
      expect(review?.answer).toEqual(first);
      expect(await onlyRequest(backend, path)).toMatchObject({
        answer_status: 'sent',
        preference: 'decline',
        attempts: 1,
      });
    } finally {
      await world.close();
    }
  });

  it('leaves another one to find the accepted report at Apple', async () => {
    const clock = new ManualClock(Date.now());
    const store = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
    const apple = new FakeServerApi(store);
    await apple.start();
    const roots = mkdtempSync(join(tmpdir(), 'roots-'));
    writeFileSync(join(roots, 'fake-root.der'), store.chain.root.der);
    const env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_TEST_APPLE_ROOTS: roots,
      SERVICE_APPLE_API_URL: apple.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.urls.Sandbox,
    };
    const world = await startStripeWorld({ clock, env: { ...env, ...api } });
    const { backend, path, server } = world;
    try {
      const { body: app } = await backend.post(`${path}/apps`, {
        name: 'iOS',
        type: 'app_store',
        app_store: {
          bundle_id: BUNDLE_ID,
          app_apple_id: APPLE_ID,
          subscription_private_key: apple.key.privateKeyPem,
          subscription_key_id: apple.key.keyId,
          subscription_key_issuer: apple.key.issuerId,
        },
      });
      await backend.post(`${path}/apps/${app.id}`, {
        app_store: { external_purchase_reports: { enabled: true } },
      });
      await world.sdk.get('/v1/subscribers/outside');
      const content = {
        appAppleId: APPLE_ID,
        bundleId: BUNDLE_ID,
        tokenCreationDate: clock.nowMs(),
        externalPurchaseId: 'purchase-1',
      };
      const { body: token } = await backend.post(`${path}/customers/outside/external_purchase_tokens`, {
        app_id: app.id,
        store: 'apple',
        token: Buffer.from(JSON.stringify(content)).toString('base64url'),
      });
      const price = { ...fakePrices.monthly, currency: 'eur' };
      const life = world.stripe.subscribe(price, {
        lines: [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }],
      });
      life.object.metadata = { external_purchase_token_id: token.id };
      for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
      const { reached, reach } = signal();
      apple.interfere = (call) => {
        if (call.method !== 'PUT') return undefined;
        expect(apple.externalReports.Production.answer(call).status).toBe(200);
        reach();
        return HANGS;
      };
      await world.post('outside', life.id);
      await killOnce(server, { ...env, SERVICE_STRIPE_API_URL: world.api.url }, reached);

      apple.interfere = () => undefined;
      const reports = async (): Promise<Json[]> =>
        (await backend.get(`${path}/external_purchase_reports`)).body.items;
      expect(await reports()).toEqual([expect.objectContaining({ event: 'start', state: 'due' })]);
      clock.setMs(Date.now() + LATER_MS);
      await expireLeases(server, 'store_tasks');
      await server.app.get(StoreTasksService).drain();
      expect(apple.externalReports.Production.reports).toHaveLength(1);
      expect(apple.calls.filter(({ method }) => method === 'PUT')).toHaveLength(2);
      const [report, ...others] = await reports();
      expect([report?.state, others]).toEqual(['sent', []]);
      expect(apple.externalReports.Production.reports[0]).toEqual(
        (await backend.get(`${path}/external_purchase_reports/${report?.id}`)).body.body,
      );
    } finally {
      await world.close();
      await apple.close();
    }
  });

  it('leaves another one to find the accepted transaction at Google', async () => {
    const clock = new ManualClock(Date.now());
    const google = new FakePlayServer(new FakePlay(clock, BUNDLE_ID));
    await google.start();
    const env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_PLAY_API_URL: google.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
    };
    const world = await startStripeWorld({ clock, env: { ...env, ...api } });
    const { backend, path, server } = world;
    try {
      const { body: app } = await backend.post(`${path}/apps`, {
        name: 'Android',
        type: 'play_store',
        play_store: {
          package_name: BUNDLE_ID,
          play_service_account_credentials_json: google.serviceAccount,
          external_transaction_reports: { enabled: true },
        },
      });
      await world.sdk.get('/v1/subscribers/outside');
      const { body: token } = await backend.post(`${path}/customers/outside/external_purchase_tokens`, {
        app_id: app.id,
        store: 'google',
        token: 'secret-1',
      });
      const price = { ...fakePrices.monthly, currency: 'eur' };
      const life = world.stripe.subscribe(price, {
        lines: [{ of: 'item', price, amount: 1_000, tax: 210, to: 30 }],
      });
      life.object.metadata = { external_purchase_token_id: token.id };
      for (const invoice of life.invoices) invoice.customer_address = { country: 'ES' };
      const { reached, reach } = signal();
      google.interfere = (call) => {
        if (call.path !== '/externalTransactions') return undefined;
        expect(google.external.answer(call).status).toBe(200);
        reach();
        return HANGS;
      };
      await world.post('outside', life.id);
      await killOnce(server, { ...env, SERVICE_STRIPE_API_URL: world.api.url }, reached);

      google.interfere = () => undefined;
      const reports = async (): Promise<Json[]> =>
        (await backend.get(`${path}/external_purchase_reports`)).body.items;
      expect(await reports()).toEqual([expect.objectContaining({ event: 'start', state: 'due' })]);
      clock.setMs(Date.now() + LATER_MS);
      await expireLeases(server, 'store_tasks');
      await server.app.get(StoreTasksService).drain();
      const [report, ...others] = await reports();
      expect([report?.state, others]).toEqual(['sent', []]);
      expect([...google.external.transactions]).toEqual([
        [
          report?.id,
          expect.objectContaining({
            token: 'secret-1',
            originalPreTaxAmount: { priceMicros: '10000000', currency: 'EUR' },
          }),
        ],
      ]);
      const creations = google.calls.filter((call) => call.path === '/externalTransactions');
      expect(creations).toHaveLength(2);
    } finally {
      await world.close();
      await google.close();
    }
  });
});
