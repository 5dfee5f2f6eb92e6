import type { JsonObject } from '../kernel/index.js';

/** A paywall as phones and browsers read it. Valid only if the schema accepts it. */
export interface PaywallDocument extends JsonObject {
  default_locale: string;
  components_config: JsonObject;
  components_localizations: { [locale: string]: JsonObject };
}

export type ProblemCode =
  | `E${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14}`
  | `W${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`;

/** A reason why a document cannot be published (`error`), or should be looked at (`warning`). */
export interface PaywallProblem {
  severity: 'error' | 'warning';
  code: ProblemCode;
  /** JSON pointer into the document, `""` for the whole. */
  path: string;
  message: string;
}

export type ColorScheme = JsonObject;

export interface PaywallFont {
  /** Address of the file. */
  url: string;
  /** PostScript name, by which phones find the font. */
  postScriptName: string;
  /** MD5 of the file, in hexadecimal digits. */
  md5: string;
  family: string;
  weight: number;
  style: string;
}

export interface CustomVariable extends JsonObject {
  type: string;
  default_value: string | number | boolean;
}

/** Colors, fonts and variables that all paywalls of a project share. */
export interface PaywallSettings {
  colors: Record<string, ColorScheme>;
  fonts: Record<string, PaywallFont>;
  customVariables: Record<string, CustomVariable>;
}

export function problem(code: ProblemCode, path: string, message: string): PaywallProblem {
  return { severity: code.startsWith('E') ? 'error' : 'warning', code, path, message };
}
