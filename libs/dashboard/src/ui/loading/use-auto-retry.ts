import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { retryDelay } from './loaded.js';
import { toShownError } from './shown-error.js';

/** Retries automatically after a retryable error. Returns the remaining seconds, or null. */
export function useAutoRetry(cause: unknown, succeeded: boolean, retry: () => unknown): number | null {
  const attempt = useRef(0);
  const [left, setLeft] = useState<number | null>(null);
  const run = useEffectEvent(retry);
  useEffect(() => {
    if (succeeded) attempt.current = 0;
  }, [succeeded]);
  const { retryable, retryAfterS } = toShownError(cause);
  useEffect(() => {
    let seconds = cause && retryable ? retryDelay(attempt.current, retryAfterS) : null;
    if (seconds === null) return;
    const show = () => setLeft(seconds);
    const first = setTimeout(show);
    const timer = setInterval(() => {
      // A hidden tab does not retry.
      if (document.hidden || seconds === null) return;
      seconds -= 1;
      setLeft(Math.max(0, seconds));
      if (seconds > 0) return;
      seconds = null;
      attempt.current += 1;
      run();
    }, 1000);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      setLeft(null);
    };
  }, [cause, retryable, retryAfterS]);
  return left;
}
