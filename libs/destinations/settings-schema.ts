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
  default?: boolean;
}

/** The subset of JSON Schema 2020-12 that settings use, so that server and form check the same. */
export interface SettingsSchema {
  type: 'object';
  properties: Readonly<Record<string, SettingSchema>>;
  required?: readonly string[];
  additionalProperties: false;
}

/** `additionalProperties` with a schema: any further names, such as headers. */
export interface MapSchema extends Described, Omit<SettingsSchema, 'additionalProperties'> {
  additionalProperties: false | TextSchema;
}

/** The template of a body: any JSON. */
export interface AnySchema extends Described {
  type?: undefined;
  default?: unknown;
}

export type SettingSchema = TextSchema | SwitchSchema | MapSchema | AnySchema;
