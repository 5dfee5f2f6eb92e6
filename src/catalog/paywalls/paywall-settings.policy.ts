import { isJsonObject } from '../../../libs/kernel/index.js';
import { type ColorScheme, colorProblem, type CustomVariable } from '../../../libs/paywalls/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/** A font by the name that documents use. */
export interface SettingsFont {
  media_asset_id: string;
  family: string;
  weight: number;
  style: 'normal' | 'italic';
}

/** Colors, fonts and variables of a project, as they are stored and answered. */
export interface SharedSettings {
  colors: Record<string, ColorScheme>;
  fonts: Record<string, SettingsFont>;
  customVariables: Record<string, CustomVariable>;
}

export const noSettings: SharedSettings = { colors: {}, fonts: {}, customVariables: {} };

const MAX_ENTRIES = 100;
const MAX_TEXT_LENGTH = 500;
const MAX_FAMILY_LENGTH = 100;
const MAX_WEIGHT = 1_000;
const name = /^[A-Za-z][A-Za-z0-9_ -]{0,63}$/;
const variableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

type Entries = Record<string, unknown>;

/** Checks the number of entries and their names, and then each by `problemOf`. @throws ApiError 400 */
function checkEntries(
  field: string,
  entries: Entries,
  pattern: RegExp,
  problemOf: (value: Entries) => string | null,
): void {
  const names = Object.keys(entries);
  if (names.length > MAX_ENTRIES)
    throw ApiError.parameter(field, `${field} may have at most ${MAX_ENTRIES} entries.`);
  for (const [key, value] of Object.entries(entries)) {
    if (!pattern.test(key))
      throw ApiError.parameter(
        field,
        `${JSON.stringify(key)} is not a valid name: it must match ${pattern.source}.`,
      );
    const problem = isJsonObject(value) ? problemOf(value) : 'It must be an object.';
    if (problem !== null) throw ApiError.parameter(field, `${field}.${key}: ${problem}`);
  }
}

function unknownKey(value: Entries, known: readonly string[]): string | null {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  return unknown === undefined ? null : `\`${unknown}\` is not known here.`;
}

function schemeProblem(value: Entries): string | null {
  const alias = Object.values(value).some((color) => isJsonObject(color) && color.type === 'alias');
  return alias ? 'A shared color cannot name another one.' : colorProblem(value);
}

function fontProblem(value: Entries): string | null {
  const { media_asset_id: id, family, weight, style } = value;
  if (typeof id !== 'string') return '`media_asset_id` must be a text.';
  if (typeof family !== 'string' || family === '' || family.length > MAX_FAMILY_LENGTH)
    return `\`family\` must be a text of 1 to ${MAX_FAMILY_LENGTH} characters.`;
  if (!Number.isInteger(weight) || Number(weight) < 1 || Number(weight) > MAX_WEIGHT)
    return `\`weight\` must be a whole number from 1 to ${MAX_WEIGHT}.`;
  if (style !== 'normal' && style !== 'italic') return '`style` must be normal or italic.';
  return unknownKey(value, ['media_asset_id', 'family', 'weight', 'style']);
}

function variableProblem(value: Entries): string | null {
  const { type, default_value: initial } = value;
  if (type !== 'string' && type !== 'number' && type !== 'boolean')
    return '`type` must be string, number or boolean.';
  if (typeof initial !== type) return `\`default_value\` must be a ${type}.`;
  if (typeof initial === 'string' && initial.length > MAX_TEXT_LENGTH)
    return `\`default_value\` may have at most ${MAX_TEXT_LENGTH} characters.`;
  return unknownKey(value, ['type', 'default_value']);
}

/** Fields of a request. */
export interface SettingsChanges {
  colors?: Entries;
  fonts?: Entries;
  custom_variables?: Entries;
}

/** Replaces the given fields. Fonts may name assets that do not exist. @throws ApiError 400 */
export function changedSettings(present: SharedSettings, changes: SettingsChanges): SharedSettings {
  const { colors, fonts, custom_variables: customVariables } = changes;
  if (colors) checkEntries('colors', colors, name, schemeProblem);
  if (fonts) checkEntries('fonts', fonts, name, fontProblem);
  if (customVariables) checkEntries('custom_variables', customVariables, variableName, variableProblem);
  return {
    colors: (colors as SharedSettings['colors'] | undefined) ?? present.colors,
    fonts: (fonts as SharedSettings['fonts'] | undefined) ?? present.fonts,
    customVariables:
      (customVariables as SharedSettings['customVariables'] | undefined) ?? present.customVariables,
  };
}
