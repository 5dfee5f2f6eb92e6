/** Limit (ms) for a background statement that reads many rows. */
const LONG_MS = 10 * 60_000;

/**
 * An SQL statement with a unique name, under which the server caches its plan and errors report it. Its text has
 * `$n` parameters.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Limit (ms) for its response, if not `SERVICE_DATABASE_TIMEOUT_MS`. */
  readonly limitMs?: number;
}

const texts = new Map<string, string>();

/** @throws Error if the name already has another text: PostgreSQL would run the first one's plan */
export function statement(name: string, text: string, limitMs?: number): Statement {
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`Two statements are named ${name}`);
  texts.set(name, text);
  return { name, text, limitMs };
}

/** A background statement that reads many rows. */
export function longStatement(name: string, text: string): Statement {
  return statement(name, text, LONG_MS);
}

/** Every statement defined so far in this process. */
export function knownStatements(): Statement[] {
  return [...texts].map(([name, text]) => ({ name, text }));
}
