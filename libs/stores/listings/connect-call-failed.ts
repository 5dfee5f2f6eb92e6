import { isJsonObject } from '../../kernel/index.js';
import { CircuitOpen } from '../circuit-breaker.js';
import type { StoreAnswer } from '../store-fetch.js';
import { storeMessage } from '../store-message.js';

/** `credentials`: the key was rejected or its role does not allow the call; `unavailable`: a later call may succeed. */
export type ConnectFailure = 'unknown' | 'credentials' | 'refused' | 'unavailable';

export class ConnectCallFailed extends Error {
  constructor(
    readonly failure: ConnectFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'ConnectCallFailed';
  }
}

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

function waitOf(answer: StoreAnswer): number | null {
  const seconds = Number(answer.header('retry-after') ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : null;
}

const unreadable = (waitMs: number | null = null): ConnectCallFailed =>
  new ConnectCallFailed(
    'unavailable',
    'App Store Connect could not be reached, or gave no readable answer.',
    waitMs,
  );

/** The failure behind an answer with an error status. Without Apple's own errors, something else answered. */
export function connectRefusal(answer: StoreAnswer, body: unknown): ConnectCallFailed {
  const errors = isJsonObject(body) && Array.isArray(body.errors) ? (body.errors as unknown[]) : [];
  const [first] = errors.filter(isJsonObject);
  if (!first) return unreadable(waitOf(answer));
  const said = [first.title, first.detail].filter((text) => typeof text === 'string').join(' ');
  const { status } = answer;
  const message = `App Store Connect answered ${status}: ${storeMessage(said)}`;
  if (status === 401) {
    const fields =
      'app_store_connect_api_key, app_store_connect_api_key_id, app_store_connect_api_key_issuer';
    return new ConnectCallFailed(
      'credentials',
      `App Store Connect refuses the API key: one of ${fields} is wrong, or the key was revoked. ${message}`,
    );
  }
  if (status === 403) {
    return new ConnectCallFailed(
      'credentials',
      `The role of the App Store Connect API key does not allow reading products: it needs App Manager or Admin. ${message}`,
    );
  }
  if (status === 404) return new ConnectCallFailed('unknown', message);
  if (status === 429 || status >= 500) return new ConnectCallFailed('unavailable', message, waitOf(answer));
  return new ConnectCallFailed('refused', message);
}

/** Any error of a call as a `ConnectCallFailed`. */
export function connectFailure(error: unknown): ConnectCallFailed {
  if (error instanceof ConnectCallFailed) return error;
  if (error instanceof CircuitOpen) {
    const message = 'App Store Connect has not answered recently.';
    return new ConnectCallFailed('unavailable', message, error.retryAfterMs);
  }
  return unreadable();
}
