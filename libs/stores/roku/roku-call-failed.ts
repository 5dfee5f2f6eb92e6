/** `unknown`: this account has no such transaction at Roku; `unavailable`: a later call may succeed. */
export type RokuFailure = 'unknown' | 'credentials' | 'unavailable';

export class RokuCallFailed extends Error {
  constructor(
    readonly failure: RokuFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'RokuCallFailed';
  }
}

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const NOT_AN_ID = /invalid uri format/i;

export const keyRefused = (): RokuCallFailed =>
  new RokuCallFailed('credentials', 'Roku rejects the API key (roku_api_key), or calls from this server.');

export const unknownTransaction = (): RokuCallFailed =>
  new RokuCallFailed('unknown', 'Roku knows no such transaction.');

/** Classifies an answer with a status other than 200. `text` is its body. */
export function statusFailure(status: number, text: string, retryAfter: string | null): RokuCallFailed {
  if (status === 401 || status === 403) return keyRefused();
  // Proxies also answer 400, with other texts.
  if (status === 400 && NOT_AN_ID.test(text)) return unknownTransaction();
  const seconds = Number(retryAfter ?? '');
  const waitMs =
    Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : null;
  return new RokuCallFailed('unavailable', `Roku answered ${status}.`, waitMs);
}
