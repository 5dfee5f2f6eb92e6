import fc from 'fast-check';
import type { ApiRequest } from '../http/pipeline/request.js';
import { fingerprintOf, idempotencyKeyOf } from './idempotency-key.js';

const principal = {
  kind: 'session',
  ssoOrgId: null,
  userId: 'usr_1',
  email: 'a@example.com',
  sessionId: 'ses_1',
  method: 'password',
} as const;

function fingerprint(changes: Partial<Parameters<typeof fingerprintOf>[0]> = {}): string {
  const request = { method: 'POST', originalUrl: '/v2/projects', body: { name: 'A' }, principal };
  return fingerprintOf({ ...request, ...changes }).toString('hex');
}

describe('the fingerprint of a request', () => {
  it('matches for the same body in another order of its fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse());
        expect(fingerprint({ body: reversed })).toBe(fingerprint({ body }));
      }),
    );
  });

  it('differs with the body, the path, the query and the caller', () => {
    const all = [
      fingerprint(),
      fingerprint({ body: { name: 'B' } }),
      fingerprint({ body: ['name'] }),
      fingerprint({ originalUrl: '/v2/projects?expand=x' }),
      fingerprint({ originalUrl: '/v2/projects/a' }),
      fingerprint({ principal: { ...principal, userId: 'usr_2' } }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('takes a missing body for an empty one', () => {
    expect(fingerprint({ body: undefined })).toBe(fingerprint({ body: {} }));
  });
});

describe('the key of a request', () => {
  const keyOf = (key: string): string | null =>
    idempotencyKeyOf({ method: 'POST', headers: { 'idempotency-key': key } } as unknown as ApiRequest);

  it('accepts any text of 1 to 255 printable characters, and nothing else', () => {
    const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: printable, minLength: 1, maxLength: 255 }), (key) => {
        expect(keyOf(key)).toBe(key);
      }),
    );
    for (const key of ['', 'k'.repeat(256), 'a\tb', 'caf\u00e9', 'a\u007f'])
      expect(() => keyOf(key)).toThrow();
  });
});
