import { createHash, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

const AUDIENCE = 'appstoreconnect-v1';
/** Apple's maximum is an hour. */
const LIFETIME_MS = 20 * 60_000;
/** Tolerated clock difference at the end of a token. */
const SPARE_MS = 5 * 60_000;
const MAX_TOKENS = 1_000;

export interface TokenTerms {
  signingKey: KeyObject;
  privateKeyPem: string;
  keyId: string;
  issuerId: string;
  bundleId: string;
}

interface Token {
  text: string;
  fromMs: number;
  toMs: number;
}

const known = new Map<string, Token>();

async function newToken(
  { signingKey, keyId, issuerId, bundleId }: TokenTerms,
  nowMs: number,
): Promise<Token> {
  const nowS = Math.floor(nowMs / 1000);
  const text = await new SignJWT({ bid: bundleId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerId)
    .setAudience(AUDIENCE)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + LIFETIME_MS / 1000)
    .sign(signingKey);
  return { text, fromMs: nowMs, toMs: nowMs + LIFETIME_MS - SPARE_MS };
}

/** Returns a bearer token of the App Store Server API. Each one serves many calls, until shortly before it expires. */
export async function apiToken(terms: TokenTerms, nowMs: number): Promise<string> {
  const { privateKeyPem, keyId, issuerId, bundleId } = terms;
  const parts = JSON.stringify([privateKeyPem, keyId, issuerId, bundleId]);
  const name = createHash('sha256').update(parts).digest('base64');
  const found = known.get(name);
  if (found && nowMs >= found.fromMs && nowMs < found.toMs) return found.text;
  const token = await newToken(terms, nowMs);
  const [oldest] = known.keys();
  if (known.size >= MAX_TOKENS && oldest !== undefined) known.delete(oldest);
  known.set(name, token);
  return token.text;
}
