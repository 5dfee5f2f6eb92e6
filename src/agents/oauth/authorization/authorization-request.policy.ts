import {
  isOauthScope,
  OFFLINE_ACCESS,
  type OauthScope,
  oauthScopes,
} from '../../../platform/principal/oauth-scopes.js';
import type { OauthAudience } from '../../../platform/principal/principal.js';
import { redirectTo } from '../clients/redirect-uri.policy.js';
import type { OauthErrorCode } from '../oauth-error.js';
import { audienceOf } from '../oauth-issuer.service.js';
import { type AuthorizationRefused, refusedOnPage } from './authorization-refused.js';

/** A request whose client and redirect URI are verified to match. */
export interface AuthorizationRequest {
  clientId: string;
  clientName: string;
  redirectUri: string;
  state: string | null;
  scopes: OauthScope[];
  challenge: string;
  audience: OauthAudience;
}

/** The access that the query requests. */
export type RequestedAccess = Pick<AuthorizationRequest, 'scopes' | 'challenge' | 'audience'>;

const CHALLENGE = /^[\w-]{43}$/;

/** A parameter without a value counts as absent (RFC 6749, 3.1). @throws AuthorizationRefused for a repeated one */
export function parametersOf(url: string): Map<string, string> {
  const query = url.indexOf('?');
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query === -1 ? '' : url.slice(query + 1))) {
    if (found.has(name)) throw refusedOnPage(`The client sent ${name.slice(0, 50)} twice.`);
    found.set(name, value);
  }
  return new Map([...found].filter(([, value]) => value !== ''));
}

/** Redirects to the client. `iss` identifies this server (RFC 9207). */
export function answerTo(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: { code: string } | { error: OauthErrorCode; description: string },
): string {
  const parameters: Record<string, string> =
    'code' in answer ? { code: answer.code } : { error: answer.error, error_description: answer.description };
  return redirectTo(redirectUri, { ...parameters, state, iss: issuer });
}

/** @param refuse creates the error for the client @throws the result of `refuse` */
export function requestedAccess(
  parameters: ReadonlyMap<string, string>,
  issuer: string,
  refuse: (error: OauthErrorCode, description: string) => AuthorizationRefused,
): RequestedAccess {
  if (parameters.get('response_type') !== 'code') {
    throw refuse('unsupported_response_type', 'response_type must be code.');
  }
  const challenge = parameters.get('code_challenge') ?? '';
  // Without a method, the challenge would be the plain verifier.
  if (parameters.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    throw refuse('invalid_request', 'PKCE is required: a code_challenge with the method S256.');
  }
  const scopes = scopesOf(parameters.get('scope'));
  if (scopes === null)
    throw refuse('invalid_scope', `scope must name at least one of ${oauthScopes.join(', ')}.`);
  const audience = audienceOf(parameters.get('resource') ?? null, issuer);
  if (audience === null) throw refuse('invalid_target', 'resource must belong to this server.');
  return { scopes, challenge, audience };
}

/** Drops unknown names. Returns null if all are unknown. */
function scopesOf(text: string | undefined): OauthScope[] | null {
  if (text === undefined) return ['project:read'];
  const names = text.split(' ').filter((name) => name !== '');
  const known = names.filter(isOauthScope);
  if (known.length > 0) return [...new Set<OauthScope>(['project:read', ...known])];
  return names.length === 0 || names.includes(OFFLINE_ACCESS) ? ['project:read'] : null;
}
