import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  density: 'compact' | 'comfortable';
  /** `local`, `UTC` or the name of a time zone. */
  timeZone: string;
  /** Null uses the browser's language. */
  locale: string | null;
  /** Currency to which charts and key figures are converted. */
  displayCurrency: string;
  /** Whether shortcuts with a single letter, such as j and k, are enabled. */
  singleKeys: boolean;
  /** The page with which a project opens. */
  startPage: 'overview' | 'board';
  isNavigationCollapsed: boolean;
  lastProject: string | null;
  /** The platform of the last SDK snippet that was opened. */
  sdkPlatform: string | null;
  /** Projects whose setup checklist was dismissed. */
  dismissedSetups: readonly string[];
}

const defaults: Preferences = {
  theme: 'system',
  density: 'compact',
  timeZone: 'local',
  locale: null,
  displayCurrency: 'USD',
  singleKeys: true,
  startPage: 'overview',
  isNavigationCollapsed: false,
  lastProject: null,
  sdkPlatform: null,
  dismissedSetups: [],
};
const STORED_AS = 'tenure.preferences';

/** Storage may be full, forbidden, or contain another version's data. */
export function readPreferences(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<Preferences>;
    const known = Object.entries(stored).filter(
      ([name, value]) =>
        name in defaults &&
        (typeof value === typeof defaults[name as keyof Preferences] || typeof value === 'string'),
    );
    return { ...defaults, ...Object.fromEntries(known) };
  } catch {
    return defaults;
  }
}

function store(preferences: Preferences): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(preferences));
  } catch {
    // Preferences then apply until the tab is closed.
  }
}

interface PreferencesValue {
  preferences: Preferences;
  change: (changes: Partial<Preferences>) => void;
  /** Sign-out keeps only the theme. */
  forget: () => void;
}

const PreferencesContext = createContext<PreferencesValue | null>(null);

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(readPreferences);
  useEffect(() => {
    document.documentElement.dataset.theme = preferences.theme;
    document.documentElement.dataset.density = preferences.density;
    store(preferences);
  }, [preferences]);
  const change = useCallback(
    (changes: Partial<Preferences>) => setPreferences((before) => ({ ...before, ...changes })),
    [],
  );
  const forget = useCallback(() => setPreferences(({ theme }) => ({ ...defaults, theme })), []);
  const value = useMemo(() => ({ preferences, change, forget }), [preferences, change, forget]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): PreferencesValue {
  const value = use(PreferencesContext);
  if (!value) throw new Error('PreferencesProvider is missing');
  return value;
}
