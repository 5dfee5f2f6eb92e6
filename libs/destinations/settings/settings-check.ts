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

/** Where a secret is: its name, or the names of the setting that holds it and of the secret in it. */
type SecretPath = readonly [name: string, inner?: string];

function pathsOfSecrets(definition: Pick<Definition, 'settings'>, values: Settings): SecretPath[] {
  return secretNames(definition).flatMap((name): SecretPath[] => {
    const value = values[name];
    if (isJsonObject(value)) return Object.keys(value).map((inner) => [name, inner]);
    return value === undefined ? [] : [[name]];
  });
}

/** The secrets that have a value: `api_key`, `headers.x-api-key`. */
export function namesOfSetSecrets(definition: Pick<Definition, 'settings'>, values: Settings): string[] {
  return pathsOfSecrets(definition, values).map((path) => path.join('.'));
}

const withoutNulls = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/**
 * The settings after a change: those that are absent keep their value, and null removes one. Secrets that a setting
 * holds by name are changed one by one, because their values are never shown.
 */
export function changedSettings(definition: Definition, stored: Settings, entered: Settings): Settings {
  const merged = Object.entries(entered).map(([name, value]): [string, unknown] => {
    const present = stored[name];
    const isMap = secretNames(definition).includes(name) && isJsonObject(value);
    return [name, isMap ? withoutNulls({ ...(isJsonObject(present) && present), ...value }) : value];
  });
  return withoutNulls({ ...stored, ...Object.fromEntries(merged) });
}

/** The origin of an address says where a request is sent. */
const addressOf = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : value;

function isEntered(entered: Settings, [name, inner]: SecretPath): boolean {
  const value = entered[name];
  return inner === undefined || !isJsonObject(value) ? value !== undefined : value[inner] !== undefined;
}

/**
 * The first stored secret that must be entered again because the address has changed; null if there is none. Otherwise,
 * someone who may edit could have a stored key sent to a host of their own. `changed`: the settings after the change.
 */
export function secretToEnterAgain(
  definition: Definition,
  stored: Settings,
  entered: Settings,
  changed: Settings,
): SettingsProblem | null {
  const isMoved = definition.addresses.some((name) => addressOf(changed[name]) !== addressOf(stored[name]));
  const kept = pathsOfSecrets(definition, stored).find((path) => !isEntered(entered, path));
  if (!isMoved || kept === undefined) return null;
  return {
    param: `settings.${kept.join('.')}`,
    message: 'Enter this key again: the address has changed.',
  };
}
