import { QueryFailedError } from 'typeorm';

interface PostgresError {
  code?: string;
  constraint?: string;
  message?: string;
  /** Where PostgreSQL, or a worker of Citus, was when it failed. */
  where?: string;
}

function cause(error: unknown): PostgresError {
  const found: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof found === 'object' && found !== null ? found : {};
}

export function sqlState(error: unknown): string | undefined {
  const { code } = cause(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** A worker of Citus names the constraint in the message only, and the number of the shard after it. */
const OF_SHARD = /constraint "(.+)_\d{6,}"/;

/** Name of the violated unique constraint, or null. */
export function violatedUnique(error: unknown): string | null {
  if (sqlState(error) !== '23505') return null;
  const { constraint, message = '' } = cause(error);
  return constraint ?? OF_SHARD.exec(message)?.[1] ?? '';
}

const CONNECTION_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);
const CONNECTION_MESSAGES = /connection terminated|client has encountered a connection error|not queryable/i;

/** Shutting down, crashed, starting up, no free connection, terminated while idle in a transaction. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '25P03']);

/** The server is no longer the primary and rejects writes. */
export function isDemoted(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Citus reports these if the outcome of a commit is unknown, a shard moves, or a connection of a transaction is lost. */
const SHARD_LOST =
  /^(could not (commit transaction|find valid entry) for shard|failure on connection marked as essential)/;

/** Context of an error that a worker reported and the coordinator passed on. */
const ON_WORKER = /^while executing command on /m;

/** A worker of Citus is not reachable: only the projects on it are unavailable. */
export function isWorkerLost(error: unknown): boolean {
  const { message = '', where = '' } = cause(error);
  const state = sqlState(error) ?? '';
  if (UNAVAILABLE.has(state)) return ON_WORKER.test(where);
  return state === '08006' ? message.includes('remote node') : state === 'XX000' && SHARD_LOST.test(message);
}

export function isConnectionLoss(error: unknown): boolean {
  if (isWorkerLost(error)) return true;
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || UNAVAILABLE.has(state) || isDemoted(error);
  const { code, message } = cause(error);
  return CONNECTION_CODES.has(code ?? '') || CONNECTION_MESSAGES.test(message ?? '');
}

/** Canceled, lock timeout, transaction timeout; out of disk space, memory or locks. */
const GIVEN_UP = new Set(['57014', '55P03', '25P04', '53000', '53100', '53200']);

/** The server hit one of its own timeouts or ran out of a resource. Not retried immediately; may succeed later. */
export function isGivenUp(error: unknown): boolean {
  return GIVEN_UP.has(sqlState(error) ?? '');
}

/** No connection became free in time, or too many callers are already waiting for one. */
export class NoFreeConnection extends Error {}

export function isPoolExhausted(error: unknown): boolean {
  return (
    error instanceof NoFreeConnection || cause(error).message === 'timeout exceeded when trying to connect'
  );
}

/** Statement name unknown, or already in use. */
const LOST_NAMES = new Set(['26000', '42P05']);

/** A pooler ran a named statement on a backend that lacks the name or has it from another client. */
export function hasLostName(error: unknown): boolean {
  return LOST_NAMES.has(sqlState(error) ?? '');
}

/** Another transaction changed a row between this transaction's read and lock. */
export class ConcurrentChange extends Error {}

export function isRetryable(error: unknown): boolean {
  if (error instanceof ConcurrentChange) return true;
  const state = sqlState(error);
  return state === '40001' || state === '40P01' || hasLostName(error) || isConnectionLoss(error);
}
