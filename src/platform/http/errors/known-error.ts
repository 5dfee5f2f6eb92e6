import { HttpException } from '@nestjs/common';
import { sqlState } from '../../database/database-errors.js';
import { ApiError } from './api-error.js';

/** Errors of the body parser (http-errors), distinguished by `type`. */
interface BodyParserError {
  type: string;
  limit?: number;
  message: string;
}

/** The `type` of our own check before parsing. */
export const TOO_COMPLEX = 'entity.too.complex';

function isBodyParserError(error: unknown): error is BodyParserError {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' && 'status' in error;
}

export function bodyErrorType(error: unknown): string | null {
  return isBodyParserError(error) ? error.type : null;
}

function fromBodyParser(error: BodyParserError): ApiError {
  if (error.type === 'entity.too.large') {
    return new ApiError('too_large', `The request body is larger than ${error.limit} bytes.`);
  }
  if (error.type === 'entity.parse.failed') {
    return new ApiError('invalid_request', 'The request body is not valid JSON.');
  }
  if (error.type === TOO_COMPLEX) return new ApiError('invalid_request', error.message);
  return new ApiError('invalid_request', `The request body cannot be read: ${error.message}`);
}

/** Returns the API error if it is final; null for server failures and for errors that a retry may fix. */
export function finalError(error: unknown): ApiError | null {
  const known = knownError(error);
  return known === null || known.retryable ? null : known;
}

/** Returns the API error for an error thrown below a route; null for a server failure. */
export function knownError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  // Nest wraps errors of the body parser.
  const cause = error instanceof HttpException ? error.cause : error;
  if (isBodyParserError(cause)) return fromBodyParser(cause);
  if (error instanceof URIError) {
    return new ApiError('invalid_request', 'The path is not valid percent-encoding.');
  }
  if (error instanceof HttpException && error.getStatus() < 500) {
    return new ApiError('invalid_request', error.message);
  }
  // NUL and lone surrogates are valid JSON but not valid PostgreSQL text.
  if (sqlState(error) === '22021' || sqlState(error) === '22P05') {
    return new ApiError('parameter', 'The request contains a character that cannot be stored (NUL).');
  }
  return null;
}
