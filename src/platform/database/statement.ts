/** Time limit (ms) for a background statement that reads many rows. */
export const LONG_MS = 10 * 60_000;

/** The server caches the plan under the unique name, and errors contain it. The text has `$n` parameters. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Time limit (ms), if it differs from `SERVICE_DATABASE_TIMEOUT_MS`. */
  readonly limitMs?: number;
  /** Planned for its values each time and not cached: for reports whose text depends on the query. */
  readonly unnamed?: true;
  /** Reads all projects. While a worker of Citus is down, it reads those of the other workers. */
  readonly acrossProjects?: true;
}

const known = new Map<string, Statement>();

/** @throws Error if the name already has another text: PostgreSQL would run the first one's plan */
export function statement(name: string, text: string, limitMs?: number): Statement {
  return register({ name, text, limitMs });
}

export function longStatement(name: string, text: string): Statement {
  return statement(name, text, LONG_MS);
}

/** For polls and figures of the whole server. @throws as `statement` does */
export function acrossProjects(name: string, text: string, limitMs?: number): Statement {
  return register({ name, text, limitMs, acrossProjects: true });
}

function register(made: Statement): Statement {
  const { name, text } = made;
  if ((known.get(name)?.text ?? text) !== text) throw new Error(`Two statements are named ${name}`);
  known.set(name, made);
  return made;
}

export function knownStatements(): Statement[] {
  return [...known.values()];
}
