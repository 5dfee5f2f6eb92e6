import { type ReactNode, useMemo } from 'react';
import { FormatContext } from '../ui/format/format-context.js';
import { usePreferences } from './preferences.js';

/** Provides the person's formats of numbers and times. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { locale, timeZone } = usePreferences().preferences;
  const format = useMemo(() => {
    const browser = Intl.DateTimeFormat(navigator.languages as string[]).resolvedOptions();
    return {
      locale: locale ?? browser.locale,
      timeZone: timeZone === 'local' ? browser.timeZone : timeZone,
    };
  }, [locale, timeZone]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
