/** The store's reaction to an answer to a refund request. */
export type AnswerResult =
  | { result: 'sent' }
  /** The store will never accept this answer. `code` is the store's own. */
  | { result: 'refused'; code: string | null; message: string }
  /** A later call may succeed. */
  | { result: 'busy'; message: string; retryAfterMs: number | null }
  /** The app's credentials are missing, or the store rejects them. */
  | { result: 'credentials'; message: string };
