import { generateKeyPairSync } from 'node:crypto';
import { keyFor, keySetLifetimeMs, parseKeySet, type PublicKey } from './key-set.policy.js';

const rsa = (bits: number, more: object = {}): object => ({
  kty: 'RSA',
  e: 'AQAB',
  n: Buffer.concat([Buffer.from([0, 2 ** ((bits - 1) % 8)]), Buffer.alloc(Math.ceil(bits / 8) - 1)]).toString(
    'base64url',
  ),
  ...more,
});
const ec = (crv: string, more: object = {}): object => ({ kty: 'EC', crv, x: 'AA', y: 'AA', ...more });
const okp = (crv: string, more: object = {}): object => ({ kty: 'OKP', crv, x: 'AA', ...more });
const parsed = (...keys: unknown[]): PublicKey[] => parseKeySet(JSON.stringify({ keys })) ?? [];

describe('a key set', () => {
  it('accepts only an object with a list of keys', () => {
    for (const text of ['', 'x', '[]', 'null', '{}', '{"keys":{}}']) expect(parseKeySet(text)).toBeNull();
    expect(parseKeySet('{"keys":[]}')).toEqual([]);
  });

  it.each<[string, unknown, boolean]>([
    ['RSA of 2047 bits', rsa(2047), false],
    ['RSA of 2048 bits', rsa(2048), true],
    ['RSA of 16384 bits', rsa(16_384), true],
    ['RSA of 16385 bits', rsa(16_385), false],
    ['RSA without a modulus', { kty: 'RSA', e: 'AQAB' }, false],
    ['P-256', ec('P-256'), true],
    ['P-384', ec('P-384'), true],
    ['P-521', ec('P-521'), false],
    ['Ed25519', okp('Ed25519'), true],
    ['Ed448', okp('Ed448'), false],
    ['a shared secret', { kty: 'oct', k: 'AAAA' }, false],
    ['a key for encryption', rsa(2048, { use: 'enc' }), false],
    ['a key that may not verify', rsa(2048, { key_ops: ['encrypt'] }), false],
    ['a key that may verify', rsa(2048, { key_ops: ['verify'] }), true],
    ['no key', 'x', false],
    ['null', null, false],
  ])('uses %s or not', (_, key, isUsed) => {
    expect(parsed(key)).toHaveLength(isUsed ? 1 : 0);
  });

  it('keeps nothing but the public members, and at most a hundred keys', () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    expect(parsed({ ...jwk, kid: 'a', x5c: ['x'] })).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: jwk.x, kid: 'a' },
    ]);
    expect(parsed(...Array.from({ length: 101 }, () => okp('Ed25519')))).toHaveLength(100);
  });

  it('gives the key that a token names, if its type fits the algorithm', () => {
    const keys = parsed(
      rsa(2048, { kid: 'a', alg: 'RS256' }),
      rsa(3072, { kid: 'b' }),
      ec('P-256', { kid: 'c' }),
      okp('Ed25519', { kid: 'd', alg: 'EdDSA' }),
    );
    const found = (alg: string, kid: string | null): string | undefined =>
      keyFor(keys, { alg: alg as 'RS256', kid })?.kid;
    expect(found('RS256', 'a')).toBe('a');
    expect(found('RS384', 'a')).toBeUndefined();
    expect(found('PS512', 'b')).toBe('b');
    expect(found('ES256', 'b')).toBeUndefined();
    expect(found('ES256', 'c')).toBe('c');
    expect(found('ES384', 'c')).toBeUndefined();
    expect(found('RS256', 'c')).toBeUndefined();
    expect(found('EdDSA', 'd')).toBe('d');
    expect(found('Ed25519', 'd')).toBe('d');
    expect(found('RS256', 'x')).toBeUndefined();
  });

  it('gives a token without a name the only key that fits', () => {
    const keys = parsed(rsa(2048), ec('P-256'), ec('P-256'));
    expect(keyFor(keys, { alg: 'RS256', kid: null })).toBe(keys[0]);
    expect(keyFor(keys, { alg: 'ES256', kid: null })).toBeNull();
    expect(keyFor(keys, { alg: 'ES384', kid: null })).toBeNull();
  });

  it.each<[string | undefined, number]>([
    [undefined, 3600],
    ['no-store', 3600],
    ['public, max-age=600', 600],
    ['Max-Age=600', 600],
    ['s-maxage=9, max-age=1', 300],
    ['max-age=299', 300],
    ['max-age=86400', 86_400],
    ['max-age=86401', 86_400],
    ['max-age=99999999999999999999', 86_400],
    ['max-age=x', 3600],
  ])('caches with the header %p for %p s', (header, seconds) => {
    expect(keySetLifetimeMs(header)).toBe(seconds * 1000);
  });
});
