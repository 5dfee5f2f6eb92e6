import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** List positions by history entry and list. Back returns to the same entry. */
const positions = new Map<string, { y: number; row: string | undefined }>();

const entryKey = (label: string) => {
  const state = history.state as { __TSR_key?: string; key?: string } | null;
  return `${state?.__TSR_key ?? state?.key ?? 'first'} ${label}`;
};

/** Stores a list's scroll position and focused row, and restores them after Back. */
export function useRestoredPosition(label: string, list: RefObject<HTMLElement | null>, rows: number) {
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (restored.current || rows === 0) return;
    restored.current = true;
    const saved = positions.get(entryKey(label));
    if (!saved) return;
    // Runs after the heading's focus and the scrolling of a page change.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        window.scrollTo(0, saved.y);
        if (saved.row === undefined) return;
        list.current
          ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(saved.row)}"] [data-primary]`)
          ?.focus({ preventScroll: true });
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [label, list, rows]);
  useEffect(() => {
    const key = entryKey(label);
    const save = () => {
      const row = document.activeElement?.closest<HTMLElement>('[data-key]');
      const own = row && list.current?.contains(row) ? row.dataset.key : positions.get(key)?.row;
      if (entryKey(label) === key) positions.set(key, { y: window.scrollY, row: own });
    };
    document.addEventListener('scroll', save, { passive: true });
    document.addEventListener('focusin', save);
    return () => {
      document.removeEventListener('scroll', save);
      document.removeEventListener('focusin', save);
    };
  });
}
