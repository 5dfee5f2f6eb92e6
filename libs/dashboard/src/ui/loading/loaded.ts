import { useEffect, useState } from 'react';

/** The properties of a query result that components need, compatible with TanStack Query. */
export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** Returns true once `on` has been true for `ms`. */
export function useAfter(on: boolean, ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [on, ms]);
  return on && passed;
}

const delays = [2, 4, 8];

/** Returns the seconds until the next automatic attempt; null if only a manual one remains. */
export function retryDelay(attempt: number, retryAfterS: number | null): number | null {
  return attempt < delays.length ? (retryAfterS ?? delays[attempt] ?? null) : null;
}
