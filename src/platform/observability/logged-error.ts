import { types } from 'node:util';

/** SQLSTATE classes for data errors: their messages quote values. */
const QUOTES_DATA = /^2[23]/;
const MAX_CAUSE_LENGTH = 200;
const MAX_CAUSES = 3;
/** Error properties that contain no value of a row or a request. */
const SHOWN = ['code', 'syscall', 'address', 'port', 'table', 'column', 'constraint', 'kind'] as const;

type Details = Partial<Record<(typeof SHOWN)[number], unknown>>;

export interface LoggedError extends Details {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
}

/** Class name, because all PostgreSQL errors have the name "error". */
const typeOf = (error: Error): string => error.constructor.name;

/** Also accepts errors of another realm, as in tests. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || types.isNativeError(value);

/** The wrapped error; for a connection attempt at several addresses, the first failure. */
function innerOf(error: Error): Error | null {
  const { errors, cause = (errors as unknown[] | undefined)?.[0] } = error as {
    errors?: unknown;
    cause?: unknown;
  };
  return isError(cause) ? cause : null;
}

/** Removes everything from the first quote to the last, because quoted text may contain quotes. */
const withoutQuotes = (text: string): string => text.replace(/".*"/s, '"…"');

/** Our own errors, parsers and PostgreSQL's data errors quote client input, including app user ids. */
function quotesData(error: Error): boolean {
  const { code } = error as Details;
  return (
    typeOf(error) === 'ApiError' ||
    error.name === 'SyntaxError' ||
    (typeof code === 'string' && code.length === 5 && QUOTES_DATA.test(code))
  );
}

/**
 * Omits everything else, such as PostgreSQL's `detail` (row values), TypeORM's `parameters` and store clients'
 * requests.
 */
export function loggedError(error: Error, depth = 1): LoggedError {
  const message = quotesData(error) ? withoutQuotes(error.message) : error.message;
  const logged: LoggedError = { type: typeOf(error), message };
  if (error.stack !== undefined) logged.stack = error.stack.replace(error.message, () => message);
  const details = error as Details;
  for (const name of SHOWN) {
    const value = details[name];
    if (typeof value === 'string' || typeof value === 'number') logged[name] = value;
  }
  const cause = innerOf(error);
  if (cause && depth < MAX_CAUSES) logged.cause = loggedError(cause, depth + 1);
  return logged;
}

/** The same for all errors with one cause: contains no file, row, id or number. */
export function causeOf(thrown: Error): string {
  // TypeORM wraps the driver's error.
  const { driverError } = thrown as { driverError?: unknown };
  const error = isError(driverError) ? driverError : thrown;
  const { code } = error as { code?: string | number };
  const message = withoutQuotes(error.message).replace(/\d+/g, '…');
  const parts = [typeOf(error), ...(code === undefined ? [] : [String(code)]), message];
  return parts.join(' ').slice(0, MAX_CAUSE_LENGTH);
}
