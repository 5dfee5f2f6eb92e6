import { randomBytes, randomUUID } from 'node:crypto';
import { randomByte } from './random.js';

/**
 * Prefixed identifiers: lower-case base 36, a time part first so that ids of one kind sort
 * roughly by creation. Uniqueness is only needed below one tenant; a key constraint is the
 * second line of defence.
 */
interface IdFormat {
  readonly prefix: string;
  /** Characters that carry the time. */
  readonly timeLength: number;
  /** Milliseconds in one step of the time part. */
  readonly timeUnitMs: number;
  readonly randomLength: number;
}

const short = (prefix: string): IdFormat => ({ prefix, timeLength: 6, timeUnitMs: 1000, randomLength: 4 });
const long = (prefix: string): IdFormat => ({ prefix, timeLength: 9, timeUnitMs: 1, randomLength: 7 });

const formats = {
  project: short('proj'),
  app: short('app'),
  product: short('prod'),
  entitlement: short('entl'),
  offering: short('ofrng'),
  package: short('pkge'),
  apiKey: short('key_'),
  auditLog: long('log'),
  customer: long('cus_'),
  subscription: long('sub_'),
  purchase: long('purch_'),
  transaction: long('txn_'),
  currencyTransaction: long('vatx'),
  ownershipChange: long('own_'),
  webhook: long('wh_'),
  delivery: long('whd_'),
  storeNotification: long('sn_'),
  testClock: long('tclk_'),
  user: long('usr_'),
  request: long('req_'),
} as const satisfies Record<string, IdFormat>;

export type IdKind = keyof typeof formats;

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE62 = `${BASE36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** Random text of `length` characters of `alphabet`, without modulo bias. */
function randomText(length: number, alphabet: string): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < limit) text += alphabet[byte % alphabet.length];
  }
  return text;
}

/** A new id of a kind; `nowMs` is epoch milliseconds. */
export function newId(kind: IdKind, nowMs: number): string {
  const format: IdFormat = formats[kind];
  const steps = Math.floor(nowMs / format.timeUnitMs);
  const time = steps.toString(36).padStart(format.timeLength, '0').slice(-format.timeLength);
  return format.prefix + time + randomText(format.randomLength, BASE36);
}

/** Event ids are upper-case UUIDs (webhook consumers deduplicate on them). */
export function newEventId(): string {
  return randomUUID().toUpperCase();
}

/** The part of a public app key behind its store prefix: 32 characters of [A-Za-z0-9]. */
export function newPublicKeySecret(): string {
  return randomText(32, BASE62);
}

/** Secret key value: `sk_` and 48 hexadecimal digits (192 random bits). */
export function newSecretKey(): string {
  return `sk_${randomBytes(24).toString('hex')}`;
}

/** Webhook signing secret: `whsec_` and 32 random bytes, base64 (the form of Standard Webhooks). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Session and link tokens: 32 random bytes, base64url (43 characters). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
