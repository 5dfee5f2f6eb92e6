import type { PaywallSettings } from '../paywall.types.js';

/** A group of shared settings: the field of the API. */
export type SettingsField = 'colors' | 'fonts' | 'custom_variables';

const patterns: Record<SettingsField, RegExp> = {
  colors: /^[A-Za-z][A-Za-z0-9_ -]{0,63}$/,
  fonts: /^[A-Za-z][A-Za-z0-9_ -]{0,63}$/,
  custom_variables: /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
};

const rules: Record<SettingsField, string> = {
  colors: 'Start with a letter; then letters, digits, spaces, _ and - may follow.',
  fonts: 'Start with a letter; then letters, digits, spaces, _ and - may follow.',
  custom_variables: 'Start with a letter; then letters, digits and _ may follow.',
};

/** Returns why a name cannot be that of a new setting; null if it can. */
export function nameProblem(settings: PaywallSettings, field: SettingsField, name: string): string | null {
  if (name === '') return 'Enter a name.';
  if (!patterns[field].test(name)) return rules[field];
  return Object.hasOwn(settings[field], name) ? 'This name is taken.' : null;
}

/** The body that adds or replaces one setting. */
export const withSetting = (
  settings: PaywallSettings,
  field: SettingsField,
  name: string,
  value: object,
) => ({
  [field]: { ...settings[field], [name]: value },
});

/** The body that removes one setting. */
export const withoutSetting = (settings: PaywallSettings, field: SettingsField, name: string) => ({
  [field]: Object.fromEntries(Object.entries(settings[field]).filter(([key]) => key !== name)),
});
