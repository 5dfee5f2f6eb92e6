import { isJsonObject } from '../../kernel/index.js';
import type { Definition, Settings, SettingsProblem } from '../definition.js';
import type { MapSchema, SettingSchema, SettingsSchema, TextSchema } from './settings-schema.js';

const MAX_TEXT_LENGTH = 1000;

const CONTROL_CHARACTER = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;

function problemOfText(schema: TextSchema, value: unknown): string | null {
  if (typeof value !== 'string') return 'Enter a text.';
  const { enum: values, pattern, minLength = 1, maxLength = MAX_TEXT_LENGTH } = schema;
  if (value.length < minLength)
    return minLength === 1 ? 'Enter a value.' : `Enter at least ${minLength} characters.`;
  if (value.length > maxLength) return `Enter at most ${maxLength} characters.`;
  if (CONTROL_CHARACTER.test(value)) return 'Enter one line without control characters.';
  if (values && !values.includes(value)) return `Choose one of: ${values.join(', ')}.`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return `This is not a valid ${schema.title}.`;
  return null;
}

function problemOfObject(
  schema: SettingsSchema | MapSchema,
  value: unknown,
  param: string,
): SettingsProblem | null {
  if (!isJsonObject(value)) return { param, message: 'Enter an object.' };
  for (const name of 'required' in schema ? (schema.required ?? []) : []) {
    if (value[name] === undefined) return { param: `${param}.${name}`, message: 'Enter a value.' };
  }
  for (const [name, inner] of Object.entries(value)) {
    const own = Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : schema.additionalProperties;
    const problem = own
      ? problemOf(own, inner, `${param}.${name}`)
      : { param: `${param}.${name}`, message: 'There is no such setting.' };
    if (problem) return problem;
  }
  return null;
}

function problemOf(schema: SettingSchema, value: unknown, param: string): SettingsProblem | null {
  if (schema.type === undefined) return null;
  if (schema.type === 'object') return problemOfObject(schema, value, param);
  const isWrongSwitch = schema.type === 'boolean' && typeof value !== 'boolean';
  const message =
    schema.type === 'string' ? problemOfText(schema, value) : isWrongSwitch ? 'Choose true or false.' : null;
  return message === null ? null : { param, message };
}

function withDefaults(schema: SettingsSchema, value: Settings): Settings {
  const defaults = Object.entries(schema.properties).flatMap(([name, setting]) =>
    'default' in setting && setting.default !== undefined ? [[name, setting.default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...value };
}

/** The settings as stored: with defaults, and in the tool's form. Only for checked settings. */
export function normalizedSettings(definition: Definition, value: Settings): Settings {
  const complete = withDefaults(definition.settings, value);
  return definition.normalizeSettings?.(complete) ?? complete;
}

/** The first problem of the settings that a person entered; null if there is none. */
export function checkSettings(definition: Definition, value: unknown): SettingsProblem | null {
  const problem = problemOfObject(definition.settings, value, 'settings');
  if (problem) return problem;
  return definition.checkSettings?.(withDefaults(definition.settings, value as Settings)) ?? null;
}

const isSecret = (schema: SettingSchema) =>
  'writeOnly' in schema
    ? schema.writeOnly === true
    : schema.type === 'object' &&
      schema.additionalProperties &&
      schema.additionalProperties.writeOnly === true;

/** Names of the settings that are secrets, or that hold them by name. */
export function secretNames({ settings }: Pick<Definition, 'settings'>): string[] {
  return Object.entries(settings.properties).flatMap(([name, schema]) => (isSecret(schema) ? [name] : []));
}

const isEmpty = (value: unknown) =>
  value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);

/** The origin of an address says where a request is sent. */
const addressOf = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : value;

/**
 * The first stored secret that must be entered again because the address has changed; null if there is none. Otherwise,
 * someone who may edit could have a stored key sent to a host of their own.
 */
export function secretToEnterAgain(
  definition: Definition,
  stored: Settings,
  entered: Settings,
): SettingsProblem | null {
  const isMoved = definition.addresses.some(
    (name) => entered[name] !== undefined && addressOf(entered[name]) !== addressOf(stored[name]),
  );
  const kept = secretNames(definition).find((name) => !isEmpty(stored[name]) && entered[name] === undefined);
  if (!isMoved || kept === undefined) return null;
  return { param: `settings.${kept}`, message: 'Enter this key again: the address has changed.' };
}
