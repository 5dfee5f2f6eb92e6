import { createContext, use, useEffect, useRef } from 'react';

type Handler = (event: KeyboardEvent) => void;
type Keys = Record<string, Handler>;

/** Whether single-letter keys are enabled: a preference of the person (WCAG 2.1.4). */
export const KeysContext = createContext(true);

/** Key handlers on the page. The most recent one has priority. */
const stack: { keys: { current: Keys }; letters: { current: boolean } }[] = [];

const field = 'input,textarea,select,[contenteditable=true],[role=dialog],[role=alertdialog],[role=menu]';

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest(field)) return;
  for (const { keys, letters } of stack.toReversed()) {
    const handler = event.key.length > 1 || letters.current ? keys.current[event.key] : undefined;
    if (!handler) continue;
    event.preventDefault();
    handler(event);
    return;
  }
}

/** Keys of a page or list while it is mounted. Inactive in fields, dialogs and menus. */
export function useKeys(keys: Keys, enabled = true) {
  const letters = use(KeysContext);
  const current = useRef(keys);
  const lettersOn = useRef(letters);
  useEffect(() => {
    current.current = keys;
    lettersOn.current = letters;
  });
  useEffect(() => {
    if (!enabled) return;
    const entry = { keys: current, letters: lettersOn };
    if (stack.push(entry) === 1) document.addEventListener('keydown', onKeyDown);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
      if (stack.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, [enabled]);
}
