import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from '../apple/not-genuine.js';
import { isPaddleId } from './paddle-api.js';

/** A Paddle event. Only its id, type and subject are read. */
export interface PaddleEvent {
  id: string;
  type: string;
  sentAtMs: number;
  /** Key of its subscription, or of a transaction without one; null if it needs no action. */
  key: string | null;
}

const TOLERANCE_MS = 300_000;
const TIMESTAMP = /^ts=(\d{1,12})$/;
const SIGNATURE = /^h1=([0-9a-f]{64})$/;
/** During a rotation there are two signatures; more mean that the caller is guessing. */
const MAX_SIGNATURES = 5;
/** Id prefix of events from Paddle's simulator; nothing happened. */
const SIMULATED = 'ntfsim';

const subscriptionEvents = new Set(
  'created activated trialing updated past_due paused resumed canceled imported'.split(' '),
);
const transactionEvents = new Set(
  'paid completed past_due payment_failed billed updated revised canceled'.split(' '),
);
const adjustmentEvents = new Set(['created', 'updated']);

function ownId(value: unknown, prefix: string): string | null {
  return typeof value === 'string' && isPaddleId(value, prefix) ? value : null;
}

function keyOf(type: string, data: Record<string, unknown>): string | null {
  const [object, happened = ''] = type.split('.');
  if (object === 'subscription' && subscriptionEvents.has(happened)) return ownId(data.id, 'sub');
  if (object === 'transaction' && transactionEvents.has(happened)) {
    return ownId(data.subscription_id, 'sub') ?? ownId(data.id, 'txn');
  }
  if (object === 'adjustment' && adjustmentEvents.has(happened)) {
    return ownId(data.subscription_id, 'sub') ?? ownId(data.transaction_id, 'txn');
  }
  return null;
}

/** Reads an event from a webhook or from Paddle's event list; null if it is not an event. */
export function eventOf(body: unknown): PaddleEvent | null {
  if (!isJsonObject(body) || !isJsonObject(body.data)) return null;
  const { event_id: id, event_type: type, occurred_at: at, notification_id: notification, data } = body;
  if (typeof id !== 'string' || typeof type !== 'string' || typeof at !== 'string') return null;
  const isSimulated = [id, notification].some(
    (name) => typeof name === 'string' && name.startsWith(SIMULATED),
  );
  return { id, type, sentAtMs: Date.parse(at), key: isSimulated ? null : keyOf(type, data) };
}

function assertSigned(body: Buffer, header: string, secret: string, nowMs: number): void {
  const parts = header.split(';');
  const times = parts.flatMap((part) => TIMESTAMP.exec(part)?.[1] ?? []);
  const signatures = parts.flatMap((part) => SIGNATURE.exec(part)?.[1] ?? []);
  const [time] = times;
  if (time === undefined || times.length > 1 || signatures.length > MAX_SIGNATURES) {
    throw new NotGenuine('The header Paddle-Signature is not one of Paddle.');
  }
  if (Math.abs(nowMs - Number(time) * 1_000) > TOLERANCE_MS) {
    throw new NotGenuine('The signature is more than 300 seconds old or ahead.');
  }
  const expected = createHmac('sha256', secret).update(`${time}:`).update(body).digest();
  const fits = signatures.filter((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), expected));
  if (fits.length === 0) {
    throw new NotGenuine('The signature does not fit the body and the webhook secret of the app.');
  }
}

/** @throws NotGenuine */
export function readPaddleEvent(
  body: Buffer,
  signature: string,
  { secret, nowMs }: { secret: string; nowMs: number },
): PaddleEvent {
  assertSigned(body, signature, secret, nowMs);
  let event: PaddleEvent | null = null;
  try {
    event = eventOf(parseJson(body));
  } catch {
    // The body is not JSON.
  }
  if (!event) throw new NotGenuine('The body is not a Paddle event.');
  return event;
}
