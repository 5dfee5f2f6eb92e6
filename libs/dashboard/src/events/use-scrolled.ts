import { useSyncExternalStore } from 'react';

/** At smaller offsets, the first row is still visible. */
const NEAR_TOP_PX = 200;

function subscribe(listener: () => void) {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}

/** Whether the page is scrolled down, so that rows must not move. */
export const useScrolled = (): boolean => useSyncExternalStore(subscribe, () => window.scrollY > NEAR_TOP_PX);
