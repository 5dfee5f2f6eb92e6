interface Described {
  title?: string;
  description?: string;
}

export interface TextSetting extends Described {
  type: 'string';
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  default?: string;
  writeOnly?: boolean;
}

interface SwitchSetting extends Described {
  type: 'boolean';
  default?: boolean;
}

export interface MapSetting extends Described {
  type: 'object';
  properties?: Record<string, TextSetting>;
  /** A schema: names are entered, too, as those of headers. */
  additionalProperties: false | TextSetting;
}

/** Any JSON value. */
interface JsonSetting extends Described {
  type?: undefined;
  default?: unknown;
}

export type Setting = TextSetting | SwitchSetting | MapSetting | JsonSetting;

export interface SettingsSchema {
  properties: Record<string, Setting>;
  required: string[];
}

/** The part of JSON Schema that settings of destinations use. */
export function settingsSchemaOf({ settings_schema: schema }: { settings_schema: object }): SettingsSchema {
  const { properties = {}, required = [] } = schema as Partial<SettingsSchema>;
  return { properties, required };
}

export const isSecret = (setting: Setting): boolean =>
  setting.type === 'string' && setting.writeOnly === true;

/** A setting whose names are entered, too, and whose values are secrets. */
export const isNamedSecrets = (setting: Setting): boolean =>
  setting.type === 'object' && setting.additionalProperties !== false;

/** Settings that say where secrets are sent; the server wants every secret again when one changes. */
const addresses = ['host', 'region', 'instance', 'url', 'dataset_id', 'sandbox_dataset_id'];

const addressOf = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : (value ?? '');

/** Whether the address to which secrets are sent is another one than before. */
export const isMoved = (before: Record<string, unknown>, now: Record<string, unknown>): boolean =>
  addresses.some((name) => name in before && addressOf(before[name]) !== addressOf(now[name]));
