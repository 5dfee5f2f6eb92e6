import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { pageKeys } from '../navigation/navigation.js';
import { usePreferences } from '../preferences.js';

/** Time to press the letter of a page after `g`. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isInDialog = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null;

interface FrameKeys {
  projectId: string | undefined;
  openPalette: () => void;
  showKeys: () => void;
}

/** Keyboard shortcuts of every page. Pages define their own with `useKeys` of ui. */
export function useFrameKeys({ projectId, openPalette, showKeys }: FrameKeys): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { singleKeys } = usePreferences().preferences;
  const gPressedAtMs = useRef(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k' && projectId !== undefined) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || !singleKeys || isTyping(target) || isInDialog(target)) return;
    const page = event.timeStamp - gPressedAtMs.current < SEQUENCE_MS ? pageKeys[key] : undefined;
    gPressedAtMs.current = key === 'g' ? event.timeStamp : 0;
    if (page !== undefined && projectId !== undefined) {
      event.preventDefault();
      void navigate({
        to: `/projects/$projectId${page}` as '/projects/$projectId/overview',
        params: { projectId },
      });
    } else if (key === '/' && projectId !== undefined) {
      event.preventDefault();
      openPalette();
    } else if (key === '?') {
      showKeys();
    } else if (key === 'r') {
      void queries.refetchQueries({ type: 'active' });
    } else if (key === 'f') {
      const filters = document.querySelectorAll<HTMLElement>('main [role=search] :is(input, select, button)');
      const filter = [...filters].find((control) => control.checkVisibility());
      if (filter) event.preventDefault();
      filter?.focus();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
