import pg from 'pg';

/** What background work runs on a clock of its own. */
const BACKGROUND = /^(webhook_deliveries|rate_limits)\.|^(UN)?LISTEN/;

type Query = (this: unknown, command: unknown, ...rest: unknown[]) => unknown;

/**
 * Names (or texts) of the statements that PostgreSQL gets from this process while `work` runs, in order,
 * without those of background work.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (command, ...rest) {
    const { name, text } = (typeof command === 'string' ? { text: command } : command) as {
      name?: string;
      text?: string;
    };
    seen.push(name ?? text ?? '?');
    return original.call(this, command, ...rest);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return seen.filter((statement) => !BACKGROUND.test(statement));
}
