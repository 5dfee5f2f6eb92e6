export interface Setting<T> {
  /** Environment variable. A secret can also be read from the file named by `<variable>_FILE`. */
  readonly variable: string;
  readonly description: string;
  readonly secret?: boolean;
  /** Documentation of a default that is not a plain value. */
  readonly defaultNote?: string;
  readonly default: T;
  /** @throws Error whose message states the expected value */
  readonly parse: (text: string) => T;
}

export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}
