import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

let isFirstPage = true;

/** Moves the focus to the heading after a page change, unless the page has focused a field. */
export function usePageFocus(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const isInField = document.activeElement?.matches('input, textarea') ?? false;
    if (!isFirstPage && !isInField) page.current?.querySelector('h1')?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [page, pathname]);
}
