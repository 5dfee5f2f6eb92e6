import type { Config } from '../platform/config/config.js';
import { settings } from '../platform/config/config.schema.js';
import { isConnectionLoss } from '../platform/database/database-errors.js';
import { UnusableFolder } from '../platform/database/provide-database.js';
import { StartRefused } from './starting-worker.js';

type SystemError = NodeJS.ErrnoException & { port?: number; hostname?: string };

/** Explains why the port is unavailable and what to do; null for another failure. */
function listenFailure({ code, syscall, port, hostname }: SystemError, config: Config): string | null {
  const isOfListening =
    syscall === 'listen' || syscall === 'bind' || (syscall === 'getaddrinfo' && hostname === config.host);
  if (!isOfListening) return null;
  const at = port ?? config.port;
  const { variable } = at === config.metricsPort ? settings.metricsPort : settings.port;
  if (code === 'EADDRINUSE') {
    return `Port ${at} is in use by another program. Stop that one, or set ${variable} to a free port.`;
  }
  if (code === 'EACCES') return `Port ${at} is not for this user. Set ${variable} to 1024 or above.`;
  const host = settings.host.variable;
  return `${config.host} is not an address of this machine. Set ${host} to one, or to 0.0.0.0 for all of them.`;
}

/** Explains why the server cannot start and what to do; null for an unexpected error. */
export function startFailure(error: unknown, config: Config): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof UnusableFolder || error instanceof StartRefused) return error.message;
  const failure = listenFailure(error, config);
  if (failure !== null) return failure;
  if (config.databaseUrl === null || !isConnectionLoss(error)) return null;
  const { message, code } = error as SystemError;
  return `The database cannot be reached: ${message || code}. Check ${settings.databaseUrl.variable}.`;
}
