export interface PlayCall {
  method: string;
  /** Path below the application. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown> | null;
}

export interface PlayAnswer {
  status: number;
  body?: object | string;
  headers?: Record<string, string>;
  /** Closes the connection instead, or never answers. */
  instead?: 'reset' | 'hang';
}

/** An error as Google writes it. */
export function googleError(status: number, reason: string, message = `This is ${reason}.`): PlayAnswer {
  const errors = [{ message, domain: 'androidpublisher', reason }];
  return { status, body: { error: { code: status, message, errors } } };
}
