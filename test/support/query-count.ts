import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Answer } from './api-client.js';
import { heardChanges } from './heard-changes.js';
import { statementName } from './statement-names.js';
import type { TestServer } from './test-server.js';

type Query = (this: unknown, command: unknown, ...rest: unknown[]) => unknown;

/** The statements of the current request, including the work that it starts without waiting. */
const recorded = new AsyncLocalStorage<string[]>();

/**
 * Returns the names (or texts) of the statements that PostgreSQL receives because of the requests that `work` sends, in
 * order, BEGIN and COMMIT included. Statements of background work count only if they are named in `also`.
 */
export async function statementsOf(
  server: TestServer,
  work: () => Promise<unknown>,
  also: string[] = [],
): Promise<string[]> {
  // The news of an earlier write would otherwise empty a cache while the work runs.
  await heardChanges(server);
  const statements: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (command, ...rest) {
    const statement = statementName(command as string | pg.QueryConfig);
    if (recorded.getStore() === statements || also.includes(statement)) statements.push(statement);
    return original.call(this, command, ...rest);
  };
  const http = server.app.getHttpServer();
  const enter = (): void => recorded.enterWith(statements);
  http.prependListener('request', enter);
  try {
    await work();
  } finally {
    http.removeListener('request', enter);
    prototype.query = original;
  }
  return statements;
}

/** Returns a function that counts the statements of one request to the server and fails if the request is refused. */
export function countQueries(server: TestServer): (call: () => Promise<Answer>) => Promise<string[]> {
  return (call) =>
    statementsOf(server, async () => {
      const answer = await call();
      if (answer.status >= 400) throw new Error(`${answer.status}: ${answer.text}`);
    });
}
