import type { DestinationType } from '../destinations.queries.js';
import type { DestinationForm, NamedSecret, SettingValue } from './destination-form.js';
import {
  isSecret,
  type MapSetting,
  type Setting,
  settingsSchemaOf,
  type TextSetting,
} from './settings-schema.js';

const ENTER = 'Enter a value.';
const ENTER_AGAIN = 'Enter this key again: the address has changed.';
const MAX_LENGTH = 1000;

function problemOfText(
  { title = 'value', minLength = 1, maxLength = MAX_LENGTH, pattern }: TextSetting,
  text: string,
) {
  if (text.length < minLength) return `Enter at least ${minLength} characters.`;
  if (text.length > maxLength) return `Enter at most ${maxLength} characters.`;
  return pattern !== undefined && !new RegExp(pattern, 'u').test(text)
    ? `This is not a valid ${title}.`
    : null;
}

function problemOfJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    return 'Enter JSON.';
  }
}

interface Rule {
  isRequired: boolean;
  /** Whether a secret has a value. */
  isSet: boolean;
  /** Whether secrets must be entered again. */
  isMoved: boolean;
}

function problemOfValue(setting: TextSetting | { type?: undefined }, value: string | null, rule: Rule) {
  if (value === null) return rule.isRequired ? ENTER : null;
  const text = value.trim();
  if (text === '') {
    if (rule.isSet) return rule.isMoved ? ENTER_AGAIN : null;
    return rule.isRequired ? ENTER : null;
  }
  return setting.type === undefined ? problemOfJson(text) : problemOfText(setting, text);
}

function problemsOfSecrets(
  path: string,
  rows: NamedSecret[],
  { additionalProperties: value }: MapSetting,
  isMoved: boolean,
) {
  return rows.flatMap((row, index): [string, string | null][] => {
    if (row.isRemoved || (row.name === '' && row.value === '')) return [];
    const isTwice = rows.some(
      ({ name }, other) => other < index && name.trim().toLowerCase() === row.name.trim().toLowerCase(),
    );
    const name = row.name.trim() === '' ? 'Enter a name.' : isTwice ? 'This name is there already.' : null;
    const rule = { isRequired: true, isSet: row.isSet, isMoved };
    const schema = value === false ? { type: undefined } : value;
    return [
      [`${path}.${index}.name`, name],
      [`${path}.${index}.value`, problemOfValue(schema, row.value, rule)],
    ];
  });
}

function problemsOfSetting(path: string, setting: Setting, value: SettingValue | undefined, rule: Rule) {
  if (setting.type === 'boolean' || value === undefined || typeof value === 'boolean') return [];
  if (setting.type !== 'object')
    return [[path, problemOfValue(setting, typeof value === 'string' ? value : null, rule)]];
  if (Array.isArray(value)) return problemsOfSecrets(path, value, setting, rule.isMoved);
  return Object.entries(setting.properties ?? {}).map(([key, inner]) => [
    `${path}.${key}`,
    problemOfValue(inner, (value as Record<string, string>)[key] ?? '', { ...rule, isRequired: false }),
  ]);
}

/** Messages about the settings by path, as the server would say. It has the last word. */
export function problemsOfSettings(
  type: DestinationType,
  form: DestinationForm,
  { secretsSet, isMoved }: { secretsSet: readonly string[]; isMoved: boolean },
): Record<string, string | null> {
  const { properties, required } = settingsSchemaOf(type);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, setting]) =>
      problemsOfSetting(`settings.${name}`, setting, form.settings[name], {
        isRequired: required.includes(name),
        isSet: isSecret(setting) && secretsSet.includes(name),
        isMoved,
      }),
    ) as [string, string | null][],
  );
}
