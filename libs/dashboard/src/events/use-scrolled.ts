import { useSyncExternalStore } from 'react';

/** Below this the first row is still in view. */
const NEAR_TOP_PX = 200;

function subscribe(listener: () => void) {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}

/** Whether somebody reads further down, where rows must not move. */
export const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => window.scrollY > NEAR_TOP_PX);
