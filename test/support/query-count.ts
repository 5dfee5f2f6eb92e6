import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import pg from 'pg';
import type { Answer } from './api-client.js';
import { statementName } from './statement-names.js';
import type { TestServer } from './test-server.js';

type QueryMethod = (this: pg.Client, ...args: unknown[]) => unknown;

const requests = new AsyncLocalStorage<string[]>();
let installed = false;

/** Notes each statement that a request sends; those of the background have no request and are left out. */
function watchClients(): void {
  if (installed) return;
  installed = true;
  const prototype = pg.Client.prototype as unknown as { query: QueryMethod };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [command] = args as [string | pg.QueryConfig];
    requests.getStore()?.push(statementName(command));
    return original.apply(this, args);
  };
}

type StatementsOf = (call: () => Promise<Answer>) => Promise<string[]>;

const watched = new WeakMap<Server, StatementsOf>();

function watchRequests(server: Server): StatementsOf {
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  let current: string[] = [];
  server.emit = (event: string, ...args: unknown[]): boolean =>
    event === 'request' ? requests.run(current, () => emit(event, ...args)) : emit(event, ...args);
  return async (call) => {
    current = [];
    const answer = await call();
    if (answer.status >= 400) throw new Error(`${answer.status}: ${answer.text}`);
    return current;
  };
}

/**
 * Counts the SQL statements of requests to a server: `statementsOf(call)` gives the names or texts of what
 * one request sent, BEGIN and COMMIT too, and what it started without waiting for it.
 */
export function countQueries({ app }: TestServer): StatementsOf {
  watchClients();
  const server = app.getHttpServer();
  const statementsOf = watched.get(server) ?? watchRequests(server);
  watched.set(server, statementsOf);
  return statementsOf;
}
