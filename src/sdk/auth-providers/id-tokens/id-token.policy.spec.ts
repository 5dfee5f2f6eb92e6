import fc from 'fast-check';
import {
  checkClaims,
  type Claims,
  IdTokenRefused,
  issuerOf,
  idTokenProblems,
  mappedAppUserId,
  parseIdToken,
  signatureAlgorithms,
} from './id-token.policy.js';

const NOW_S = 1_767_323_045;
const NOW_MS = NOW_S * 1000;

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const tokenOf = (header: unknown, claims: unknown = {}): string =>
  `${encoded(header)}.${encoded(claims)}.c2ln`;

/** The problem that `work` reports; null if there is none. Any other error fails the test. */
function problemOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof IdTokenRefused) return error.problem;
    throw error;
  }
}

describe('the form of an ID token', () => {
  const head = { alg: 'RS256', kid: 'a' };

  it.each<[string, string, string | null]>([
    ['a signed JWT', tokenOf(head), null],
    ['16384 bytes', `${tokenOf(head)}${'a'.repeat(16_384 - tokenOf(head).length)}`, null],
    ['16385 bytes', `${tokenOf(head)}${'a'.repeat(16_385 - tokenOf(head).length)}`, 'too_large'],
    ['few characters of many bytes', '€'.repeat(5_462), 'too_large'],
    ['nothing', '', 'malformed'],
    ['two parts', 'e30.e30', 'malformed'],
    ['four parts', `${tokenOf(head)}.c2ln`, 'malformed'],
    ['an empty signature', `${encoded(head)}.${encoded({})}.`, 'malformed'],
    ['other characters', `${encoded(head)}=.${encoded({})}.c2ln`, 'malformed'],
    ['a header that is no JSON', tokenOf('{'), 'malformed'],
    ['a header that is a list', tokenOf([]), 'malformed'],
    ['claims that are null', tokenOf(head, 'null'), 'malformed'],
    ['claims that are not UTF-8', `${encoded(head)}._-8.c2ln`, 'malformed'],
    ['no algorithm', tokenOf({ kid: 'a' }), 'alg_not_allowed'],
    ['none', tokenOf({ alg: 'none' }), 'alg_not_allowed'],
    ['HMAC', tokenOf({ alg: 'HS256' }), 'alg_not_allowed'],
    ['ES512', tokenOf({ alg: 'ES512' }), 'alg_not_allowed'],
    ['another case', tokenOf({ alg: 'rs256' }), 'alg_not_allowed'],
    ['a list of algorithms', tokenOf({ alg: ['RS256'] }), 'alg_not_allowed'],
    ['a critical extension', tokenOf({ ...head, crit: ['exp'] }), 'alg_not_allowed'],
    ['an empty list of them', tokenOf({ ...head, crit: [] }), 'alg_not_allowed'],
    ['an unencoded payload', tokenOf({ ...head, b64: false }), 'alg_not_allowed'],
    ['Ed25519', tokenOf({ alg: 'Ed25519' }), null],
    ['keys in the header', tokenOf({ ...head, jwk: {}, jku: 'https://a.example', x5c: [], x5u: '' }), null],
  ])('%s', (_, text, problem) => {
    expect(problemOf(() => parseIdToken(text))).toBe(problem);
  });

  it.each(signatureAlgorithms)('%s is accepted', (alg) => {
    expect(parseIdToken(tokenOf({ alg }))).toMatchObject({ alg, kid: null });
  });

  it('ignores a key id that is no text', () => {
    expect(parseIdToken(tokenOf({ alg: 'RS256', kid: 7 })).kid).toBeNull();
  });
});

describe('the issuer of an ID token', () => {
  it.each([
    ['accounts.google.com', 'https://accounts.google.com'],
    ['https://accounts.google.com', 'https://accounts.google.com'],
    ['accounts.google.com.example', 'accounts.google.com.example'],
    ['http://accounts.google.com', 'http://accounts.google.com'],
    ['id.example.com', 'id.example.com'],
    [undefined, undefined],
  ])('reads %j as %j', (iss, issuer) => {
    expect(issuerOf({ iss })).toBe(issuer);
  });
});

describe('the claims of an ID token', () => {
  const oidc = { kind: 'oidc', audiences: ['shop', 'web'] } as const;
  const firebase = { kind: 'firebase', audiences: ['shop'] } as const;
  const valid = { aud: 'shop', exp: NOW_S + 3600, iat: NOW_S, auth_time: NOW_S, sub: 'ada' };
  const without = (name: keyof typeof valid): Claims =>
    Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));

  it.each<[string, Claims, string | null]>([
    ['one audience', valid, null],
    ['another audience', { ...valid, aud: 'other' }, 'wrong_audience'],
    ['no audience', without('aud'), 'wrong_audience'],
    ['an empty list of audiences', { ...valid, aud: [] }, 'wrong_audience'],
    ['a nested list', { ...valid, aud: [['shop']] }, 'wrong_audience'],
    ['one of several audiences', { ...valid, aud: ['other', 'shop'] }, null],
    ['several, issued to ours', { ...valid, aud: ['other', 'shop'], azp: 'web' }, null],
    ['several, issued to another', { ...valid, aud: ['other', 'shop'], azp: 'other' }, 'wrong_audience'],
    ['several, issued to no text', { ...valid, aud: ['other', 'shop'], azp: null }, 'wrong_audience'],
    ['one, issued to another', { ...valid, aud: 'shop', azp: 'other' }, null],
    ['one in a list, issued to another', { ...valid, aud: ['shop'], azp: 'other' }, null],
    ['no end', without('exp'), 'expired'],
    ['an end as text', { ...valid, exp: String(NOW_S + 3600) }, 'expired'],
    ['an end 60 s ago', { ...valid, exp: NOW_S - 60 }, 'expired'],
    ['an end 59 s ago', { ...valid, exp: NOW_S - 59 }, null],
    ['an end 59.999 s ago', { ...valid, exp: NOW_S - 59.999 }, null],
    ['a beginning in 60 s', { ...valid, nbf: NOW_S + 60 }, null],
    ['a beginning in 60.001 s', { ...valid, nbf: NOW_S + 60.001 }, 'not_yet_valid'],
    ['a beginning as text', { ...valid, nbf: '1' }, 'not_yet_valid'],
    ['issued in 60 s', { ...valid, iat: NOW_S + 60 }, null],
    ['issued in 61 s', { ...valid, iat: NOW_S + 61 }, 'issued_in_future'],
    ['issued at no number', { ...valid, iat: null }, 'issued_in_future'],
    ['signed in in 60 s', { ...valid, auth_time: NOW_S + 60 }, null],
    ['signed in in 61 s', { ...valid, auth_time: NOW_S + 61 }, 'auth_time_in_future'],
    ['no subject', without('sub'), 'subject_missing'],
    ['an empty subject', { ...valid, sub: '' }, 'subject_missing'],
    ['a number as subject', { ...valid, sub: 7 }, 'subject_missing'],
    ['a subject with NUL', { ...valid, sub: 'a\0' }, 'subject_missing'],
    ['half of a surrogate pair', { ...valid, sub: '\ud83d' }, 'subject_missing'],
    ['255 characters', { ...valid, sub: '😀'.repeat(255) }, null],
    ['256 characters', { ...valid, sub: 'a'.repeat(256) }, 'subject_too_long'],
  ])('%s', (_, claims, problem) => {
    expect(problemOf(() => checkClaims(claims, oidc, NOW_MS))).toBe(problem);
  });

  it('needs both times of the sign-in only for Firebase', () => {
    for (const [name, problem] of [
      ['iat', 'issued_in_future'],
      ['auth_time', 'auth_time_in_future'],
    ] as const) {
      expect(problemOf(() => checkClaims(without(name), oidc, NOW_MS))).toBeNull();
      expect(problemOf(() => checkClaims(without(name), firebase, NOW_MS))).toBe(problem);
    }
  });

  it('checks them in order and names the first problem', () => {
    const wrong: Claims = { aud: 'x', exp: 0, nbf: NOW_S + 99, iat: NOW_S + 99, auth_time: NOW_S + 99 };
    const repairs: [string, Claims][] = [
      ['wrong_audience', { aud: 'shop' }],
      ['expired', { exp: NOW_S + 1 }],
      ['not_yet_valid', { nbf: NOW_S }],
      ['issued_in_future', { iat: NOW_S }],
      ['auth_time_in_future', { auth_time: NOW_S }],
      ['subject_missing', { sub: 'ada' }],
    ];
    for (const [problem, repair] of repairs) {
      expect(problemOf(() => checkClaims(wrong, oidc, NOW_MS))).toBe(problem);
      Object.assign(wrong, repair);
    }
    expect(checkClaims(wrong, oidc, NOW_MS)).toBe('ada');
  });

  it('never fail with anything but the listed problems, and never repeat what the token says', () => {
    const time = fc.oneof(fc.integer({ min: NOW_S - 100, max: NOW_S + 100 }), fc.double(), fc.jsonValue());
    const claims = fc.record(
      {
        aud: fc.oneof(fc.constantFrom('shop', 'web'), fc.array(fc.string()), fc.jsonValue()),
        azp: fc.jsonValue(),
        exp: time,
        nbf: time,
        iat: time,
        auth_time: time,
        sub: fc.oneof(fc.string(), fc.jsonValue()),
        secret: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(claims, fc.constantFrom(oidc, firebase), fc.string(), (random, terms, claim) => {
        try {
          const body = JSON.parse(JSON.stringify(random)) as Claims;
          checkClaims(parseIdToken(tokenOf({ alg: 'RS256' }, body)).claims, terms, NOW_MS);
          mappedAppUserId(body, { appUserIdClaim: claim, appUserIdPrefix: '' });
        } catch (error) {
          expect(error).toBeInstanceOf(IdTokenRefused);
          const { problem, message } = error as IdTokenRefused;
          expect(message).toBe(idTokenProblems[problem]);
        }
      }),
    );
  });
});

describe('the app user id of an ID token', () => {
  const mapped = (claims: Claims, claim = 'id', prefix = ''): string =>
    mappedAppUserId(claims, { appUserIdClaim: claim, appUserIdPrefix: prefix });

  it.each<[string, Claims, string, string, string]>([
    ['a text', { id: 'ada' }, 'id', '', 'ada'],
    ['a whole number', { id: 17 }, 'id', '', '17'],
    ['a prefix', { id: 17 }, 'id', 'u-', 'u-17'],
    ['a claim in objects', { a: { b: { c: 'ada' } } }, 'a.b.c', '', 'ada'],
    [
      'a claim whose name has dots',
      { 'https://shop.example/id': 'ada' },
      'https://shop.example/id',
      '',
      'ada',
    ],
    ['a name with dots before objects', { 'a.b': 'flat', a: { b: 'deep' } }, 'a.b', '', 'flat'],
    ['100 characters', { id: 'a'.repeat(98) }, 'id', 'u-', `u-${'a'.repeat(98)}`],
  ])('%s', (_, claims, claim, prefix, appUserId) => {
    expect(mapped(claims, claim, prefix)).toBe(appUserId);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'app_user_id_missing'],
    ['null', null, 'app_user_id_missing'],
    ['an object', {}, 'app_user_id_missing'],
    ['a list', ['ada'], 'app_user_id_missing'],
    ['true', true, 'app_user_id_missing'],
    ['a fraction', 1.5, 'app_user_id_missing'],
    ['an empty text', '', 'app_user_id_missing'],
    ['a number that lost digits', 2 ** 53, 'app_user_id_invalid'],
    ['101 characters with the prefix', 'a'.repeat(100), 'app_user_id_invalid'],
    ['an id with a slash', 'a/b', 'app_user_id_invalid'],
    ['an id with NUL', 'a\0b', 'app_user_id_invalid'],
    ['half of a surrogate pair', '\udc00', 'app_user_id_invalid'],
  ])('%s gives none', (_, id, problem) => {
    expect(problemOf(() => mapped({ id }, 'id', 'u'))).toBe(problem);
  });

  it.each(['$RCAnonymousID:', '$RCAnonymousID:0123456789abcdef0123456789abcdef', 'null', '0', '..', ' '])(
    'refuses %p, whatever the prefix adds to it',
    (id) => {
      for (let cut = 0; cut < id.length; cut++) {
        expect(problemOf(() => mapped({ id: id.slice(cut) }, 'id', id.slice(0, cut)))).toBe(
          'app_user_id_invalid',
        );
      }
    },
  );

  it('ignores properties that every object has', () => {
    for (const claim of ['constructor', 'constructor.name', '__proto__', 'toString', 'id.length']) {
      expect(problemOf(() => mapped({ id: 'ada' }, claim))).toBe('app_user_id_missing');
    }
  });
});
