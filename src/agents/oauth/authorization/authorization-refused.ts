/** Response to a rejected authorization request: a page for the person, or a redirect to the client. */
export type Refusal =
  | { status: 400 | 403 | 404 | 429; title: string; message: string }
  /** A redirect URI with `error`. */
  | { redirect: string };

export class AuthorizationRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super('message' in refusal ? refusal.message : 'redirected with an error');
  }
}

/** For requests that must not be redirected, because nothing proves who owns the redirect URI. */
export function refusedOnPage(message: string, title = 'This request cannot be used'): AuthorizationRefused {
  return new AuthorizationRefused({ status: 400, title, message });
}
