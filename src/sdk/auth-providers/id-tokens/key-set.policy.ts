import type { JWK } from 'jose';
import { isJsonObject, parseJson } from '../../../../libs/kernel/index.js';
import type { ParsedIdToken } from './id-token.policy.js';

/** The public part of a signing key. */
export type PublicKey = JWK & { kty: string };

/** Real key sets have fewer than ten keys. */
const MAX_KEYS = 100;
const MAX_KID_LENGTH = 1024;
const MIN_RSA_BITS = 2048;
/** The largest key that OpenSSL can verify with. */
const MAX_RSA_BITS = 16_384;
const MIN_CACHE_S = 300;
const MAX_CACHE_S = 86_400;
const DEFAULT_CACHE_S = 3_600;

const publicMembers = ['kty', 'kid', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y'] as const;

function bitsOf(modulus: string): number {
  const bytes = Buffer.from(modulus, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24;
}

function isUsable({ kty, crv, n, use, kid = '' }: PublicKey): boolean {
  if ((use !== undefined && use !== 'sig') || kid.length > MAX_KID_LENGTH) return false;
  if (kty === 'EC') return crv === 'P-256' || crv === 'P-384';
  if (kty === 'OKP') return crv === 'Ed25519';
  const bits = kty === 'RSA' && n !== undefined ? bitsOf(n) : 0;
  return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS;
}

function publicKeyOf(value: unknown): PublicKey | null {
  if (!isJsonObject(value)) return null;
  if (Array.isArray(value.key_ops) && !value.key_ops.includes('verify')) return null;
  const members = publicMembers.flatMap((name) => {
    const member = value[name];
    return typeof member === 'string' ? [[name, member] as const] : [];
  });
  const key = { kty: '', ...Object.fromEntries(members) } as PublicKey;
  return isUsable(key) ? key : null;
}

/** The keys of a JWK set that can verify ID tokens; null if the text is not a JWK set. */
export function parseKeySet(text: string): PublicKey[] | null {
  const value = jsonObjectOf(text);
  if (!value || !Array.isArray(value.keys)) return null;
  const keys = value.keys.slice(0, 10 * MAX_KEYS).map(publicKeyOf);
  return keys.filter((key) => key !== null).slice(0, MAX_KEYS);
}

export function jsonObjectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function fits(key: PublicKey, alg: ParsedIdToken['alg']): boolean {
  const isEdwards = alg === 'EdDSA' || alg === 'Ed25519';
  if (key.alg !== undefined && key.alg !== alg && !(isEdwards && ['EdDSA', 'Ed25519'].includes(key.alg))) {
    return false;
  }
  if (isEdwards) return key.kty === 'OKP';
  if (alg === 'ES256') return key.crv === 'P-256' && key.kty === 'EC';
  if (alg === 'ES384') return key.crv === 'P-384' && key.kty === 'EC';
  return key.kty === 'RSA';
}

/** The key that a token names or, if it names none, the only key for its algorithm; null otherwise. */
export function keyFor<Key extends PublicKey>(
  keys: readonly Key[],
  { alg, kid }: Pick<ParsedIdToken, 'alg' | 'kid'>,
): Key | null {
  const fitting = keys.filter((key) => fits(key, alg));
  if (kid !== null) return fitting.find((key) => key.kid === kid) ?? null;
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Lifetime (ms) of a key set with this `Cache-Control`. */
export function keySetLifetimeMs(cacheControl: string | string[] | undefined): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d+)/i.exec(String(cacheControl ?? '')) ?? [];
  const wanted = seconds === undefined ? DEFAULT_CACHE_S : Number(seconds);
  return Math.min(Math.max(wanted, MIN_CACHE_S), MAX_CACHE_S) * 1000;
}
