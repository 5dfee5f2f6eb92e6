import type Stripe from 'stripe';
import { CircuitOpen } from '../circuit-breaker.js';
import { storeMessage } from '../store-message.js';
import type { StripeLibrary } from './stripe-library.js';

/** `credentials`: our key was rejected or lacks the permission; `unavailable`: anything else. */
export type StripeFailure = 'unknown' | 'credentials' | 'unavailable';

export class StripeCallFailed extends Error {
  constructor(
    readonly failure: StripeFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'StripeCallFailed';
  }
}

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

function waitOf({ headers }: Stripe.errors.StripeError): number | null {
  const seconds = Number(headers?.['retry-after'] ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : null;
}

/** Errors about the key or account that Stripe does not send as 401 or 403. */
const ofTheKey: ReadonlySet<string | undefined> = new Set([
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'platform_account_required',
  'platform_api_key_expired',
  'secret_key_required',
]);
/** The purchase is in live mode and our key in test mode, so the key is wrong, not the purchase. */
const LIVE_WITH_TEST_KEY = /exists in live mode, but a test mode key was used/;

function kindOf({ statusCode, code, message }: Stripe.errors.StripeError): StripeFailure {
  if (statusCode === 401 || statusCode === 403 || ofTheKey.has(code)) return 'credentials';
  if (code !== 'resource_missing') return 'unavailable';
  return LIVE_WITH_TEST_KEY.test(message) ? 'credentials' : 'unknown';
}

/** Returns the error of the client's `fetch`. */
function causeOf({ detail }: Stripe.errors.StripeConnectionError & { detail?: unknown }): unknown {
  return detail;
}

/** Converts any error of the client to a `StripeCallFailed`, without the key, which Stripe's messages partly repeat. */
export function stripeFailure(error: unknown, { errors }: StripeLibrary): StripeCallFailed {
  const cause = error instanceof errors.StripeConnectionError ? causeOf(error) : null;
  if (cause instanceof CircuitOpen) {
    return new StripeCallFailed('unavailable', 'Stripe has not answered recently.', cause.retryAfterMs);
  }
  if (!(error instanceof errors.StripeError) || error.statusCode === undefined) {
    return new StripeCallFailed('unavailable', 'Stripe could not be reached, or gave no readable answer.');
  }
  const said = storeMessage(error.message);
  return new StripeCallFailed(kindOf(error), `Stripe answered ${error.statusCode}: ${said}`, waitOf(error));
}
