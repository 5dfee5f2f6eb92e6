import { useSyncExternalStore } from 'react';

/** Below this the first row is still in view. */
const NEAR_TOP_PX = 200;

function subscribe(listener: () => void) {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}

/** Whether the page is scrolled down: rows must not move there. */
export const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => window.scrollY > NEAR_TOP_PX);
