import { useEffect, useSyncExternalStore } from 'react';
import type * as parts from './lazy/parts.js';
import { whenIdle } from './when-idle.js';

type Overlays = typeof parts;

let loaded: Overlays | undefined;
let loading: Promise<Overlays> | undefined;
const listeners = new Set<() => void>();

/** Loads dialogs, menus, tooltips and toasts, which the first page does not need. */
export function loadOverlays(): Promise<Overlays> {
  loading ??= import('./lazy/parts.js').then(
    (module) => {
      loaded = module;
      for (const listener of listeners) listener();
      return module;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the overlay components once they are loaded; `wanted` loads them now. */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const module = useSyncExternalStore(subscribe, () => loaded);
  useEffect(() => {
    // Vite notifies the frame if they cannot be loaded.
    if (wanted && !module) void loadOverlays().catch(() => undefined);
  }, [wanted, module]);
  return module;
}

/** Closes persistent toasts before another person signs in. */
export const closeToasts = (): void => loaded?.toasts.close();

/** Loads the overlays when the page is idle. */
export function prefetchOverlays(): () => void {
  return whenIdle(() => void loadOverlays().catch(() => undefined));
}
