import { useEffect, useSyncExternalStore } from 'react';
import type * as parts from './overlay/parts.js';

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
    if (wanted && !module) void loadOverlays();
  }, [wanted, module]);
  return module;
}

/** Fetches the overlays when the page has nothing else to do. */
export function prefetchOverlays(): () => void {
  const load = () => void loadOverlays().catch(() => undefined);
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(load, { timeout: 3000 });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(load, 1000);
  return () => clearTimeout(id);
}
