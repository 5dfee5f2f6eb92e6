/** One setting of the server. */
export interface Setting<T> {
  /** Environment variable. A secret can also come from the file named by `<variable>_FILE`. */
  readonly variable: string;
  readonly description: string;
  readonly secret?: boolean;
  /** How the default reads in the documentation, when it is not a plain value. */
  readonly defaultNote?: string;
  readonly default: T;
  /** Throws an Error whose message says what is expected. */
  readonly parse: (text: string) => T;
}

/** Keeps the type of the default. */
export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}
