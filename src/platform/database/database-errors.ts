import { QueryFailedError } from 'typeorm';

interface PostgresError {
  code?: string;
  constraint?: string;
  message?: string;
}

function cause(error: unknown): PostgresError {
  const found: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof found === 'object' && found !== null ? found : {};
}

/** SQLSTATE of a failed statement, or undefined when the error is none. */
export function sqlState(error: unknown): string | undefined {
  const { code } = cause(error);
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Name of the unique constraint that a write violated, or null. */
export function violatedUnique(error: unknown): string | null {
  return sqlState(error) === '23505' ? (cause(error).constraint ?? '') : null;
}

const CONNECTION_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);
const CONNECTION_MESSAGES = /connection terminated|client has encountered a connection error|not queryable/i;

/** Shutting down, crashed, starting up, no connection left, ended while its transaction was idle. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '25P03']);

/** The server at the other end of this connection does not lead any more: it takes no writes. */
export function isDemoted(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** The server went away: starting up, shutting down, failing over, or the socket broke. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || UNAVAILABLE.has(state) || isDemoted(error);
  const { code, message } = cause(error);
  return CONNECTION_CODES.has(code ?? '') || CONNECTION_MESSAGES.test(message ?? '');
}

/**
 * Cancelled, a lock not had in time, a transaction that took too long; no room on the disk, in memory or for locks.
 */
const GIVEN_UP = new Set(['57014', '55P03', '25P04', '53000', '53100', '53200']);

/**
 * The server gave a statement up that took longer than it may by a timeout of the server's own, or that it has no room
 * for. Not tried again at once: it may succeed later.
 */
export function isGivenUp(error: unknown): boolean {
  return GIVEN_UP.has(sqlState(error) ?? '');
}

/** No connection of this process became free in time, or too many callers wait for one already. */
export class NoFreeConnection extends Error {}

/** All connections of this process were taken for as long as anybody waits for one. */
export function isPoolExhausted(error: unknown): boolean {
  return (
    error instanceof NoFreeConnection || cause(error).message === 'timeout exceeded when trying to connect'
  );
}

/** Not there, or there already. */
const LOST_NAMES = new Set(['26000', '42P05']);

/** A pooler ran a named statement on a backend that does not know the name, or knows it from another client. */
export function hasLostName(error: unknown): boolean {
  return LOST_NAMES.has(sqlState(error) ?? '');
}

/** What a transaction had found was changed by another one before it could be locked. */
export class ConcurrentChange extends Error {}

/** The same transaction may succeed when it is run again from its start. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ConcurrentChange) return true;
  const state = sqlState(error);
  return state === '40001' || state === '40P01' || hasLostName(error) || isConnectionLoss(error);
}
