/** Time limit (ms) for a background statement that reads many rows. */
const LONG_MS = 10 * 60_000;

/** The server caches the plan under the unique name, and errors contain it. The text has `$n` parameters. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Time limit (ms), if it differs from `SERVICE_DATABASE_TIMEOUT_MS`. */
  readonly limitMs?: number;
  /** Planned for its values each time and not cached: for reports whose text depends on the query. */
  readonly unnamed?: true;
}

const texts = new Map<string, string>();

/** @throws Error if the name already has another text: PostgreSQL would run the first one's plan */
export function statement(name: string, text: string, limitMs?: number): Statement {
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`Two statements are named ${name}`);
  texts.set(name, text);
  return { name, text, limitMs };
}

export function longStatement(name: string, text: string): Statement {
  return statement(name, text, LONG_MS);
}

export function knownStatements(): Statement[] {
  return [...texts].map(([name, text]) => ({ name, text }));
}
