import { randomBytes, randomUUID } from 'node:crypto';
import { randomByte } from './random.js';

/**
 * Lower-case base 36 with the time first, so that ids sort roughly by creation. Unique only within a project, by a key
 * constraint.
 */
interface IdFormat {
  readonly prefix: string;
  readonly timeLength: number;
  /** Milliseconds in one step of the time part. */
  readonly timeUnitMs: number;
  readonly randomLength: number;
}

const short = (prefix: string): IdFormat => ({ prefix, timeLength: 6, timeUnitMs: 1000, randomLength: 4 });
const twelve = (prefix: string): IdFormat => ({ prefix, timeLength: 6, timeUnitMs: 1000, randomLength: 6 });
const long = (prefix: string): IdFormat => ({ prefix, timeLength: 9, timeUnitMs: 1, randomLength: 7 });

const formats = {
  project: short('proj'),
  app: short('app'),
  product: short('prod'),
  entitlement: short('entl'),
  offering: short('ofrng'),
  package: short('pkge'),
  paywall: long('pw'),
  mediaAsset: long('mdas'),
  targetingRule: short('trle'),
  chartNote: short('chnt'),
  savedChart: short('svch'),
  experiment: short('prexp'),
  retentionRule: short('rtrl'),
  customerList: short('clst'),
  customerListExport: long('clex'),
  apiKey: short('key_'),
  auditLog: long('log'),
  customer: long('cus_'),
  customerNote: long('note_'),
  subscription: long('sub_'),
  purchase: long('purch_'),
  transaction: long('txn_'),
  currencyTransaction: long('vatx'),
  ownershipChange: long('own_'),
  webhook: long('wh_'),
  destination: long('dst_'),
  delivery: long('whd_'),
  webhookReplay: long('whr_'),
  digest: long('dig_'),
  sqlUser: long('sqlu_'),
  exportDestination: long('exd_'),
  export: long('exp_'),
  exportRun: long('exr_'),
  storeNotification: long('sn_'),
  testClock: long('tclk_'),
  user: long('usr_'),
  session: long('ses_'),
  mail: long('mail_'),
  invite: long('inv_'),
  authProvider: { prefix: 'idp_', timeLength: 6, timeUnitMs: 1000, randomLength: 6 },
  customerSession: long('cses_'),
  accessToken: long('at_'),
  oauthClient: { prefix: 'oac_', timeLength: 9, timeUnitMs: 1, randomLength: 15 },
  oauthGrant: long('oag_'),
  organization: long('org_'),
  customRole: twelve('role_'),
  roleMapping: twelve('map_'),
  ssoConnection: twelve('ssoc_'),
  scimToken: twelve('sct_'),
  scimUser: long('scu_'),
  scimGroup: long('scg_'),
  redemptionLink: long('rlnk'),
  externalReport: long('oprt'),
  refundRequest: long('rfrq'),
  refundPolicy: short('rfpl'),
  request: long('req_'),
} as const satisfies Record<string, IdFormat>;

export type IdKind = keyof typeof formats;

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const BASE62 = `${BASE36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** Uniform over the alphabet: bytes that would cause modulo bias are discarded. */
function randomText(length: number, alphabet: string): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < limit) text += alphabet[byte % alphabet.length];
  }
  return text;
}

export function newId(kind: IdKind, nowMs: number): string {
  const format: IdFormat = formats[kind];
  const steps = Math.floor(nowMs / format.timeUnitMs);
  const time = steps.toString(36).padStart(format.timeLength, '0').slice(-format.timeLength);
  return format.prefix + time + randomText(format.randomLength, BASE36);
}

/** Upper-case UUID, which webhook consumers use to deduplicate. */
export function newEventId(): string {
  return randomUUID().toUpperCase();
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Name of a PostgreSQL role. It names no project, because all users of a database see the names of its roles. */
export function newSqlRoleName(): string {
  return `tenure_sql_${randomText(16, BASE32)}`;
}

export function newSqlPassword(): string {
  return randomText(32, BASE62);
}

/** The part of a public app key after its store prefix. */
export function newPublicKeySecret(): string {
  return randomText(32, BASE62);
}

export function newSecretKey(): string {
  return `sk_${randomBytes(24).toString('hex')}`;
}

/** For identity providers. */
export function newScimToken(): string {
  return `rdscim_${randomBytes(32).toString('hex')}`;
}

/** `whsec_` and 32 random bytes in base64, as defined by Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** For sessions and links: 32 random bytes in base64url (43 characters). */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
