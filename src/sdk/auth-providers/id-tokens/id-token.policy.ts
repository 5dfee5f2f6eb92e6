import { isJsonObject, parseJson } from '../../../../libs/kernel/index.js';
import { assertAppUserId } from '../../../platform/http/bodies/app-user-id.js';
import { hasLength } from '../../../platform/http/bodies/text-length.js';
import type { ProviderKind } from '../providers/auth-provider.entity.js';

/** Reasons for refusing an ID token. No message repeats content of the token. */
export const idTokenProblems = {
  too_large: 'The ID token is larger than 16384 bytes.',
  malformed: 'The ID token is not a signed JWT.',
  alg_not_allowed: 'The ID token is signed with an algorithm, or in a form, that is not accepted.',
  wrong_issuer: 'The issuer of the ID token is not that of the provider.',
  keys_unavailable: 'The keys of the provider could not be loaded.',
  unknown_key: 'The provider has no key that fits the ID token.',
  bad_signature: 'The signature of the ID token is not valid.',
  wrong_audience: 'The ID token was issued to another application.',
  expired: 'The ID token has expired.',
  not_yet_valid: 'The ID token is not valid yet.',
  issued_in_future: 'The time at which the ID token was issued is missing or in the future.',
  auth_time_in_future: 'The time of the sign-in in the ID token is missing or in the future.',
  subject_missing: 'The ID token has no subject.',
  subject_too_long: 'The subject of the ID token is longer than 255 characters.',
  app_user_id_missing: 'The ID token does not have the claim that holds the app user id.',
  app_user_id_invalid: 'The app user id in the ID token is not allowed.',
} as const;

export type IdTokenProblem = keyof typeof idTokenProblems;

export type Claims = Record<string, unknown>;

export class IdTokenRefused extends Error {
  constructor(
    readonly problem: IdTokenProblem,
    /** The claims if the token's signature is valid; null otherwise. */
    readonly claims: Claims | null = null,
  ) {
    super(idTokenProblems[problem]);
    this.name = 'IdTokenRefused';
  }
}

export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
] as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export interface ParsedIdToken {
  text: string;
  /** As in the header, where `Ed25519` is another name for `EdDSA`. */
  alg: SignatureAlgorithm | 'Ed25519';
  kid: string | null;
  /** The claims are not verified yet. */
  claims: Claims;
}

const GOOGLE = 'https://accounts.google.com';
/** Google documents both spellings for its ID tokens. */
const GOOGLE_WITHOUT_SCHEME = 'accounts.google.com';

/** A token's issuer in the form used by providers' settings. */
export function issuerOf({ iss }: Claims): unknown {
  return iss === GOOGLE_WITHOUT_SCHEME ? GOOGLE : iss;
}

const MAX_BYTES = 16_384;
const BASE64URL = /^[\w-]+$/;
const MAX_SUBJECT = 255;
const LEEWAY_MS = 60_000;
const ANONYMOUS_PREFIX = '$RCAnonymousID:';

function decoded(part: string): Claims | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isAllowedAlgorithm(alg: unknown): alg is ParsedIdToken['alg'] {
  return alg === 'Ed25519' || (signatureAlgorithms as readonly unknown[]).includes(alg);
}

/** Never reads keys in the header (`jwk`, `jku`, `x5u`, `x5c`). @throws IdTokenRefused */
export function parseIdToken(text: string): ParsedIdToken {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new IdTokenRefused('too_large');
  const parts = text.split('.');
  const [header, claims] =
    parts.length === 3 && parts.every((part) => BASE64URL.test(part))
      ? [decoded(parts[0] ?? ''), decoded(parts[1] ?? '')]
      : [null, null];
  if (!header || !claims) throw new IdTokenRefused('malformed');
  const { alg, kid } = header;
  if (!isAllowedAlgorithm(alg) || 'crit' in header || header.b64 === false) {
    throw new IdTokenRefused('alg_not_allowed');
  }
  return { text, alg, kid: typeof kid === 'string' ? kid : null, claims };
}

/** If there are several audiences, `azp` names the application that the token was issued to. */
export function hasAudience({ aud, azp }: Claims, audiences: readonly string[]): boolean {
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  const isAccepted = (value: unknown): boolean => typeof value === 'string' && audiences.includes(value);
  if (!named.some(isAccepted)) return false;
  return named.length === 1 || azp === undefined || isAccepted(azp);
}

/** Times in a token are seconds, possibly with a fraction. */
function isPast(seconds: unknown, nowMs: number): boolean {
  return typeof seconds === 'number' && seconds * 1000 <= nowMs + LEEWAY_MS;
}

function timeProblem(claims: Claims, kind: ProviderKind, nowMs: number): IdTokenProblem | null {
  const { exp, nbf, iat, auth_time: authTime } = claims;
  const mayLack = (value: unknown): boolean => value === undefined && kind !== 'firebase';
  if (typeof exp !== 'number' || exp * 1000 + LEEWAY_MS <= nowMs) return 'expired';
  if (nbf !== undefined && !isPast(nbf, nowMs)) return 'not_yet_valid';
  if (!mayLack(iat) && !isPast(iat, nowMs)) return 'issued_in_future';
  if (!mayLack(authTime) && !isPast(authTime, nowMs)) return 'auth_time_in_future';
  return null;
}

function subjectProblem({ sub }: Claims): IdTokenProblem | null {
  // PostgreSQL can store neither NUL nor an unpaired surrogate.
  if (typeof sub !== 'string' || sub === '' || sub.includes('\0') || !sub.isWellFormed())
    return 'subject_missing';
  return hasLength(sub, 1, MAX_SUBJECT) ? null : 'subject_too_long';
}

/**
 * Checks audience, times and subject, in this order, of a token with a valid signature. Returns the subject.
 * @throws IdTokenRefused
 */
export function checkClaims(
  claims: Claims,
  { kind, audiences }: { kind: ProviderKind; audiences: readonly string[] },
  nowMs: number,
): string {
  const problem = hasAudience(claims, audiences)
    ? (timeProblem(claims, kind, nowMs) ?? subjectProblem(claims))
    : 'wrong_audience';
  if (problem) throw new IdTokenRefused(problem, claims);
  return claims.sub as string;
}

/** The claim with exactly this name (some are URLs), or else a nested claim, with dots as separators. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

function isAllowedAppUserId(appUserId: string): boolean {
  try {
    assertAppUserId(appUserId);
    return !appUserId.startsWith(ANONYMOUS_PREFIX);
  } catch {
    return false;
  }
}

/** @throws IdTokenRefused */
export function mappedAppUserId(
  claims: Claims,
  { appUserIdClaim, appUserIdPrefix }: { appUserIdClaim: string; appUserIdPrefix: string },
): string {
  const value = claimAt(claims, appUserIdClaim);
  // With a prefix, an empty text would merge everyone without an id into one customer.
  const isUsable = (typeof value === 'string' && value !== '') || Number.isInteger(value);
  if (!isUsable) throw new IdTokenRefused('app_user_id_missing', claims);
  const appUserId = appUserIdPrefix + String(value);
  // Larger numbers have lost digits, so two people could have the same number.
  const isExact = typeof value === 'string' || Number.isSafeInteger(value);
  if (!isExact || !isAllowedAppUserId(appUserId)) throw new IdTokenRefused('app_user_id_invalid', claims);
  return appUserId;
}
