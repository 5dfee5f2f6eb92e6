/**
 * How a store answered a report. `refused`: the same report will never succeed; `credentials`: the app's key is
 * rejected; `busy`: a later call may succeed.
 */
export type ReportOutcome =
  | { outcome: 'sent'; /** The store had accepted it before. */ wasKnown: boolean }
  | {
      outcome: 'refused';
      message: string;
      /** The store does not know the token. */
      isTokenUnknown?: boolean;
    }
  | { outcome: 'credentials'; message: string }
  | { outcome: 'busy'; message: string; retryAfterMs: number | null };

export const sent = (wasKnown = false): ReportOutcome => ({ outcome: 'sent', wasKnown });
