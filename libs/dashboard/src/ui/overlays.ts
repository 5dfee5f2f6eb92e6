import { useEffect, useSyncExternalStore } from 'react';
import type * as parts from './overlay/parts.js';
import { whenIdle } from './when-idle.js';

type Overlays = typeof parts;

let loaded: Overlays | undefined;
let loading: Promise<Overlays> | undefined;
const listeners = new Set<() => void>();

/** Loads dialogs, menus, tooltips and toasts, which the first page does without. */
export function loadOverlays(): Promise<Overlays> {
  loading ??= import('./overlay/parts.js').then(
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

/** The overlay components, once they are there; `wanted` fetches them now. */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const module = useSyncExternalStore(subscribe, () => loaded);
  useEffect(() => {
    // Vite tells the frame when they cannot be loaded.
    if (wanted && !module) void loadOverlays().catch(() => undefined);
  }, [wanted, module]);
  return module;
}

/** Closes what stays until closed, for the next person. */
export const closeToasts = (): void => loaded?.toasts.close();

/** Fetches the overlays when the page has nothing else to do. */
export function prefetchOverlays(): () => void {
  return whenIdle(() => void loadOverlays().catch(() => undefined));
}
