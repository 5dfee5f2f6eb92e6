import { isJsonObject } from '../../../libs/kernel/index.js';

/** Error fields of REST v2 that help clients. */
export interface ToolError {
  type: string;
  message: string;
  param?: string;
  retryable: boolean;
  backoff_ms?: number;
  request_id?: string;
}

/** An error response of REST with a reason. Thrown inside a tool. */
export class RestError extends Error {
  constructor(readonly error: ToolError) {
    super(error.message);
    this.name = 'RestError';
  }
}

export function parameterError(param: string, message: string): RestError {
  return new RestError({ type: 'parameter_error', message, param, retryable: false });
}

/** Whether the reason is meant for the caller; a 500 has none. */
function hasReason(status: number): boolean {
  return status < 500 || status === 502 || status === 503;
}

/** Converts an error response of REST. Returns null if it contains nothing that the caller may know. */
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
