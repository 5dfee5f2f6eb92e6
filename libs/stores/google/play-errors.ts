import { isJsonObject } from '../../kernel/index.js';
import type { AnswerResult } from '../refunds/answer-result.js';
import { storeMessage } from '../store-message.js';

/**
 * `gone`: no longer available, sixty days after its end; `credentials`: our account was rejected or lacks the
 * permission; `package`: no such app; `refused`: will never succeed; `unavailable`: a later call may succeed.
 */
export type PlayFailure =
  'unknown' | 'gone' | 'credentials' | 'package' | 'quota' | 'refused' | 'unavailable';

export class PlayCallFailed extends Error {
  constructor(
    readonly failure: PlayFailure,
    message: string,
    readonly reason: string | null = null,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'PlayCallFailed';
  }
}

/** Our reason for a call that a concurrent change invalidated. */
export const CONFLICT = 'conflict';

const QUOTA_MS = 60_000;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const quotaReasons = new Set([
  'quotaExceeded',
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
]);

/** Any other 404 does not concern a purchase: Google may have moved a method, for example. */
const notFoundReasons = new Set(['purchaseTokenNotFound', 'orderNotFound']);

const NEVER_PAID = 'neverPaid';
/** Reasons for a token that does not belong to the app and never will. */
const invalidTokenReasons = new Set([
  'invalid',
  'invalidPurchaseToken',
  'purchaseTokenDoesNotMatchPackageName',
  'purchaseTokenDoesNotMatchProductId',
  'purchaseTokenDoesNotMatchSubscriptionId',
  NEVER_PAID,
]);

/** Whether the refusal is final. Any other may be temporary. */
export function isInvalidToken({ failure, reason }: PlayCallFailed): boolean {
  return failure === 'refused' && invalidTokenReasons.has(reason ?? '');
}

interface Said {
  message: string;
  reason: string | null;
}

/** The error object of the API; null if the body is not Google's. */
function saidIn(body: unknown): Said | null {
  if (!isJsonObject(body) || !isJsonObject(body.error)) return null;
  const { message, status, errors } = body.error;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const reason = isJsonObject(first) ? first.reason : status;
  return {
    message: typeof message === 'string' ? message : 'no reason',
    // Anything but a single identifier is not Google's.
    reason: typeof reason === 'string' && /^\w{1,100}$/.test(reason) ? reason : null,
  };
}

/** The token endpoint sends a code and a sentence instead. */
function tokenRefusal(body: unknown): string | null {
  if (!isJsonObject(body) || typeof body.error !== 'string') return null;
  const { error, error_description: description } = body;
  return typeof description === 'string' ? `${error}: ${description}` : error;
}

function failureOf(status: number, said: Said | null): PlayFailure {
  const reason = said?.reason ?? '';
  if (status === 429 || (status === 403 && quotaReasons.has(reason))) return 'quota';
  // Without Google's error object, a proxy answered, so nothing is final, not even about the credentials.
  if (said === null) return 'unavailable';
  if (status === 401 || status === 403) return 'credentials';
  if (status >= 500 || status === 409 || status === 408) return 'unavailable';
  if (status === 410) return 'gone';
  if (status === 404) {
    const isPackage = reason === 'applicationNotFound' || /no application was found/i.test(said.message);
    if (isPackage) return 'package';
    return notFoundReasons.has(reason) || /purchase token/i.test(said.message) ? 'unknown' : 'refused';
  }
  return status >= 400 ? 'refused' : 'unavailable';
}

function retryAfterOf(header: string | null): number | null {
  const seconds = Number(header ?? '');
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}

export function callFailure(status: number, body: unknown, retryAfter: string | null): PlayCallFailed {
  const refusal = tokenRefusal(body);
  if (refusal !== null && status < 500 && status !== 429) {
    const message = `Google rejects the service account: ${storeMessage(refusal)}`;
    return new PlayCallFailed('credentials', message, 'invalid_grant');
  }
  const said = saidIn(body);
  const failure = failureOf(status, said);
  const message = `Google Play answered ${status}: ${storeMessage(said?.message ?? 'no reason')}`;
  const reason = status === 409 ? CONFLICT : (said?.reason ?? null);
  const waitMs = retryAfterOf(retryAfter) ?? (failure === 'quota' ? QUOTA_MS : null);
  return new PlayCallFailed(failure, message, reason, waitMs);
}

/** The app's settings are wrong, not the purchase: the account, its permissions, or the package name. */
export function refusesApp({ failure }: PlayCallFailed): boolean {
  return failure === 'credentials' || failure === 'package';
}

export function credentialsHelp({ failure, reason, message }: PlayCallFailed): string {
  if (failure === 'package') {
    return `Google Play knows no app of that package_name, or none that the service account may see. ${message}`;
  }
  if (failure !== 'credentials' || reason === null) return message;
  if (reason === 'invalid_grant') {
    return `The key of the service account was deleted, or the account disabled: make a new key. ${message}`;
  }
  if (reason === 'accessNotConfigured' || reason === 'SERVICE_DISABLED') {
    return `The Google Play Android Developer API is not turned on in the service account's project. ${message}`;
  }
  return (
    'The service account lacks permissions in the Play Console: "View app information", "View financial data, ' +
    'orders, and cancellation survey responses" and "Manage orders and subscriptions". New ones take up to 36 ' +
    `hours. ${message}`
  );
}

/** The result of an answer to a refund review that failed. */
export function failedReview(failed: PlayCallFailed): AnswerResult {
  const { failure, reason, message, retryAfterMs } = failed;
  if (refusesApp(failed)) return { result: 'credentials', message: credentialsHelp(failed) };
  if (failure === 'unavailable' || failure === 'quota') return { result: 'busy', message, retryAfterMs };
  return { result: 'refused', code: reason, message };
}

/** Our reason for an answer that was not understood. */
export const UNCLEAR = 'unclear';

/** A newer version of this server may understand it, so nothing is final. */
export const unclear = (what: string): PlayCallFailed =>
  new PlayCallFailed('unavailable', `Google Play's answer is not understood: ${storeMessage(what)}`, UNCLEAR);

export const ordersUnread = (): PlayCallFailed =>
  new PlayCallFailed('unavailable', 'Google Play does not return the orders of the purchase now.');

export const neverPaid = (): PlayCallFailed =>
  new PlayCallFailed('refused', 'The purchase was not paid and never will be.', NEVER_PAID);
