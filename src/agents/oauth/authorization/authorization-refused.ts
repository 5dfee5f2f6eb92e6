/** Where a refused authorization request goes: to a page for the person, or back to the client. */
export type Refusal =
  | { status: 400 | 403 | 404 | 429; title: string; message: string }
  /** A redirect URI with `error`. */
  | { redirect: string };

export class AuthorizationRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super('message' in refusal ? refusal.message : 'redirected with an error');
  }
}

/** For a request that must not be answered to where it says: nothing proves whose address that is. */
export function refusedOnPage(message: string, title = 'This request cannot be used'): AuthorizationRefused {
  return new AuthorizationRefused({ status: 400, title, message });
}
