interface Described {
  title: string;
  description?: string;
}

export interface TextSchema extends Described {
  type: 'string';
  enum?: readonly string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  default?: string;
  /** A secret: sealed when stored, and never part of an answer. */
  writeOnly?: true;
}

export interface SwitchSchema extends Described {
  type: 'boolean';
  default: boolean;
}

/** The subset of JSON Schema 2020-12 that settings use, so that server and form check the same. */
export interface SettingsSchema {
  type: 'object';
  properties: Readonly<Record<string, SettingSchema>>;
  required?: readonly string[];
  additionalProperties: false;
}

export interface MapSchema extends Described {
  type: 'object';
  properties: Readonly<Record<string, SettingSchema>>;
  /** Applies to names without a schema of their own, such as those of headers. */
  additionalProperties: false | TextSchema;
  default?: Readonly<Record<string, never>>;
}

/** Any JSON value, such as a template. */
export interface AnySchema extends Described {
  type?: undefined;
  default?: unknown;
}

export type SettingSchema = TextSchema | SwitchSchema | MapSchema | AnySchema;

export function text(title: string, rest: Partial<TextSchema> = {}): TextSchema {
  return { type: 'string', title, ...rest };
}

/** `pattern`: by default, 8 or more printable characters without a space. */
export function secret(title: string, pattern = '^[!-~]{8,}$', description?: string): TextSchema {
  return { type: 'string', title, pattern, writeOnly: true, ...(description && { description }) };
}

export function toggle(title: string, byDefault: boolean): SwitchSchema {
  return { type: 'boolean', title, default: byDefault };
}

export function choice(title: string, values: readonly [string, ...string[]]): TextSchema {
  return { type: 'string', title, enum: values, default: values[0] };
}

export function settings(
  properties: Record<string, SettingSchema>,
  required: readonly string[] = [],
): SettingsSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
