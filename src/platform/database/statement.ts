/** How long (ms) a statement of background work may take that goes through many rows. */
const LONG_MS = 10 * 60_000;

/**
 * One SQL statement of the product: a unique name (the server keeps its plan under it, and it shows
 * in error messages) and its text with `$n` parameters.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Most time (ms) for its answer, where that is not `SERVICE_DATABASE_TIMEOUT_MS`. */
  readonly limitMs?: number;
}

const texts = new Map<string, string>();

/** @throws Error when the name already means another text: PostgreSQL would run the plan of the first one */
export function statement(name: string, text: string, limitMs?: number): Statement {
  const known = texts.get(name);
  if (known !== undefined && known !== text) throw new Error(`There are two statements named ${name}`);
  texts.set(name, text);
  return { name, text, limitMs };
}

/** A statement of background work that goes through many rows. */
export function longStatement(name: string, text: string): Statement {
  return statement(name, text, LONG_MS);
}

/** Every statement made so far in this process. */
export function knownStatements(): Statement[] {
  return [...texts].map(([name, text]) => ({ name, text }));
}
