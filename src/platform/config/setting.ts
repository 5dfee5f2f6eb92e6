export interface Setting<T> {
  /** Environment variable. A secret can also come from the file named by `<variable>_FILE`. */
  readonly variable: string;
  readonly description: string;
  readonly secret?: boolean;
  /** How the documentation shows a default that is not a plain value. */
  readonly defaultNote?: string;
  readonly default: T;
  /** @throws Error whose message says what is expected */
  readonly parse: (text: string) => T;
}

export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}
