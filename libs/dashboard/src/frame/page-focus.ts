import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

let isFirstPage = true;

/** After a change of page its heading takes the focus, unless the page has put it into a field. */
export function usePageFocus(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const isInField = document.activeElement?.matches('input, textarea') ?? false;
    if (!isFirstPage && !isInField) page.current?.querySelector('h1')?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [page, pathname]);
}
