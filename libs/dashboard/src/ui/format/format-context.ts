import { createContext, use, useSyncExternalStore } from 'react';

export interface FormatSettings {
  locale: string;
  timeZone: string;
  /** Clock for relative times; the browser's by default. */
  now?: () => number;
}

const browser = (): FormatSettings => {
  const { locale, timeZone } = Intl.DateTimeFormat(navigator.languages).resolvedOptions();
  return { locale, timeZone };
};

export const FormatContext = createContext<FormatSettings | null>(null);

let defaults: FormatSettings | undefined;

/** The person's locale and time zone. */
export const useFormat = (): FormatSettings => use(FormatContext) ?? (defaults ??= browser());

const ticks = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let last = 0;

/** The time, at most 15 seconds old and equal for everything rendered together. */
function current(): number {
  const time = Date.now();
  if (time - last >= 15_000) last = time;
  return last;
}

function subscribe(listener: () => void) {
  ticks.add(listener);
  timer ??= setInterval(() => {
    for (const tick of ticks) tick();
  }, 15_000);
  return () => {
    ticks.delete(listener);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time, updated every 15 seconds for all components. */
export function useNow(): number {
  const { now } = useFormat();
  const tick = useSyncExternalStore(subscribe, current);
  return now ? now() : tick;
}
