/** Displayed properties of an error. Errors of the API client have them. */
export interface ShownError {
  status: number;
  type: string;
  message: string;
  param: string | null;
  docUrl: string | null;
  retryable: boolean;
  retryAfterS: number | null;
  requestId: string | null;
}

/** Converts any thrown value to a displayable error. */
export function toShownError(error: unknown): ShownError {
  const known = (error ?? {}) as Partial<ShownError>;
  return {
    status: known.status ?? 0,
    type: known.type ?? 'unknown',
    message: error instanceof Error ? error.message : (known.message ?? String(error)),
    param: known.param ?? null,
    docUrl: known.docUrl ?? null,
    retryable: known.retryable ?? false,
    retryAfterS: known.retryAfterS ?? null,
    requestId: known.requestId ?? null,
  };
}
