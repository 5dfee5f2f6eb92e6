/** What the components show of an error; the API client's errors have this shape. */
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

/** Any thrown value as an error that can be shown. */
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
