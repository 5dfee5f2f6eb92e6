import { useEffect, useState } from 'react';

/** What the components need of a query result; those of TanStack Query have it. */
export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** True once `on` has held for that long. */
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

/** The seconds until the next automatic try; null when it is up to the person. */
export function retryDelay(attempt: number, retryAfterS: number | null): number | null {
  return attempt < delays.length ? (retryAfterS ?? delays[attempt] ?? null) : null;
}
