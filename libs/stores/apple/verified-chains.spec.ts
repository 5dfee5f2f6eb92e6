import { jest } from '@jest/globals';
import { appleChain } from '../../../test/support/fake-app-store/certificates.js';
import { FakeAppStore, fakeProducts } from '../../../test/support/fake-app-store/fake-app-store.js';
import { altered, Signer } from '../../../test/support/fake-app-store/signer.js';
import { ManualClock } from '../../kernel/index.js';
import { AppleVerifier } from './apple-verifier.js';
import { NotGenuine } from './not-genuine.js';
import { VerifiedChains } from './verified-chains.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;
const app = { bundleId: 'com.example.app', appAppleId: 6443000000 };

const clock = new ManualClock(NOW_MS);
const store = new FakeAppStore(clock, app.bundleId, app.appAppleId);
const { root } = store.chain;
const bought = store.subscribe(store.account(), fakeProducts.monthly).latest;
const { leaf } = store.chain;

describe('the cache of chains', () => {
  const chain = { key: leaf.key, fromMs: NOW_MS, toMs: NOW_MS + HOUR_MS, checkedAtMs: NOW_MS };
  const chains = new VerifiedChains();
  chains.add('header', chain);

  it('finds a chain by its whole header only', () => {
    expect(chains.find('header', NOW_MS, null)).toBe(leaf.key);
    expect(chains.find('headeR', NOW_MS, null)).toBeNull();
    expect(chains.find('header2', NOW_MS, null)).toBeNull();
  });

  it.each([NOW_MS - HOUR_MS, NOW_MS + 2 * HOUR_MS, Number.NaN])(
    'finds no chain that is not valid at %d',
    (atMs) => {
      expect(chains.find('header', atMs, null)).toBeNull();
    },
  );

  it('requires another check for revocation after 15 minutes', () => {
    expect(chains.find('header', NOW_MS, NOW_MS + 14 * 60_000)).toBe(leaf.key);
    expect(chains.find('header', NOW_MS, NOW_MS + 15 * 60_000)).toBeNull();
  });

  it('drops the oldest of too many chains', () => {
    const many = new VerifiedChains();
    for (let number = 0; number < 300; number++) many.add(`header ${number}`, chain);
    expect(many.find('header 0', NOW_MS, null)).toBeNull();
    expect(many.find('header 299', NOW_MS, null)).toBe(leaf.key);
  });
});

describe('a verifier with cached chains', () => {
  const verifierOf = () =>
    new AppleVerifier({ extraRoots: [root.der], onlineChecks: false, nowMs: () => clock.nowMs() });
  const signedAt = (signedDate: number): Record<string, unknown> => ({ ...bought, signedDate });

  it('refuses what a known chain signed after its end', async () => {
    const short = new Signer(appleChain({ root, leaf: { toMs: NOW_MS + HOUR_MS } }));
    const verifier = verifierOf();
    await expect(verifier.transaction(app, short.sign(signedAt(NOW_MS)))).resolves.toBeDefined();
    const late = short.sign(signedAt(NOW_MS + 2 * HOUR_MS));
    await expect(verifier.transaction(app, late)).rejects.toBeInstanceOf(NotGenuine);
  });

  it('refuses a false signature under a known header', async () => {
    const verifier = verifierOf();
    const genuine = store.signer.sign(signedAt(NOW_MS));
    await expect(verifier.transaction(app, genuine)).resolves.toBeDefined();
    const forged = altered(genuine, 2, () => Buffer.alloc(64, 1).toString('base64url'));
    await expect(verifier.transaction(app, forged)).rejects.toBeInstanceOf(NotGenuine);
  });

  it('refuses a known signature under another header', async () => {
    const verifier = verifierOf();
    const genuine = store.signer.sign(signedAt(NOW_MS));
    await verifier.transaction(app, genuine);
    const padded = altered(genuine, 0, (text) => {
      const header = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
      return Buffer.from(JSON.stringify({ ...header, kid: 'x' })).toString('base64url');
    });
    await expect(verifier.transaction(app, padded)).rejects.toBeInstanceOf(NotGenuine);
  });

  it('caches a header only after its signature was verified', async () => {
    const add = jest.spyOn(VerifiedChains.prototype, 'add');
    const verifier = verifierOf();
    const genuine = store.signer.sign(signedAt(NOW_MS));
    const forged = altered(genuine, 2, () => Buffer.alloc(64, 1).toString('base64url'));
    await expect(verifier.transaction(app, forged)).rejects.toBeInstanceOf(NotGenuine);
    expect(add).not.toHaveBeenCalled();
    await verifier.transaction(app, genuine);
    await verifier.transaction(app, genuine);
    expect(add).toHaveBeenCalledTimes(1);
    add.mockRestore();
  });
});
