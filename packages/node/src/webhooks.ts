import { Webhook } from 'standardwebhooks';
import type { CustomerInfoDto, WebhookEvent } from './generated/types.gen.js';

export type { WebhookEvent };

/** Exists for the compiler only. A `string` here would hide the fields of known events in a `switch` over `type`. */
declare enum UnknownEventType {
  Other = 'any other type',
}

/** An event of a type that this version does not know: what `default` gets in a `switch` over `type`. */
export interface UnknownWebhookEvent {
  id: string;
  type: UnknownEventType;
  event_timestamp_ms: number;
  [field: string]: unknown;
}

/** The body of a delivery. */
export interface WebhookPayload {
  api_version: string;
  event: WebhookEvent | UnknownWebhookEvent;
  /** With `include_customer_info`: what the SDK would get for the customer. */
  customer_info?: CustomerInfoDto | null;
}

export type WebhookErrorCode = 'missing_signature' | 'bad_signature' | 'too_old' | 'too_new' | 'bad_body';

/** A request that does not come from the server, or not now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** `Headers`, or an object as Node.js has it. Names may be in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far the time of the signature may be away, either way; default 300. */
  toleranceSeconds?: number;
  /** The current time in epoch milliseconds; default the machine's. */
  nowMs?: () => number;
}

/** A signature of the request: the time it covers, and whether a secret made it. */
interface Candidate {
  timestamp: string;
  isBy: (secret: string) => boolean | Promise<boolean>;
}

const TOLERANCE_S = 300;
const TIMESTAMP = /^\d{1,12}$/;
/** The server signs under both names with the whole secret. */
const OWN_HEADERS = ['x-service-webhook-signature', 'x-revenuecat-webhook-signature'];

const encoder = new TextEncoder();

/** @throws TypeError for a parsed body, whose bytes are lost */
function textOf(rawBody: string | Uint8Array | ArrayBuffer): string {
  if (typeof rawBody === 'string') return rawBody;
  if (!(rawBody instanceof ArrayBuffer) && !ArrayBuffer.isView(rawBody)) {
    throw new TypeError(
      'verifyWebhook needs the raw body, as text or bytes. Parsed JSON cannot be verified.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
  } catch {
    throw new WebhookVerificationError('bad_body', 'The body is not UTF-8.');
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (entry === undefined) return null;
  return typeof entry === 'string' ? entry : entry.join(' ');
}

/** Compares in a time that does not depend on where the texts differ. */
function isSameText(a: string, b: string): boolean {
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  if (left.length !== right.length) return false;
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}

async function hexHmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError that does not quote the secret */
function standardSignature(secret: string, id: string, timestamp: string, text: string): string {
  let webhook: Webhook;
  try {
    webhook = new Webhook(secret);
  } catch {
    throw new TypeError('A webhook secret is not base64 after `whsec_`.');
  }
  return webhook.sign(id, new Date(Number(timestamp) * 1000), text);
}

/** `webhook-signature` of Standard Webhooks: `v1,<base64>`, several separated by spaces. */
function standardCandidate(headers: WebhookHeaders, text: string): Candidate | null {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) return null;
  const isBy = (secret: string): boolean => {
    const expected = standardSignature(secret, id, timestamp, text);
    return signatures.split(' ').some((signature) => isSameText(signature, expected));
  };
  return { timestamp, isBy };
}

/** `t=<unix seconds>,v1=<hex>`, with several `v1` while a secret is rotated. */
function ownCandidate(headers: WebhookHeaders, name: string, text: string): Candidate | null {
  const [time = '', ...signatures] = headerOf(headers, name)?.split(',') ?? [];
  if (!time.startsWith('t=')) return null;
  const timestamp = time.slice('t='.length);
  const isBy = async (secret: string): Promise<boolean> => {
    const expected = `v1=${await hexHmac(secret, `${timestamp}.${text}`)}`;
    return signatures.some((signature) => isSameText(signature, expected));
  };
  return { timestamp, isBy };
}

async function isSigned({ timestamp, isBy }: Candidate, secrets: readonly string[]): Promise<boolean> {
  if (!TIMESTAMP.test(timestamp)) return false;
  for (const secret of secrets) if (await isBy(secret)) return true;
  return false;
}

function payloadOf(text: string): WebhookPayload {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('bad_body', 'The body is not JSON.');
  }
  const { event } = (payload ?? {}) as { event?: unknown };
  if (typeof event === 'object' && event !== null && 'type' in event) return payload as WebhookPayload;
  throw new WebhookVerificationError('bad_body', 'The body has no event.');
}

/**
 * Verifies a delivery and returns its body.
 * @param rawBody the body as it arrived, before anything parses it
 * @param secrets the integration's `signing_secret`; several during a rotation
 * @throws WebhookVerificationError with a `code`
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_S, nowMs = () => Date.now() }: VerifyOptions = {},
): Promise<WebhookPayload> {
  const known = typeof secrets === 'string' ? [secrets] : secrets;
  if (known.length === 0 || known.includes('')) throw new TypeError('verifyWebhook needs a secret.');
  const text = textOf(rawBody);
  const candidates = [
    standardCandidate(headers, text),
    ...OWN_HEADERS.map((name) => ownCandidate(headers, name, text)),
  ].filter((candidate) => candidate !== null);
  if (candidates.length === 0) {
    throw new WebhookVerificationError('missing_signature', 'The request has no signature.');
  }
  for (const candidate of candidates) {
    if (!(await isSigned(candidate, known))) continue;
    const ageS = nowMs() / 1000 - Number(candidate.timestamp);
    if (ageS > toleranceSeconds) throw new WebhookVerificationError('too_old', 'The signature is too old.');
    if (ageS < -toleranceSeconds) {
      throw new WebhookVerificationError('too_new', 'The signature is from the future.');
    }
    return payloadOf(text);
  }
  throw new WebhookVerificationError('bad_signature', 'No secret made the signature.');
}

export interface TestDelivery {
  /** The raw body. */
  body: string;
  headers: Record<string, string>;
}

/** Creates a signed delivery, for tests of your endpoint. */
export async function signForTests(
  event: Pick<WebhookEvent, 'type'> & Record<string, unknown>,
  secret: string,
  { nowMs = Date.now() }: { nowMs?: number } = {},
): Promise<TestDelivery> {
  const id = typeof event.id === 'string' ? event.id : crypto.randomUUID().toUpperCase();
  const timestamp = String(Math.floor(nowMs / 1000));
  const body = JSON.stringify({ api_version: '1.0', event: { id, event_timestamp_ms: nowMs, ...event } });
  const own = `t=${timestamp},v1=${await hexHmac(secret, `${timestamp}.${body}`)}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(secret, id, timestamp, body),
    'x-service-webhook-signature': own,
    'x-revenuecat-webhook-signature': own,
  };
  return { body, headers };
}
