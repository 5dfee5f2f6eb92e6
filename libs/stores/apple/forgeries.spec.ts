import { createHmac, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { appleChain, certificate, pemOf } from '../../../test/support/fake-app-store/certificates.js';
import { FakeAppStore, fakeProducts } from '../../../test/support/fake-app-store/fake-app-store.js';
import { altered, base64url, changedPayload, Signer } from '../../../test/support/fake-app-store/signer.js';
import { ManualClock } from '../../kernel/index.js';
import type { PostedReceipt } from '../contract.js';
import { AppStore } from './app-store.js';
import type { AppleApp } from './apple-app.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { AppleVerifier } from './apple-verifier.js';
import { NotGenuine } from './not-genuine.js';
import { ReceiptReader } from './receipt-reader.js';
import { appleApiUrls } from './server-api.client.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const BUNDLE = 'com.example.app';
const APPLE_ID = 6443000000;

const clock = new ManualClock(NOW_MS);
const store = new FakeAppStore(clock, BUNDLE, APPLE_ID);
const { signer, chain } = store;
const trust = { extraRoots: [chain.root.der], onlineChecks: false, nowMs: () => clock.nowMs() };
const verifier = new AppleVerifier(trust);
const services = {
  verifier,
  receipts: new ReceiptReader(trust),
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

const subscription = store.subscribe(store.account(), fakeProducts.monthly);
const sandboxed = store.subscribe(store.account('Sandbox'), fakeProducts.monthly);
const genuine = (): Record<string, unknown> => ({ ...subscription.latest, signedDate: NOW_MS });
const sandbox = (): Record<string, unknown> => ({ ...sandboxed.latest, signedDate: NOW_MS });
const xcode = (): Record<string, unknown> => ({ ...genuine(), environment: 'Xcode' });

function post(fetchToken: string, as: Partial<AppleApp> = {}) {
  const receipt: PostedReceipt = {
    fetchToken,
    productIds: ['pro_monthly'],
    price: null,
    country: null,
    presentedOfferingId: null,
  };
  const context = { nowMs: NOW_MS, product: () => undefined, hadProduct: () => false };
  return new AppStore({ ...app, ...as }, services).verify(receipt, context);
}

const strangers = new Signer(appleChain());
const expired = new Signer(
  appleChain({ root: chain.root, leaf: { toMs: NOW_MS - 86_400_000 }, intermediate: {} }),
);
const tooNew = new Signer(appleChain({ root: chain.root, leaf: { fromMs: NOW_MS + 86_400_000 } }));
const oldIntermediate = new Signer(
  appleChain({ root: chain.root, intermediate: { toMs: NOW_MS - 86_400_000 } }),
);
const noLeafMark = new Signer(appleChain({ root: chain.root, leaf: { marks: [] } }));
const noIntermediateMark = new Signer(appleChain({ root: chain.root, intermediate: { marks: [] } }));
const notCa = new Signer(appleChain({ root: chain.root, intermediate: { isCa: false } }));
const { leaf, intermediate, root } = chain;
const otherKey = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const xcodeCertificate = certificate({ commonName: 'StoreKit Testing in Xcode', isCa: true });
const otherXcode = certificate({ commonName: 'StoreKit Testing in Xcode', isCa: true });

function hmacSigned(secret: string | Buffer): string {
  const x5c = [leaf, intermediate, root].map(({ der }) => der.toString('base64'));
  const text = `${base64url({ alg: 'HS256', x5c })}.${base64url(genuine())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function derSigned(): string {
  const text = signer.sign(genuine()).split('.').slice(0, 2).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), leaf.key).toString('base64url')}`;
}

function signedWith(alg: string, key: Parameters<typeof sign>[2], hash: string): string {
  const x5c = [leaf, intermediate, root].map(({ der }) => der.toString('base64'));
  const text = `${base64url({ alg, x5c })}.${base64url(genuine())}`;
  return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`;
}

const forged: Record<string, () => string> = {
  'signed under another root': () => strangers.sign(genuine()),
  'signed under another root, with the right one appended': () =>
    strangers.sign(genuine(), { x5c: [strangers.chain.leaf, strangers.chain.intermediate, root] }),
  "a stranger's leaf under the right intermediate": () =>
    strangers.sign(genuine(), { x5c: [strangers.chain.leaf, intermediate, root] }),
  'a leaf without the mark of the App Store': () => noLeafMark.sign(genuine()),
  'an intermediate without the mark': () => noIntermediateMark.sign(genuine()),
  'an intermediate that may not issue': () => notCa.sign(genuine()),
  'a leaf that had expired when it signed': () => expired.sign(genuine()),
  'a leaf that was not valid yet': () => tooNew.sign(genuine()),
  'an intermediate that had expired': () => oldIntermediate.sign(genuine()),
  'the leaf alone': () => signer.sign(genuine(), { x5c: [leaf] }),
  'two certificates': () => signer.sign(genuine(), { x5c: [leaf, intermediate] }),
  'four certificates': () => signer.sign(genuine(), { x5c: [leaf, intermediate, root, root] }),
  'no certificates': () => signer.sign(genuine(), { x5c: [] }),
  'no header for certificates': () => signer.sign(genuine(), { header: { x5c: undefined } }),
  'certificates that are none': () => signer.sign(genuine(), { header: { x5c: ['a', 'b', 'c'] } }),
  'certificates as numbers': () => signer.sign(genuine(), { header: { x5c: [1, 2, 3] } }),
  'certificates as one text': () => signer.sign(genuine(), { header: { x5c: leaf.der.toString('base64') } }),
  'leaf and intermediate swapped': () => signer.sign(genuine(), { x5c: [intermediate, leaf, root] }),
  'signed with another key under the right certificates': () => signer.sign(genuine(), { key: otherKey }),
  'signed with the key of the intermediate': () => signer.sign(genuine(), { key: intermediate.key }),
  'a changed payload': () => changedPayload(signer.sign(genuine()), { productId: 'pro_yearly' }),
  'a later end': () => changedPayload(signer.sign(genuine()), { expiresDate: NOW_MS * 2 }),
  'a changed signature': () =>
    altered(signer.sign(genuine()), 2, (text) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)),
  'a cut signature': () => altered(signer.sign(genuine()), 2, (text) => text.slice(0, -8)),
  'an empty signature': () => altered(signer.sign(genuine()), 2, () => ''),
  'a signature of zeros': () => altered(signer.sign(genuine()), 2, () => base64url(Buffer.alloc(64))),
  'a signature in DER': derSigned,
  'alg none': () => signer.sign(genuine(), { header: { alg: 'none' } }),
  'alg none without signature': () =>
    altered(signer.sign(genuine(), { header: { alg: 'none' } }), 2, () => ''),
  'HMAC with the certificate as secret': () => hmacSigned(pemOf(leaf)),
  'HMAC with the public key as secret': () =>
    hmacSigned(new X509Certificate(leaf.der).publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  'alg ES384': () => signedWith('ES384', { key: p384, dsaEncoding: 'ieee-p1363' }, 'sha384'),
  'alg RS256': () => signedWith('RS256', rsa, 'sha256'),
  'alg in lower case': () => signer.sign(genuine(), { header: { alg: 'es256' } }),
  'alg as a list': () => signer.sign(genuine(), { header: { alg: ['ES256'] } }),
  'a key in the header': () =>
    strangers.sign(genuine(), {
      header: {
        jwk: new X509Certificate(strangers.chain.leaf.der).publicKey.export({ format: 'jwk' }),
        jku: 'http://127.0.0.1:1/',
      },
    }),
  'another bundle id': () => signer.sign({ ...genuine(), bundleId: 'com.example.other' }),
  'no bundle id': () => signer.sign({ ...genuine(), bundleId: undefined }),
  'sandbox data that claims production': () =>
    changedPayload(signer.sign(sandbox()), { environment: 'Production' }),
  'an unknown environment': () => signer.sign({ ...genuine(), environment: 'Staging' }),
  'no environment': () => signer.sign({ ...genuine(), environment: undefined }),
  'Xcode, signed by the App Store': () => signer.sign(xcode()),
  'Xcode, unsigned': () => `${base64url({ alg: 'ES256', x5c: [] })}.${base64url(xcode())}.AAAA`,
  'local testing, unsigned': () =>
    `${base64url({ alg: 'ES256', x5c: [] })}.${base64url({ ...genuine(), environment: 'LocalTesting' })}.AAAA`,
  'no date of signature': () => signer.sign({ ...genuine(), signedDate: undefined }),
  'a date of signature in words': () => signer.sign({ ...genuine(), signedDate: 'today' }),
  'a negative date of signature': () => signer.sign({ ...genuine(), signedDate: -5 }),
  'signed in ten years': () => signer.sign({ ...genuine(), signedDate: NOW_MS + 3_650 * 86_400_000 }),
  ...Object.fromEntries(
    ['purchaseDate', 'originalPurchaseDate', 'expiresDate', 'revocationDate'].map((name) => [
      `signed, with an impossible ${name}`,
      () => signer.sign({ ...genuine(), [name]: 1e17 }),
    ]),
  ),
  'a transaction id with a path': () => signer.sign({ ...genuine(), transactionId: '../../x?y' }),
  'an original transaction id with a path': () =>
    signer.sign({ ...genuine(), originalTransactionId: '1/../2' }),
  'no transaction id': () => signer.sign({ ...genuine(), transactionId: undefined }),
  'a product id with a path': () => signer.sign({ ...genuine(), productId: '../x' }),
  'a price in words': () => signer.sign({ ...genuine(), price: '9.99' }),
  'renewal information': () => subscription.signedRenewal(),
  'a notification': () =>
    (JSON.parse(subscription.subscribed().body) as { signedPayload: string }).signedPayload,
  'an app transaction': () => store.appTransaction(subscription.account),
  'a payload that is no object': () => signer.sign('[1]'),
  'a payload that is no JSON': () => signer.sign('{'),
  'a deeply nested payload': () => signer.sign(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
  'a megabyte': () => signer.sign({ ...genuine(), extra: 'x'.repeat(1_000_000) }),
  'four parts': () => `${signer.sign(genuine())}.AAAA`,
  'two parts': () => signer.sign(genuine()).split('.').slice(0, 2).join('.'),
  'padding between the parts': () => altered(signer.sign(genuine()), 1, (text) => `${text}==`),
  'plain text': () => 'hello',
  'a plain transaction id': () => '2000000123456789',
};

describe('forged transactions', () => {
  it('accepts a genuine one, so the table below fails only for its forgeries', async () => {
    for (const jws of [signer.sign(genuine()), signer.sign(sandbox())]) {
      expect(await post(jws)).toMatchObject({ failure: null });
    }
    expect(Object.keys(forged).length).toBeGreaterThan(55);
  });

  it.each(Object.keys(forged))('refuses %s, for good', async (name) => {
    const token = forged[name]?.() ?? '';
    expect(await post(token)).toMatchObject({ failure: 'permanent', code: 7103 });
    expect(await post(token, { allowUnsignedReceipts: false, appAppleId: null })).toMatchObject({
      failure: 'permanent',
    });
  });

  it("trusts only Apple's root by default", async () => {
    const strict = new AppleVerifier({ ...trust, extraRoots: [] });
    await expect(strict.transaction(app, signer.sign(genuine()))).rejects.toBeInstanceOf(NotGenuine);
  });

  it('does not accept unknown certificates after known ones', async () => {
    await verifier.transaction(app, signer.sign(genuine()));
    for (const other of [strangers, expired, noLeafMark]) {
      await expect(verifier.transaction(app, other.sign(genuine()))).rejects.toBeInstanceOf(NotGenuine);
    }
  });

  it('uses the date of signature: data signed while the certificate was valid stays genuine', async () => {
    const signedMs = NOW_MS - 2 * 86_400_000;
    const old = { ...genuine(), signedDate: signedMs };
    await expect(verifier.transaction(app, expired.sign(old))).resolves.toMatchObject({
      signedDate: signedMs,
    });
    await expect(verifier.transaction(app, expired.sign(genuine()))).rejects.toBeInstanceOf(NotGenuine);
  });
});

describe('data of StoreKit testing in Xcode', () => {
  const own = { x5c: [xcodeCertificate], key: xcodeCertificate.key };
  const withCertificate = { xcodeCertificate: pemOf(xcodeCertificate) };

  it('passes if signed with the uploaded certificate, always as sandbox', async () => {
    const fraction = {
      ...xcode(),
      purchaseDate: NOW_MS + 0.25,
      transactionId: '0',
      originalTransactionId: '0',
    };
    const verified = await post(signer.sign(fraction, own), withCertificate);
    expect(verified).toMatchObject({
      failure: null,
      environment: 'sandbox',
      purchases: [{ kind: 'subscription' }],
    });
    const receipt = Buffer.from(
      JSON.stringify({
        environment: 'xcode',
        bundle_id: BUNDLE,
        transactions: [signer.sign(xcode(), own)],
        subscription_status: {
          a: [
            {
              state: 1,
              renewal_info: signer.sign({ ...subscription.renewalInfo(), environment: 'Xcode' }, own),
              transaction: signer.sign(xcode(), own),
            },
          ],
        },
      }),
    ).toString('base64');
    const packed = await post(receipt, withCertificate);
    expect(packed).toMatchObject({ failure: null, environment: 'sandbox' });
    expect(packed.failure === null && packed.purchases).toHaveLength(1);
    expect(await post(receipt)).toMatchObject({ failure: 'permanent', code: 7103 });
  });

  it("keys purchases by more than Xcode's small numbers", async () => {
    const numbered = { transactionId: '0', originalTransactionId: '0', productId: 'p' };
    const keys = new Set<string>();
    for (const originalPurchaseDate of [NOW_MS, NOW_MS + 1]) {
      const verified = await post(
        signer.sign({ ...xcode(), ...numbered, originalPurchaseDate }, own),
        withCertificate,
      );
      if (verified.failure === null) keys.add(verified.purchases[0]?.key ?? '');
    }
    expect([...keys].every((key) => /^x:[0-9a-f]{64}$/.test(key))).toBe(true);
    expect(keys.size).toBe(2);
  });

  it.each<[string, () => string, Partial<AppleApp>]>([
    ['without a certificate saved', () => signer.sign(xcode(), own), {}],
    [
      'with another certificate',
      () => signer.sign(xcode(), { x5c: [otherXcode], key: otherXcode.key }),
      withCertificate,
    ],
    [
      'with the right certificate and another key',
      () => signer.sign(xcode(), { ...own, key: otherXcode.key }),
      withCertificate,
    ],
    [
      'with two certificates',
      () => signer.sign(xcode(), { ...own, x5c: [xcodeCertificate, otherXcode] }),
      withCertificate,
    ],
    [
      'of another app',
      () => signer.sign({ ...xcode(), bundleId: 'com.example.other' }, own),
      withCertificate,
    ],
    [
      'changed',
      () => changedPayload(signer.sign(xcode(), own), { productId: 'pro_yearly' }),
      withCertificate,
    ],
    ['that claims production', () => signer.sign(genuine(), own), withCertificate],
    ['that claims the sandbox', () => signer.sign(sandbox(), own), withCertificate],
    ['with a certificate that cannot be read', () => signer.sign(xcode(), own), { xcodeCertificate: 'none' }],
    [
      'of another app, unsigned data allowed',
      () => signer.sign({ ...xcode(), bundleId: 'b' }, own),
      { allowUnsignedReceipts: true },
    ],
  ])('fails %s', async (_, token, as) => {
    expect(await post(token(), as)).toMatchObject({ failure: 'permanent', code: 7103 });
  });

  it('passes unsigned if the developer allows that, and nothing else does', async () => {
    const unsigned = `${base64url({ alg: 'ES256' })}.${base64url(xcode())}.AAAA`;
    const allowed = { allowUnsignedReceipts: true };
    expect(await post(unsigned, allowed)).toMatchObject({ failure: null, environment: 'sandbox' });
    for (const payload of [genuine(), sandbox()]) {
      const token = `${base64url({ alg: 'ES256' })}.${base64url(payload)}.AAAA`;
      expect(await post(token, allowed)).toMatchObject({ failure: 'permanent' });
    }
  });
});
