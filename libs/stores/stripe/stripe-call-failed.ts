import Stripe from 'stripe';
import { CircuitOpen } from '../circuit-breaker.js';
import { storeMessage } from '../store-message.js';

/**
 * What an answer of Stripe means. `unknown`: it knows no such object; `credentials`: it does not take our key, or not
 * for this; `unavailable`: it says neither.
 */
export type StripeFailure = 'unknown' | 'credentials' | 'unavailable';

/** Stripe did not do what it was asked to. */
export class StripeCallFailed extends Error {
  constructor(
    readonly failure: StripeFailure,
    message: string,
    /** Not before so many ms, where Stripe asks for that. */
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

/** Errors about the key or the account, which Stripe does not answer with 401 or 403. */
const ofTheKey: ReadonlySet<string | undefined> = new Set([
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'platform_account_required',
  'platform_api_key_expired',
  'secret_key_required',
]);
/** A purchase of live mode is asked about with a key of test mode: the purchase is good, and the key is not. */
const LIVE_WITH_TEST_KEY = /exists in live mode, but a test mode key was used/;

function kindOf({ statusCode, code, message }: Stripe.errors.StripeError): StripeFailure {
  if (statusCode === 401 || statusCode === 403 || ofTheKey.has(code)) return 'credentials';
  if (code !== 'resource_missing') return 'unavailable';
  return LIVE_WITH_TEST_KEY.test(message) ? 'credentials' : 'unknown';
}

/** What the client keeps of the error of its `fetch`. */
function causeOf({ detail }: Stripe.errors.StripeConnectionError & { detail?: unknown }): unknown {
  return detail;
}

/** Any error of the client as a `StripeCallFailed`. Never repeats the key, which Stripe's own words show in part. */
export function stripeFailure(error: unknown): StripeCallFailed {
  const cause = error instanceof Stripe.errors.StripeConnectionError ? causeOf(error) : null;
  if (cause instanceof CircuitOpen) {
    return new StripeCallFailed('unavailable', 'Stripe did not answer lately.', cause.retryAfterMs);
  }
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined) {
    return new StripeCallFailed('unavailable', 'Stripe could not be reached, or gave no readable answer.');
  }
  const said = storeMessage(error.message);
  return new StripeCallFailed(kindOf(error), `Stripe answered ${error.statusCode}: ${said}`, waitOf(error));
}
