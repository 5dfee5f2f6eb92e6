import { appleChain } from '../../../test/support/fake-app-store/certificates.js';
import { FakeAppStore, fakeProducts } from '../../../test/support/fake-app-store/fake-app-store.js';
import {
  type ApiAnswer,
  type ApiCall,
  FakeServerApi,
  serverError,
  transactionNotFound,
  unauthorized,
} from '../../../test/support/fake-app-store/fake-server-api.js';
import { Signer } from '../../../test/support/fake-app-store/signer.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import type { AppleApp, InAppPurchaseKey } from './apple-app.js';
import { AppStore } from './app-store.js';
import { AppleVerifier } from './apple-verifier.js';
import { ReceiptReader } from './receipt-reader.js';
import { AppleServerApi } from './server-api.js';
import type { AppleFailure } from './server-api.errors.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const clock = new ManualClock(NOW_MS);
const store = new FakeAppStore(clock, 'com.example.app', 6443000000);
const api = new FakeServerApi(store);
const trust = { extraRoots: [store.chain.root.der], onlineChecks: false, nowMs: () => clock.nowMs() };
const verifier = new AppleVerifier(trust);
const receipts = new ReceiptReader(trust);
const app: AppleApp = {
  store: 'app_store',
  bundleId: store.bundleId,
  appAppleId: store.appAppleId,
  key: null,
  xcodeCertificate: null,
  allowUnsignedReceipts: false,
};

beforeAll(() => api.start());
afterAll(() => api.close());
beforeEach(() => {
  api.interfere = () => undefined;
  api.calls.length = 0;
});

const options = () => ({
  urls: api.urls,
  nowMs: () => clock.nowMs(),
  breaker: new CircuitBreaker(() => clock.nowMs()),
});

function serverApi(key: InAppPurchaseKey = api.key, deadlineMs = 5_000): AppleServerApi {
  return new AppleServerApi(app, key, 'Production', verifier, options(), AbortSignal.timeout(deadlineMs));
}

function post(fetchToken: string, as: Partial<AppleApp> = {}, deadlineMs = 5_000) {
  const services = { verifier, receipts, api: options(), deadlineMs };
  const context = { nowMs: clock.nowMs(), product: () => undefined, hadProduct: () => false };
  const receipt = { fetchToken, productIds: [], price: null, country: null, presentedOfferingId: null };
  return new AppStore({ ...app, key: api.key, ...as }, services).verify(receipt, context);
}

const subscriptionsIn = (verified: Awaited<ReturnType<typeof post>>) =>
  verified.failure === null ? verified.purchases.filter((purchase) => purchase.kind === 'subscription') : [];

describe('the App Store Server API', () => {
  it('reads the current state and the whole history of an account, in pages', async () => {
    const account = store.account();
    const subscription = store.subscribe(account, fakeProducts.monthly);
    for (let count = 0; count < 44; count++) subscription.renew();
    store.buy(account, fakeProducts.coins);
    const verified = await post(subscription.signed());
    if (verified.failure !== null) throw new Error(verified.message);
    const [found] = subscriptionsIn(verified);
    expect(Object.keys(found?.observation.facts.periods ?? {})).toHaveLength(45);
    expect(found?.observation.facts.renewal?.value.autoRenew).toBe(true);
    expect(verified.purchases.map(({ kind }) => kind).sort()).toEqual(['one_time', 'subscription']);
    expect(verified.unfinished).toBeUndefined();
    const pages = api.calls.filter(({ path }) => path.includes('/history/'));
    expect(
      pages.map(({ path, query }) => [path.slice(0, 19), query.get('sort'), query.get('revision')]),
    ).toEqual([
      ['/inApps/v2/history/', 'DESCENDING', null],
      ['/inApps/v2/history/', 'DESCENDING', '20'],
      ['/inApps/v2/history/', 'DESCENDING', '40'],
    ]);
  });

  it('leaves the rest of a very long history for later, and reports it', async () => {
    const subscription = store.subscribe(store.account(), fakeProducts.monthly);
    for (let count = 0; count < 120; count++) subscription.renew();
    const verified = await post(subscription.signed());
    expect(verified).toMatchObject({ failure: null, unfinished: [subscription.originalTransactionId] });
    expect(api.calls.filter(({ path }) => path.includes('/history/'))).toHaveLength(5);
  });

  it.each<[string, ApiAnswer, AppleFailure]>([
    ['404 with its code', transactionNotFound, 'unknown'],
    ['404 that may change', { status: 404, body: { errorCode: 4040002 } }, 'unavailable'],
    ['401 in plain text', unauthorized, 'credentials'],
    ['400', { status: 400, body: { errorCode: 4000006 } }, 'refused'],
    ['403', { status: 403, body: { errorCode: 4030004 } }, 'refused'],
    ['500', serverError, 'unavailable'],
    ['503 in HTML', { status: 503, body: '<html>' }, 'unavailable'],
    ['200 cut short', { status: 200, body: '{"data":[' }, 'unavailable'],
    ['200 of another shape', { status: 200, body: { signedTransactions: 5 } }, 'unavailable'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable'],
    ['a reset', { status: 0, instead: 'reset' }, 'unavailable'],
  ])('recognizes %s', async (_, answer, failure) => {
    api.interfere = () => answer;
    await expect(serverApi().history('1', null)).rejects.toMatchObject({ failure });
  });

  it('honors Retry-After, which Apple sends as a time and others as seconds', async () => {
    for (const [header, waitMs] of [
      [String(NOW_MS + 90_000), 90_000],
      ['120', 120_000],
      ['soon', null],
    ] as const) {
      api.interfere = () => ({
        status: 429,
        headers: { 'retry-after': header },
        body: { errorCode: 4290000 },
      });
      await expect(serverApi().history('1', null)).rejects.toMatchObject({
        failure: 'unavailable',
        retryAfterMs: waitMs,
      });
    }
  });

  it('stops waiting at the deadline', async () => {
    api.interfere = () => ({ status: 0, instead: 'hang' });
    await expect(serverApi(api.key, 60).history('1', null)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('pauses after the first calls hung, until it answers again', async () => {
    const shared = options();
    const deadline = new AbortController();
    const ask = (signal = new AbortController().signal) =>
      new AppleServerApi(app, api.key, 'Production', verifier, shared, signal).subscriptions('1');
    const before = api.calls.length;
    api.interfere = () => ({ status: 0, instead: 'hang' });
    const hanging = Promise.allSettled(Array.from({ length: 5 }, () => ask(deadline.signal)));
    while (api.calls.length < before + 5) await new Promise((resolve) => setImmediate(resolve));
    deadline.abort();
    const failures = await hanging;
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
    api.calls.length = 0;
    await expect(ask()).rejects.toMatchObject({ failure: 'unavailable', retryAfterMs: 5_000 });
    expect(api.calls).toEqual([]);
    api.interfere = () => undefined;
    clock.advanceMs(5_000);
    await expect(ask()).rejects.toMatchObject({ failure: 'unknown' });
    await expect(ask()).rejects.toMatchObject({ failure: 'unknown' });
    expect(api.calls).toHaveLength(2);
  });

  it('receives nothing but ids in the path', async () => {
    for (const id of ['../../x?y', '1/2', '', ' 1', '1'.repeat(40)]) {
      await expect(serverApi().subscriptions(id)).rejects.toMatchObject({ failure: 'refused' });
      await expect(serverApi().history(id, null)).rejects.toMatchObject({ failure: 'refused' });
    }
    expect(api.calls).toEqual([]);
  });

  it('loses trust if its answer has a foreign signature', async () => {
    const subscription = store.subscribe(store.account(), fakeProducts.monthly);
    const jws = new Signer(appleChain()).sign({ ...subscription.latest, signedDate: NOW_MS });
    api.interfere = () => ({ status: 200, body: { signedTransactions: [jws], hasMore: false } });
    await expect(serverApi().history('1', null)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('accepts only a key that works', async () => {
    await expect(serverApi().check()).resolves.toBeUndefined();
    for (const key of [
      { ...api.key, keyId: 'OTHER' },
      { ...api.key, issuerId: 'other' },
      { ...api.key, privateKeyPem: 'no key' },
      { ...api.key, privateKeyPem: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' },
    ]) {
      await expect(serverApi(key).check()).rejects.toMatchObject({ failure: 'credentials' });
    }
    api.interfere = () => serverError;
    await expect(serverApi().check()).rejects.toMatchObject({ failure: 'unavailable' });
  });
});

describe('receipts and the state of the App Store', () => {
  const subscription = store.subscribe(store.account(), fakeProducts.monthly);

  it.each<[string, ApiAnswer]>([
    ['knows nothing of it yet', transactionNotFound],
    ['refuses the key', unauthorized],
    ['is down', serverError],
    ['asks to wait', { status: 429, body: { errorCode: 4290000 } }],
    ['resets', { status: 0, instead: 'reset' }],
  ])('accepts a signed transaction when Apple %s', async (_, answer) => {
    api.interfere = () => answer;
    const verified = await post(subscription.signed());
    expect(verified).toMatchObject({
      failure: null,
      environment: 'production',
      purchases: [{ key: subscription.originalTransactionId }],
      unfinished: [subscription.originalTransactionId],
    });
  });

  it('keeps what was read before a failing page', async () => {
    const long = store.subscribe(store.account(), fakeProducts.monthly);
    for (let count = 0; count < 30; count++) long.renew();
    api.interfere = ({ query }) => (query.get('revision') === null ? undefined : serverError);
    const verified = await post(long.signed());
    expect(verified).toMatchObject({ failure: null, unfinished: [long.originalTransactionId] });
    const [purchase] = subscriptionsIn(verified);
    expect(Object.keys(purchase?.observation.facts.periods ?? {})).toHaveLength(20);
  });

  it('makes no call without a key, and nothing counts as missing', async () => {
    const verified = await post(subscription.signed(), { key: null });
    expect(verified).toMatchObject({ failure: null });
    expect(verified).not.toHaveProperty('unfinished');
    expect(api.calls).toEqual([]);
  });

  const id = subscription.originalTransactionId;
  const purchases = [
    {
      transactionId: id,
      originalTransactionId: id,
      productId: 'pro_monthly',
      purchasedAtMs: NOW_MS,
      expiresAtMs: NOW_MS + 5_000,
    },
  ];
  const receipt = { purchases };
  const bought = { originalTransactionId: id, productId: 'pro_monthly', purchasedAtMs: NOW_MS };
  const old = { ...receipt, createdAtMs: NOW_MS - 7_200_000 };

  it('fetches the purchase that an app receipt names with a key', async () => {
    const verified = await post(store.appReceipt(receipt));
    expect(verified).toMatchObject({
      failure: null,
      environment: 'production',
      purchases: [{ key: id }],
      installation: { originalApplicationVersion: '7' },
    });
    const [purchase] = subscriptionsIn(verified);
    const [period] = Object.values(purchase?.observation.facts.periods ?? {});
    expect(period?.value.endMs).toBe(subscription.latest.expiresDate);
  });

  describe('the history lacks what the receipt names', () => {
    const account = store.account();
    const lifetime = store.buy(account, fakeProducts.lifetime, 'Non-Consumable').transaction;
    const coins = store.buy(account, fakeProducts.coins).transaction;
    const name = String(coins.transactionId);
    const bought = (ageMs: number): string =>
      store.appReceipt({
        ...receipt,
        purchases: [
          {
            transactionId: name,
            originalTransactionId: name,
            productId: 'coins_100',
            purchasedAtMs: NOW_MS - ageMs,
          },
        ],
      });
    const body = { bundleId: store.bundleId, hasMore: false, signedTransactions: [store.signed(lifetime)] };
    const lagging =
      (transaction?: ApiAnswer) =>
      ({ path }: ApiCall): ApiAnswer | undefined => {
        if (path.startsWith('/inApps/v2/history')) return { status: 200, body };
        return path.startsWith('/inApps/v1/transactions/') ? transaction : undefined;
      };

    it('reads it separately', async () => {
      api.interfere = lagging();
      const keys = [lifetime.transactionId, name];
      const purchases = keys.map((key) => expect.objectContaining({ key }) as unknown);
      expect(await post(bought(0))).toMatchObject({ failure: null, purchases });
    });

    it('waits for a fresh purchase unknown to Apple, as it does while Apple is down', async () => {
      api.interfere = lagging(transactionNotFound);
      expect(await post(bought(0))).toMatchObject({ failure: 'temporary', code: 7101 });
      api.interfere = lagging(serverError);
      expect(await post(bought(7_200_000))).toMatchObject({ failure: 'temporary', code: 7101 });
      api.interfere = lagging({ status: 200, instead: 'hang' });
      expect(await post(bought(0), {}, 300)).toMatchObject({ failure: 'temporary', code: 7101 });
    });

    it('accepts the rest despite an old id unknown to Apple', async () => {
      api.interfere = lagging(transactionNotFound);
      const purchases = [{ key: lifetime.transactionId }];
      expect(await post(bought(7_200_000))).toMatchObject({ failure: null, purchases });
    });
  });

  it('finds a sandbox purchase there, even for an app without access to production', async () => {
    const sandboxed = store.subscribe(store.account('Sandbox'), fakeProducts.monthly);
    const name = sandboxed.originalTransactionId;
    const of = store.appReceipt({
      environment: 'ProductionSandbox',
      purchases: [{ ...bought, transactionId: name }],
    });
    expect(await post(of)).toMatchObject({ failure: null, environment: 'sandbox' });
    expect(api.calls.map(({ environment }) => environment)).not.toContain('Production');
    const silent = store.appReceipt({ purchases: [{ ...bought, transactionId: name }], environment: null });
    expect(await post(silent)).toMatchObject({ failure: null, environment: 'sandbox' });
    api.interfere = ({ environment }: ApiCall) => (environment === 'Production' ? unauthorized : undefined);
    expect(await post(silent)).toMatchObject({ failure: null, environment: 'sandbox' });
  });

  it('assigns data signed for the sandbox to the sandbox, whichever host returned it', async () => {
    const sandboxed = store.subscribe(store.account('Sandbox'), fakeProducts.monthly);
    const name = sandboxed.originalTransactionId;
    const head = { environment: 'Production', bundleId: store.bundleId, appAppleId: store.appAppleId };
    api.interfere = ({ path }: ApiCall) => {
      if (path.startsWith('/inApps/v2/history')) {
        return { status: 200, body: { ...head, hasMore: false, signedTransactions: [sandboxed.signed()] } };
      }
      return { status: 200, body: { ...head, data: [] } };
    };
    const of = store.appReceipt({ purchases: [{ ...bought, transactionId: name }] });
    expect(await post(of)).toMatchObject({
      failure: null,
      environment: 'sandbox',
      purchases: [{ key: name }],
    });
    const genuine = await post(subscription.signed());
    expect(genuine).toMatchObject({ environment: 'production', purchases: [{ key: id }] });
  });

  it.each<[string, string, Partial<AppleApp>, ApiAnswer | undefined, object]>([
    [
      'with a key that both environments refuse',
      store.appReceipt(receipt),
      {},
      unauthorized,
      { failure: 'credentials', code: 7234 },
    ],
    [
      'unknown and fresh',
      store.appReceipt(receipt),
      {},
      transactionNotFound,
      { failure: 'temporary', code: 7101 },
    ],
    ['unknown and old', store.appReceipt(old), {}, transactionNotFound, { failure: 'permanent', code: 7103 }],
    ['while Apple is down', store.appReceipt(old), {}, serverError, { failure: 'temporary', code: 7101 }],
    [
      'of another app',
      store.appReceipt({ ...receipt, bundleId: 'com.example.other' }),
      {},
      undefined,
      { failure: 'permanent', code: 7103 },
    ],
  ])('handles an app receipt %s', async (_, token, as, answer, expected) => {
    api.interfere = () => answer;
    expect(await post(token, as)).toMatchObject(expected);
  });

  it('reads the purchases from the signed receipt without a key', async () => {
    const coins = {
      transactionId: '7',
      originalTransactionId: '7',
      productId: 'coins_100',
      purchasedAtMs: NOW_MS,
    };
    const both = [...purchases, { ...coins, productType: 1 }];
    const verified = await post(store.appReceipt({ purchases: both }), { key: null });
    expect(verified).toMatchObject({
      failure: null,
      environment: 'production',
      purchases: [{ key: id }, { kind: 'one_time', key: '7' }],
      installation: { originalApplicationVersion: '7' },
    });
    const [found] = subscriptionsIn(verified);
    expect(found?.observation).toMatchObject({ atMs: clock.nowMs(), facts: { renewal: null } });
    expect(Object.values(found?.observation.facts.periods ?? {})).toMatchObject([
      { src: 'signed', value: { startMs: NOW_MS, endMs: NOW_MS + 5_000, storeProductId: 'pro_monthly' } },
    ]);
    const sandboxed = store.appReceipt({ purchases, environment: 'ProductionSandbox' });
    expect(await post(sandboxed, { key: null })).toMatchObject({ failure: null, environment: 'sandbox' });
    for (const environment of [null, '', 'ProductionInternal']) {
      const silent = store.appReceipt({ purchases, environment });
      expect(await post(silent, { key: null })).toMatchObject({ failure: 'credentials', code: 7234 });
    }
    expect(api.calls).toEqual([]);
  });

  it('shows the first installed version of a receipt without purchases', async () => {
    expect(await post(store.appReceipt({}), { key: null })).toEqual({
      failure: null,
      environment: 'production',
      purchases: [],
      installation: { originalApplicationVersion: '7', originalPurchaseAtMs: null },
    });
  });
});
