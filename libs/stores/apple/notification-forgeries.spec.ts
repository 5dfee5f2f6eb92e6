import { appleChain } from '../../../test/support/fake-app-store/certificates.js';
import { FakeAppStore, fakeProducts } from '../../../test/support/fake-app-store/fake-app-store.js';
import { base64url, changedPayload, Signer } from '../../../test/support/fake-app-store/signer.js';
import { ManualClock } from '../../kernel/index.js';
import { AppStore } from './app-store.js';
import type { AppleApp } from './apple-app.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { AppleVerifier } from './apple-verifier.js';
import { NotGenuine } from './not-genuine.js';
import { ReceiptReader } from './receipt-reader.js';
import { readNotification } from './notification.js';
import { appleApiUrls } from './server-api.client.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const BUNDLE = 'com.example.app';
const APPLE_ID = 6443000000;

const store = new FakeAppStore(new ManualClock(NOW_MS), BUNDLE, APPLE_ID);
const { signer, chain } = store;
const verifier = new AppleVerifier({
  extraRoots: [chain.root.der],
  onlineChecks: false,
  nowMs: () => NOW_MS,
});
const services = {
  verifier,
  receipts: new ReceiptReader({ extraRoots: [chain.root.der] }),
  api: { urls: appleApiUrls, nowMs: () => NOW_MS, breaker: new CircuitBreaker(() => NOW_MS) },
  deadlineMs: 1_000,
};
const app: AppleApp = {
  store: 'app_store',
  bundleId: BUNDLE,
  appAppleId: APPLE_ID,
  key: null,
  xcodeCertificate: null,
  allowUnsignedReceipts: false,
};
const strangers = new Signer(appleChain());
const subscription = store.subscribe(store.account(), fakeProducts.monthly);
const sandboxed = store.subscribe(store.account('Sandbox'), fakeProducts.monthly);
const genuine = (): Record<string, unknown> => ({ ...subscription.latest, signedDate: NOW_MS });

describe('forged notifications', () => {
  const data = () => ({
    bundleId: BUNDLE,
    appAppleId: APPLE_ID,
    environment: 'Production',
    signedTransactionInfo: subscription.signed(),
    signedRenewalInfo: subscription.signedRenewal(),
  });
  const body = (signedPayload: unknown): Buffer => Buffer.from(JSON.stringify({ signedPayload }));
  const notification = (changes: object = {}, content: object = {}): Record<string, unknown> => ({
    notificationType: 'DID_RENEW',
    notificationUUID: '8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
    version: '2.0',
    signedDate: NOW_MS,
    data: { ...data(), ...content },
    ...changes,
  });
  const other = store.subscribe(store.account(), fakeProducts.monthly);

  const cases: Record<string, () => Buffer> = {
    'signed under another root': () => body(strangers.sign(notification())),
    'with a changed type': () =>
      body(changedPayload(signer.sign(notification()), { notificationType: 'REFUND' })),
    unsigned: () => body(`${base64url({ alg: 'none' })}.${base64url(notification())}.`),
    'of another bundle id': () => body(signer.sign(notification({}, { bundleId: 'com.example.other' }))),
    'of another app in production': () => body(signer.sign(notification({}, { appAppleId: 1 }))),
    'without an app in production': () => body(signer.sign(notification({}, { appAppleId: undefined }))),
    'of an unknown environment': () => body(signer.sign(notification({}, { environment: 'Xcode' }))),
    'with a transaction of a stranger': () =>
      body(signer.sign(notification({}, { signedTransactionInfo: strangers.sign(genuine()) }))),
    'with an unsigned transaction': () =>
      body(
        signer.sign(
          notification({}, { signedTransactionInfo: `${base64url({})}.${base64url(genuine())}.A` }),
        ),
      ),
    'with a transaction of another app': () =>
      body(
        signer.sign(
          notification({}, { signedTransactionInfo: signer.sign({ ...genuine(), bundleId: 'b' }) }),
        ),
      ),
    'with a transaction that expires at an impossible time': () =>
      body(
        signer.sign(
          notification({}, { signedTransactionInfo: signer.sign({ ...genuine(), expiresDate: 1e17 }) }),
        ),
      ),
    'with a sandbox transaction in production': () =>
      body(signer.sign(notification({}, { signedTransactionInfo: sandboxed.signed() }))),
    'with the renewal of another subscription': () =>
      body(signer.sign(notification({}, { signedRenewalInfo: other.signedRenewal() }))),
    'with a transaction in the place of the renewal': () =>
      body(signer.sign(notification({}, { signedRenewalInfo: subscription.signed() }))),
    'with a renewal in the place of the transaction': () =>
      body(signer.sign(notification({}, { signedTransactionInfo: subscription.signedRenewal() }))),
    'without an id': () => body(signer.sign(notification({ notificationUUID: undefined }))),
    'without a type': () => body(signer.sign(notification({ notificationType: undefined }))),
    'without a date': () => body(signer.sign(notification({ signedDate: undefined }))),
    'of the far future': () => body(signer.sign(notification({ signedDate: NOW_MS * 2 }))),
    'without data': () => body(signer.sign(notification({ data: undefined }))),
    'that is a transaction': () => body(subscription.signed()),
    'as a number': () => body(5),
    'without signedPayload': () => Buffer.from('{}'),
    'that is no JSON': () => Buffer.from('signedPayload=1'),
    'that is nothing': () => Buffer.alloc(0),
  };

  it('accepts a genuine one', async () => {
    const read = await readNotification(verifier, app, body(signer.sign(notification())));
    expect(read).toMatchObject({ type: 'DID_RENEW', environment: 'Production' });
    const unknownNumber = { ...app, appAppleId: null };
    await expect(
      readNotification(verifier, unknownNumber, body(signer.sign(notification()))),
    ).resolves.toBeDefined();
  });

  it.each(Object.keys(cases))('fails %s', async (name) => {
    const forgery = cases[name]?.() ?? Buffer.alloc(0);
    await expect(readNotification(verifier, app, forgery)).rejects.toBeInstanceOf(NotGenuine);
  });
});

describe('app transactions', () => {
  const installation = (jws: string, as: Partial<AppleApp> = {}) =>
    new AppStore({ ...app, ...as }, services).verifyInstallation(jws);

  it('shows the first installed version and its date', async () => {
    const jws = store.appTransaction(subscription.account);
    const expected = {
      installation: { originalApplicationVersion: '7', originalPurchaseAtMs: NOW_MS - 1_000_000 },
      accounts: [{ kind: 'apple_app_transaction_id', key: subscription.account.appTransactionId }],
    };
    expect(await installation(jws)).toEqual(expected);
    expect(await installation(jws, { appAppleId: null })).toEqual(expected);
  });

  it('refuses forged ones', async () => {
    const { account } = subscription;
    for (const jws of [
      strangers.sign({ receiptType: 'Production', bundleId: BUNDLE, appAppleId: APPLE_ID }),
      store.appTransaction(account, { bundleId: 'com.example.other' }),
      store.appTransaction(account, { appAppleId: 1 }),
      store.appTransaction(account, { receiptType: 'Xcode' }),
      store.appTransaction(account, { receiptCreationDate: NOW_MS * 2 }),
      changedPayload(store.appTransaction(account), { originalApplicationVersion: '1' }),
      'nonsense',
    ]) {
      expect(await installation(jws)).toBeNull();
    }
  });
});
