import { FakeAppStore, fakeProducts } from '../../test/support/fake-app-store/fake-app-store.js';
import {
  FakeServerApi,
  serverError,
  unauthorized,
} from '../../test/support/fake-app-store/fake-server-api.js';
import { FakePlay, playProducts } from '../../test/support/fake-play/fake-play.js';
import { FakePlayServer } from '../../test/support/fake-play/fake-play-server.js';
import { ManualClock } from '../kernel/index.js';
import { AppStore } from './apple/app-store.js';
import type { AppleApp } from './apple/apple-app.js';
import { AppleVerifier } from './apple/apple-verifier.js';
import { ReceiptReader } from './apple/receipt-reader.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { VerificationFailure, Verified } from './contract.js';
import { GoogleClients } from './google/google-clients.js';
import { GooglePlay } from './google/google-play.js';

const clock = new ManualClock(Date.UTC(2026, 0, 2));
const nowMs = (): number => clock.nowMs();
const deadlineMs = 5_000;

function seen(answer: Verified | VerificationFailure) {
  if (answer.failure !== null) return answer.failure;
  return [answer.environment, ...answer.purchases.map(({ kind, key }) => `${kind} ${key}`)];
}

describe('the App Store, asked about an id', () => {
  const store = new FakeAppStore(clock, 'com.example.app', 6443000000);
  const api = new FakeServerApi(store);
  const trust = { extraRoots: [store.chain.root.der], onlineChecks: false, nowMs };
  const app: AppleApp = {
    store: 'app_store',
    bundleId: store.bundleId,
    appAppleId: store.appAppleId,
    key: null,
    xcodeCertificate: null,
    allowUnsignedReceipts: false,
  };
  const asked = (key: AppleApp['key'] = api.key): AppStore =>
    new AppStore(
      { ...app, key },
      {
        verifier: new AppleVerifier(trust),
        receipts: new ReceiptReader(trust),
        api: { urls: api.urls, nowMs, breaker: new CircuitBreaker(nowMs) },
        deadlineMs,
      },
    );

  beforeAll(() => api.start());
  afterAll(() => api.close());
  beforeEach(() => {
    api.interfere = () => undefined;
    api.calls.length = 0;
  });

  const renewed = (environment: 'Production' | 'Sandbox') => {
    const subscription = store.subscribe(store.account(environment), fakeProducts.monthly);
    subscription.renew();
    subscription.renew();
    return subscription;
  };
  const latestId = ({ latest }: ReturnType<typeof renewed>): string => String(latest.transactionId);

  it.each(['Production', 'Sandbox'] as const)(
    'identifies a transaction of %s by its original id',
    async (where) => {
      const subscription = renewed(where);
      const found = await asked().identify(latestId(subscription));
      const environment = where === 'Production' ? 'production' : 'sandbox';
      expect(seen(found)).toEqual([environment, `subscription ${subscription.originalTransactionId}`]);
      expect(api.calls.map((call) => call.environment)).toEqual(
        where === 'Production' ? ['Production'] : ['Production', 'Sandbox'],
      );
    },
  );

  it('looks up one purchase, and nothing else of its account', async () => {
    const subscription = renewed('Production');
    const coins = store.buy(subscription.account, fakeProducts.coins);
    const coinsId = String(coins.transaction.transactionId);
    const found = await asked().lookUp({ id: latestId(subscription) });
    expect(seen(found)).toEqual(['production', `subscription ${subscription.originalTransactionId}`]);
    if (found.failure !== null) throw new Error(found.message);
    const [purchase] = found.purchases;
    expect(purchase?.kind === 'subscription' && Object.keys(purchase.observation.facts.periods)).toHaveLength(
      3,
    );
    expect(seen(await asked().lookUp({ id: coinsId }))).toEqual(['production', `one_time ${coinsId}`]);
    const sandboxed = renewed('Sandbox');
    expect(seen(await asked().lookUp({ id: sandboxed.originalTransactionId }))).toEqual([
      'sandbox',
      `subscription ${sandboxed.originalTransactionId}`,
    ]);
  });

  it.each(['identify', 'lookUp'] as const)(
    '%s: unknown in both, down, refused, without a key',
    async (call) => {
      const ask = (id: string, key?: null) =>
        call === 'identify' ? asked(key).identify(id) : asked(key).lookUp({ id });
      expect(seen(await ask('999'))).toBe('permanent');
      expect(seen(await ask('no id'))).toBe('permanent');
      expect(seen(await ask('999', null))).toBe('credentials');
      api.interfere = () => serverError;
      expect(seen(await ask('999'))).toBe('temporary');
      api.interfere = () => unauthorized;
      expect(seen(await ask('999'))).toBe('credentials');
      // Apple refuses the key of an app that was never released, in production only.
      const { originalTransactionId } = renewed('Sandbox');
      api.interfere = ({ environment }) => (environment === 'Production' ? unauthorized : undefined);
      expect(seen(await ask(originalTransactionId))).toEqual([
        'sandbox',
        `subscription ${originalTransactionId}`,
      ]);
    },
  );
});

describe('Google Play, asked about an id', () => {
  const play = new FakePlay(clock, 'com.example.app');
  const google = new FakePlayServer(play);
  const asked = (): GooglePlay => {
    const { client_email: clientEmail, private_key: privateKeyPem } = google.serviceAccount;
    const urls = { api: google.url, token: `${google.url}/token` };
    const clients = new GoogleClients(urls, new CircuitBreaker(nowMs));
    const app = { packageName: play.packageName, serviceAccount: { clientEmail, privateKeyPem } };
    return new GooglePlay(app, { clients, nowMs, deadlineMs });
  };
  const goOn = () => Promise.resolve(true);

  beforeAll(() => google.start());
  afterAll(() => google.close());

  it('looks up subscriptions and products by their tokens', async () => {
    const { token } = play.subscribe(playProducts.monthly);
    const product = play.buy(playProducts.lifetime);
    expect(seen(await asked().lookUp({ id: token }))).toEqual(['production', `subscription ${token}`]);
    expect(seen(await asked().lookUp({ id: product.token }))).toEqual([
      'production',
      `one_time ${product.token}`,
    ]);
    expect(seen(await asked().lookUp({ id: 'unknown' }))).toBe('permanent');
  });

  it('finds the tokens of 100 orders although it does not know one of them', async () => {
    const lives = Array.from({ length: 99 }, () => play.subscribe(playProducts.monthly));
    const orders = lives.map(({ latestOrderId }) => latestOrderId);
    const { keys, unknown, failure } = await asked().keysOfOrders([...orders, 'GPA.0000'], goOn);
    expect([keys.size, unknown, failure]).toEqual([99, ['GPA.0000'], null]);
    expect(keys.get(orders[7] ?? '')).toBe(lives[7]?.token);
  });

  it('takes a list of 1000 in one call', async () => {
    const orders = Array.from({ length: 1_000 }, () => play.subscribe(playProducts.monthly).latestOrderId);
    google.calls.length = 0;
    expect((await asked().keysOfOrders(orders, goOn)).keys.size).toBe(1_000);
    expect(google.calls).toHaveLength(1);
  });

  it('names the permission that orders need', async () => {
    const { latestOrderId } = play.subscribe(playProducts.monthly);
    google.hideOrders = true;
    const { keys, unknown, failure } = await asked().keysOfOrders([latestOrderId, 'GPA.0000'], goOn);
    google.hideOrders = false;
    expect([keys.size, unknown, failure?.failure]).toEqual([0, [], 'credentials']);
    expect(failure?.message).toContain('View financial data');
  });
});
