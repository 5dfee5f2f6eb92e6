import { useEffect, type ReactNode } from 'react';
import { loadOverlays, prefetchOverlays, useOverlays } from './overlays.js';
import { type Tone } from '../tone.js';
import { visibleText } from '../text/visible-text.js';

export interface ToastMessage {
  title: string;
  description?: string;
  tone?: Tone;
  action?: { label: string; onClick: () => void };
}

const SHOWN_MS = 6_000;
const UNTIL_CLOSED = 0;

function show({ title, description, tone = 'neutral', action }: ToastMessage) {
  void loadOverlays().then(({ toasts }) => {
    const id = toasts.add({
      title: visibleText(title),
      description: description && visibleText(description),
      // Errors and undo actions stay until closed. For others, the timer pauses under the pointer or the focus.
      timeout: action || tone === 'bad' ? UNTIL_CLOSED : SHOWN_MS,
      priority: tone === 'bad' ? 'high' : 'low',
      data: { tone },
      actionProps: action && {
        children: action.label,
        onClick: () => {
          toasts.close(id);
          action.onClick();
        },
      },
    });
  });
}

/** Returns a function that shows a short message in the corner. */
export const useToast = () => show;

/** Mounted once at the root. Renders toasts and tooltips, and loads the overlays when the page is idle. */
export function ToastProvider({ children }: { children: ReactNode }) {
  useEffect(prefetchOverlays, []);
  const overlays = useOverlays(false);
  return (
    <>
      {children}
      {overlays && <overlays.Toaster />}
      {overlays && <overlays.TooltipLayer />}
    </>
  );
}
