import { currencies } from '../api/currencies.js';
import { usePreferences } from './preferences.js';

/** The currency in which a person wants to see amounts. */
export function useDisplayCurrency(): (typeof currencies)[number] {
  const { displayCurrency } = usePreferences().preferences;
  return currencies.find((name) => name === displayCurrency) ?? 'USD';
}
