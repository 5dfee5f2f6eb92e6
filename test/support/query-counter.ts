import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { statementName } from './statement-names.js';
import type { TestServer } from './test-server.js';

type Query = (this: unknown, command: unknown, ...rest: unknown[]) => unknown;

/** Where the statements of a request go, also of what follows from it later. */
const noted = new AsyncLocalStorage<string[]>();

/**
 * Names (or texts) of the statements that PostgreSQL gets because of the requests that `work` makes, in order.
 * What background work asks at the same time does not count, except for statements named in `also`.
 */
export async function statementsOf(
  server: TestServer,
  work: () => Promise<unknown>,
  also: string[] = [],
): Promise<string[]> {
  const seen: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (command, ...rest) {
    const statement = statementName(command as string | pg.QueryConfig);
    if (noted.getStore() === seen || also.includes(statement)) seen.push(statement);
    return original.call(this, command, ...rest);
  };
  const http = server.app.getHttpServer();
  const enter = (): void => noted.enterWith(seen);
  http.prependListener('request', enter);
  try {
    await work();
  } finally {
    http.removeListener('request', enter);
    prototype.query = original;
  }
  return seen;
}
