import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useKeys } from '../keys.js';

interface RowKeys {
  list: RefObject<HTMLElement | null>;
  rows: number;
  /** Whether rows can be opened, and therefore focused. */
  enabled: boolean;
  /** Renders a row that may not be in the document. */
  reveal: (index: number) => void;
}

const indexOf = (element: Element | null) =>
  Number(element?.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);

/** j and k anywhere on the page; arrows, Home, End, Page Up and Page Down within the list. */
export function useRowKeys({ list, rows, enabled, reveal }: RowKeys) {
  const wanted = useRef<number | null>(null);
  const focusWanted = () => {
    if (wanted.current === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-primary]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
    row.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  // A distant row exists only after the list has scrolled and rendered; long lists call this themselves.
  useEffect(focusWanted);

  const at = () => {
    const active = document.activeElement;
    if (active && list.current?.contains(active)) return indexOf(active);
    const current = list.current?.querySelector('[aria-current=true]') ?? null;
    return indexOf(current);
  };
  const go = (index: number) => {
    if (rows === 0) return;
    wanted.current = Math.min(rows - 1, Math.max(0, index));
    reveal(wanted.current);
    focusWanted();
  };
  useKeys({ j: () => go(at() + 1), k: () => go(at() - 1) }, enabled);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!enabled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.primary === undefined) return;
    const index = at();
    const page = Math.max(1, Math.floor(window.innerHeight / 36) - 4);
    const next: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rows - 1,
      PageDown: index + page,
      PageUp: index - page,
    };
    const target = next[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  };
  return { onKeyDown, focusWanted };
}
