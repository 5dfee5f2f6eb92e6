import { createPublicKey, verify } from 'node:crypto';
import { jwtSigner } from './jwt.js';

const signer = jwtSigner(Buffer.alloc(32, 7));
const token = signer.sign('at+jwt', { sub: 'ada' });
const [head = '', payload = '', signature = ''] = token.split('.');
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('tokens of one key', () => {
  it('creates JSON Web Tokens with an Ed25519 signature', () => {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: signer.publicKey.toString('base64url') },
      format: 'jwk',
    });
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'at+jwt',
      kid: signer.kid,
    });
    const content = Buffer.from(`${head}.${payload}`);
    expect(verify(null, content, key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(signer.claimsOf('at+jwt', token)).toEqual({ sub: 'ada' });
  });

  it.each([
    ['another type', signer.sign('JWT', { sub: 'ada' })],
    ['another key', jwtSigner(Buffer.alloc(32, 8)).sign('at+jwt', { sub: 'ada' })],
    ['another algorithm', `${part({ alg: 'none', typ: 'at+jwt', kid: signer.kid })}.${payload}.`],
    ['other claims', `${head}.${part({ sub: 'bob' })}.${signature}`],
    ['no signature', `${head}.${payload}.`],
    ['another writing of the same signature', `${token}=`],
    ['a fourth part', `${token}.x`],
    ['two parts', `${head}.${payload}`],
    ['nothing', ''],
  ])('does not include one with %s', (_, other) => {
    expect(signer.claimsOf('at+jwt', other)).toBeNull();
  });

  it('needs a whole seed', () => {
    expect(() => jwtSigner(Buffer.alloc(31))).toThrow(RangeError);
  });
});
