import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { type Feature, features } from './features.js';

export const editions = ['self-hosted', 'cloud'] as const;
export type Edition = (typeof editions)[number];

/** The content of a licence. */
export interface Licence {
  id: string;
  /** Id of the signing key. */
  kid: string;
  licensee: string;
  features: Feature[];
  issuedAtMs: number;
  /** Null if it never expires. */
  expiresAtMs: number | null;
  maxOrganizations: number | null;
  editions: Edition[];
}

/** Reports why a text is not a valid licence. */
export class InvalidLicence extends Error {}

const PREFIX = 'svl1_';
const FORM = /^svl1_([\w-]+)\.([\w-]{86})$/;
/** PKCS #8 and SPKI prefixes of a 32-byte Ed25519 key. */
const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY = Buffer.from('302a300506032b6570032100', 'hex');

export function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_KEY, raw]), format: 'der', type: 'spki' });
}

export function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' });
}

/** Derives the 32-byte public key from a seed. */
export function rawPublicKey(seed: Buffer): Buffer {
  const { x } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}

export function keyIdOf(rawKey: Buffer): string {
  return createHash('sha256').update(rawKey).digest('hex').slice(0, 16);
}

export function issueLicence(licence: Omit<Licence, 'kid'>, seed: Buffer): string {
  const payload = {
    v: 1,
    id: licence.id,
    kid: keyIdOf(rawPublicKey(seed)),
    licensee: licence.licensee,
    features: licence.features.length === features.length ? ['*'] : licence.features,
    issued_at: licence.issuedAtMs,
    expires_at: licence.expiresAtMs,
    max_organizations: licence.maxOrganizations,
    editions: licence.editions,
  };
  const signed = PREFIX + Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${signed}.${sign(null, Buffer.from(signed), privateKeyOf(seed)).toString('base64url')}`;
}

function payloadOf(encoded: string): Record<string, unknown> {
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    payload = null;
  }
  if (!isJsonObject(payload)) throw new InvalidLicence('The licence key is not well-formed.');
  if (payload.v !== 1)
    throw new InvalidLicence('The licence key has a format that this version does not know.');
  return payload;
}

function text(value: unknown, max: number): string {
  if (typeof value === 'string' && value.length >= 1 && value.length <= max) return value;
  throw new InvalidLicence('The licence key lacks a field.');
}

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new InvalidLicence('The licence key lacks a field.');
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

function positive(value: unknown): number {
  const number = whole(value);
  if (number < 1) throw new InvalidLicence('The licence key has a field that is not valid.');
  return number;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidLicence('The licence key lacks a field.');
}

/** Ignores feature names that this version does not know. */
function readFields(payload: Record<string, unknown>): Licence {
  const named = listOf(payload.features);
  const inEditions = payload.editions === undefined ? [...editions] : listOf(payload.editions);
  return {
    id: text(payload.id, 64),
    kid: text(payload.kid, 64),
    licensee: text(payload.licensee, 200),
    features: named.includes('*') ? [...features] : features.filter((feature) => named.includes(feature)),
    issuedAtMs: whole(payload.issued_at),
    expiresAtMs: orNull(payload.expires_at, whole),
    maxOrganizations: orNull(payload.max_organizations, positive),
    editions: editions.filter((edition) => inEditions.includes(edition)),
  };
}

/** Reads a licence signed by one of `rawKeys`. The caller checks times and edition. @throws InvalidLicence */
export function readLicence(key: string, rawKeys: readonly Buffer[]): Licence {
  const [, encoded = '', signature = ''] = FORM.exec(key.trim()) ?? [];
  if (encoded === '') throw new InvalidLicence('The licence key is not well-formed.');
  const payload = payloadOf(encoded);
  const rawKey = rawKeys.find((raw) => keyIdOf(raw) === payload.kid);
  if (!rawKey) throw new InvalidLicence('The licence key is signed by an unknown key.');
  const signed = Buffer.from(PREFIX + encoded);
  if (!verify(null, signed, publicKeyOf(rawKey), Buffer.from(signature, 'base64url')))
    throw new InvalidLicence('The signature of the licence key is not valid.');
  return readFields(payload);
}
