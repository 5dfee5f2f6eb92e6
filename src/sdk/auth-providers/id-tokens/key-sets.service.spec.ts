import { generateKeyPairSync } from 'node:crypto';
import { CompactSign, compactVerify, exportJWK, generateKeyPair } from 'jose';
import { ManualClock } from '../../../../libs/kernel/index.js';
import { signatureAlgorithms } from './id-token.policy.js';
import { type FetchedKeys, KeysNotLoaded, type KeySetClient, type KeySource } from './key-set.client.js';
import type { PublicKey } from './key-set.policy.js';
import { KeySetsService } from './key-sets.service.js';

const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) as PublicKey;
const source = { jwksUrl: 'https://a.example/keys' };

describe('cached key sets', () => {
  let clock: ManualClock;
  let fetched: KeySource[];
  let answer: () => Promise<FetchedKeys>;
  let sets: KeySetsService;

  const of = (...kids: string[]): FetchedKeys => ({
    keys: kids.map((kid) => ({ ...jwk, kid })),
    lifetimeMs: 300_000,
  });
  const find = async (kid: string): Promise<boolean> =>
    (await sets.find(source, { alg: 'EdDSA', kid })) !== null;

  beforeEach(() => {
    clock = new ManualClock(0);
    fetched = [];
    answer = () => Promise.resolve(of('a'));
    const client = {
      fetch: (from: KeySource) => {
        fetched.push(from);
        return answer();
      },
    } as unknown as KeySetClient;
    sets = new KeySetsService(client, clock);
  });

  it('imports a key once', async () => {
    const first = await sets.find(source, { alg: 'EdDSA', kid: 'a' });
    expect(first).not.toBeNull();
    expect(await sets.find(source, { alg: 'EdDSA', kid: 'a' })).toBe(first);
    expect(fetched).toEqual([source]);
  });

  it('fetches them once, however many wait for them', async () => {
    let release: (keys: FetchedKeys) => void = () => undefined;
    answer = () => new Promise((resolve) => (release = resolve));
    const waiting = Promise.all([find('a'), find('a'), find('b')]);
    release(of('a', 'b'));
    expect(await waiting).toEqual([true, true, true]);
    expect(fetched).toHaveLength(1);
  });

  it('fetches them again for an unknown key, at most once a minute', async () => {
    await find('a');
    answer = () => Promise.resolve(of('a', 'b'));
    clock.advanceMs(59_999);
    expect(await find('b')).toBe(false);
    clock.advanceMs(1);
    expect(await find('b')).toBe(true);
    expect(await find('c')).toBe(false);
    expect(fetched).toHaveLength(2);
  });

  it('fetches them again when they expire, and drops removed keys', async () => {
    await find('a');
    answer = () => Promise.resolve(of('b'));
    clock.advanceMs(299_999);
    expect(await find('a')).toBe(true);
    clock.advanceMs(1);
    expect(await find('a')).toBe(false);
    expect(fetched).toHaveLength(2);
  });

  it('stays in use while they cannot be fetched, which is tried once a minute', async () => {
    await find('a');
    answer = () => Promise.reject(new KeysNotLoaded('down'));
    clock.advanceMs(300_000);
    expect(await find('a')).toBe(true);
    expect(await find('a')).toBe(true);
    expect(await find('b')).toBe(false);
    expect(fetched).toHaveLength(2);
    clock.advanceMs(60_000);
    expect(await find('a')).toBe(true);
    expect(fetched).toHaveLength(3);
  });

  it('says when to retry if there are none yet', async () => {
    answer = () => Promise.reject(new KeysNotLoaded('down'));
    await expect(find('a')).rejects.toMatchObject({ message: 'down', retryAfterS: 5 });
    clock.advanceMs(3_500);
    await expect(find('a')).rejects.toMatchObject({ retryAfterS: 2 });
    expect(fetched).toHaveLength(1);
    clock.advanceMs(1_500);
    answer = () => Promise.resolve(of('a'));
    expect(await find('a')).toBe(true);
  });

  it.each([...signatureAlgorithms, 'Ed25519'] as const)(
    'verifies what %s has signed, and nothing else',
    async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      const key = (await exportJWK(publicKey)) as PublicKey;
      answer = () => Promise.resolve({ keys: [{ ...key, kid: 'a' }], lifetimeMs: 300_000 });
      const signed = (from: typeof privateKey) =>
        new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, kid: 'a' }).sign(from);
      const found = (await sets.find(source, { alg, kid: 'a' }))!;
      await expect(
        compactVerify(await signed(privateKey), found, { algorithms: [alg] }),
      ).resolves.toBeDefined();
      const other = await generateKeyPair(alg, { extractable: true });
      await expect(
        compactVerify(await signed(other.privateKey), found, { algorithms: [alg] }),
      ).rejects.toMatchObject({ code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
    },
  );

  it('treats a key that cannot be imported as none', async () => {
    answer = () =>
      Promise.resolve({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'a' }], lifetimeMs: 300_000 });
    expect(await find('a')).toBe(false);
  });

  it('limits their number, and forgets the least recently used ones', async () => {
    answer = () =>
      Promise.resolve({
        keys: Array.from({ length: 100 }, () => ({ ...jwk, kid: 'a' })),
        lifetimeMs: 300_000,
      });
    for (let index = 0; index <= 100; index++) {
      await sets.find({ issuer: `https://a.example/${index}` }, { alg: 'EdDSA', kid: 'a' });
    }
    expect(fetched).toHaveLength(101);
    await sets.find({ issuer: 'https://a.example/100' }, { alg: 'EdDSA', kid: 'a' });
    expect(fetched).toHaveLength(101);
    await sets.find({ issuer: 'https://a.example/0' }, { alg: 'EdDSA', kid: 'a' });
    expect(fetched).toHaveLength(102);
  });
});
