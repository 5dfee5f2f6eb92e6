import { isJsonObject } from '../../../libs/kernel/index.js';

/** What clients are told of an error: the fields of REST v2 that help them. */
export interface ToolError {
  type: string;
  message: string;
  param?: string;
  retryable: boolean;
  backoff_ms?: number;
  request_id?: string;
}

/** An answer of REST that is an error with a reason; thrown inside a tool. */
export class RestError extends Error {
  constructor(readonly error: ToolError) {
    super(error.message);
    this.name = 'RestError';
  }
}

export function parameterError(param: string, message: string): RestError {
  return new RestError({ type: 'parameter_error', message, param, retryable: false });
}

/** Reasons that REST gives with these are for the caller; a 500 has none. */
function hasReason(status: number): boolean {
  return status < 500 || status === 502 || status === 503;
}

/** The error of an answer of REST; null if the answer tells nothing that the caller may know. */
export function restError(status: number, body: unknown): RestError | null {
  if (!hasReason(status) || !isJsonObject(body)) return null;
  const { type, message, param, retryable, backoff_ms } = body;
  if (typeof type !== 'string' || typeof message !== 'string') return null;
  return new RestError({
    type,
    message,
    ...(typeof param === 'string' && { param }),
    retryable: retryable === true,
    ...(typeof backoff_ms === 'number' && { backoff_ms }),
  });
}
