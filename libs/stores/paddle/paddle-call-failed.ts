import { isJsonObject } from '../../kernel/index.js';
import { CircuitOpen } from '../circuit-breaker.js';
import type { StoreAnswer } from '../store-fetch.js';
import { storeMessage } from '../store-message.js';

/** `credentials`: our key was rejected or lacks the permission; `unavailable`: anything else. */
export type PaddleFailure = 'unknown' | 'credentials' | 'unavailable';

export class PaddleCallFailed extends Error {
  constructor(
    readonly failure: PaddleFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
    /** Paddle's error code. */
    readonly code: string | null = null,
  ) {
    super(message);
    this.name = 'PaddleCallFailed';
  }
}

/** Codes for a path that is not served. */
export const noPathCodes: ReadonlySet<string> = new Set(['invalid_url', 'not_found']);

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const unknownCodes = new Set(['not_found', 'entity_not_found']);
/** Paddle keys, which an error may repeat. */
const KEYS = /\bpdl_\w+/g;

function waitOf(answer: StoreAnswer): number | null {
  const seconds = Number(answer.header('retry-after') ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : null;
}

function kindOf(status: number, code: string): PaddleFailure {
  if (status === 401 || status === 403) return 'credentials';
  return status === 404 && unknownCodes.has(code) ? 'unknown' : 'unavailable';
}

const unreadable = (): PaddleCallFailed =>
  new PaddleCallFailed('unavailable', 'Paddle could not be reached, or gave no readable answer.');

/**
 * The failure behind an answer with an error status. Without Paddle's own error in the body, something else answered.
 */
export function refusal(answer: StoreAnswer, body: unknown): PaddleCallFailed {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : null;
  const { code, detail } = error ?? {};
  const { status } = answer;
  if (typeof code !== 'string') {
    const { message } = unreadable();
    return new PaddleCallFailed('unavailable', message, waitOf(answer));
  }
  const said = storeMessage((typeof detail === 'string' ? detail : code).replace(KEYS, 'the key'));
  const message = `Paddle answered ${status} (${code}): ${said}`;
  return new PaddleCallFailed(kindOf(status, code), message, waitOf(answer), code);
}

/** Any error of a call as a `PaddleCallFailed`. */
export function paddleFailure(error: unknown): PaddleCallFailed {
  if (error instanceof PaddleCallFailed) return error;
  if (error instanceof CircuitOpen) {
    return new PaddleCallFailed('unavailable', 'Paddle has not answered recently.', error.retryAfterMs);
  }
  return unreadable();
}
