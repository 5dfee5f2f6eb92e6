import type { EventType } from '../../api/event-types.js';
import type { Destination, DestinationType } from '../destinations.queries.js';
import type { DestinationChanges, NewDestination } from '../destinations.writes.js';
import { isNamedSecrets, isSecret, type Setting, settingsSchemaOf } from './settings-schema.js';

/** A secret with a name, such as a header. */
export interface NamedSecret {
  name: string;
  /** Empty: unchanged if it is set. */
  value: string;
  isSet: boolean;
  isRemoved: boolean;
}

/** A setting as typed. A secret is empty if unchanged, and null if removed. */
export type SettingValue = string | boolean | null | Record<string, string> | NamedSecret[];

export interface DestinationForm {
  name: string;
  settings: Record<string, SettingValue>;
  /** Names by kind of event; an empty one is off. In chats, whether the kind is on. */
  event_names: Record<string, string | boolean>;
  /** Null selects all. Only for HTTP. */
  event_types: EventType[] | null;
  revenue: Destination['revenue'];
  attributes: Destination['attributes'];
  app_id: string;
  start: 'now' | 'date';
  send_from: number | null;
}

const json = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function valueOf(setting: Setting, stored: unknown, secretNames: string[]): SettingValue {
  if (isSecret(setting)) return '';
  if (setting.type === 'boolean') return typeof stored === 'boolean' ? stored : (setting.default ?? false);
  if (setting.type === 'string') return textOf(stored ?? setting.default);
  if (setting.type === undefined) return json(stored ?? setting.default);
  if (isNamedSecrets(setting))
    return secretNames.map((name) => ({ name, value: '', isSet: true, isRemoved: false }));
  const texts = textsOf(stored);
  return Object.fromEntries(Object.keys(setting.properties ?? {}).map((key) => [key, textOf(texts[key])]));
}

/** The content of the form: of a stored destination, or of a new one. */
export function formOf(type: DestinationType, stored: Destination | null): DestinationForm {
  const { properties } = settingsSchemaOf(type);
  const secrets = stored?.secrets_set ?? [];
  const isChat = type.category === 'chat';
  return {
    name: stored?.name ?? type.name,
    settings: Object.fromEntries(
      Object.entries(properties).map(([name, setting]) => {
        const inner = secrets.filter((secret) => secret.startsWith(`${name}.`));
        const names = inner.map((secret) => secret.slice(name.length + 1));
        return [name, valueOf(setting, stored?.settings[name], names)];
      }),
    ),
    event_names: Object.fromEntries(
      type.events
        .filter(({ default_name: name }) => name !== null)
        .map(({ kind, default_name: byDefault }) => {
          const name = stored ? stored.event_names[kind] : byDefault;
          return [kind, isChat ? name !== null && name !== false : (name ?? '').toString()];
        }),
    ),
    event_types: stored && stored.event_types.length > 0 ? stored.event_types : null,
    revenue: stored?.revenue ?? 'gross',
    attributes: stored?.attributes ?? 'all',
    app_id: stored?.app_id ?? '',
    start: stored ? 'date' : 'now',
    send_from: stored?.send_from ?? null,
  };
}

function namedSecretsOf(rows: NamedSecret[]): Record<string, string | null> | undefined {
  const entries = rows
    .filter(({ isSet, isRemoved, value, name }) => isRemoved || value !== '' || (!isSet && name !== ''))
    .map(({ name, value, isRemoved }) => [name.trim(), isRemoved ? null : value] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The value of a setting in a body; undefined if there is none. */
function sentValue(setting: Setting, value: SettingValue | undefined): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return namedSecretsOf(value);
  if (typeof value === 'string') {
    if (value.trim() === '') return undefined;
    return setting.type === undefined ? JSON.parse(value) : value.trim();
  }
  const texts = Object.entries(value ?? {}).filter(([, text]) => text.trim() !== '');
  return texts.length > 0 ? Object.fromEntries(texts.map(([key, text]) => [key, text.trim()])) : undefined;
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The settings that changed. `before`: null for all. */
function sentSettings(type: DestinationType, { settings }: DestinationForm, before: DestinationForm | null) {
  const found: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settingsSchemaOf(type).properties)) {
    const value = sentValue(setting, settings[name]);
    const previous = before && sentValue(setting, before.settings[name]);
    if (value !== undefined ? !before || !isEqual(value, previous) : (previous ?? undefined) !== undefined)
      found[name] = value ?? null;
  }
  return found;
}

/** The names that differ from those of the type. */
function sentNames({ events, category }: DestinationType, form: DestinationForm) {
  const names: Record<string, string | boolean | null> = {};
  for (const { kind, default_name: byDefault } of events) {
    const name = form.event_names[kind];
    if (typeof name === 'string' && name.trim() !== byDefault) names[kind] = name.trim() || null;
    if (name === false && category === 'chat') names[kind] = null;
  }
  return names;
}

/** The fields beside the settings. Adjust and HTTP have no names, and only HTTP has types. */
function sentFields(type: DestinationType, form: DestinationForm) {
  return {
    name: form.name.trim(),
    ...(Object.keys(form.event_names).length > 0 && { event_names: sentNames(type, form) }),
    ...(type.id === 'http' && { event_types: form.event_types ?? [] }),
    revenue: form.revenue,
    attributes: form.attributes,
    app_id: form.app_id || null,
    ...(form.start === 'date' && form.send_from !== null && { send_from: form.send_from }),
  };
}

/** The body that creates a destination, paused until it is tested. */
export const creation = (type: DestinationType, form: DestinationForm): NewDestination => ({
  type: type.id,
  ...sentFields(type, form),
  settings: sentSettings(type, form, null),
  enabled: false,
});

/** The fields that changed. A secret is part of them only if it was typed or removed. */
export function changes(
  type: DestinationType,
  form: DestinationForm,
  before: DestinationForm,
): DestinationChanges {
  const previous: Record<string, unknown> = sentFields(type, before);
  const fields = Object.entries(sentFields(type, form)).filter(
    ([name, value]) => !isEqual(value, previous[name]),
  );
  const settings = sentSettings(type, form, before);
  return {
    ...Object.fromEntries(fields),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** The path in the form that an error of the server is about. The server names headers, the form numbers them. */
export function pathOfError(form: DestinationForm, param: string | null): string | null {
  for (const [name, value] of Object.entries(form.settings)) {
    if (!Array.isArray(value) || !param?.startsWith(`settings.${name}.`)) continue;
    const index = value.findIndex((row) => param === `settings.${name}.${row.name.trim()}`);
    if (index >= 0) return `settings.${name}.${index}.value`;
  }
  return param;
}
