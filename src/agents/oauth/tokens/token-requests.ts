import { createHash, timingSafeEqual } from 'node:crypto';
import { isOauthScope, OFFLINE_ACCESS, type OauthScope } from '../../../platform/principal/oauth-scopes.js';
import { oauthError } from '../oauth-error.js';
import type { OauthForm } from '../oauth-form.js';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface OfClient {
  clientId: string;
  resource: string | null;
}

export interface CodeExchange extends OfClient {
  code: string;
  verifier: string;
  redirectUri: string | null;
}

export interface TokenRefresh extends OfClient {
  refreshToken: string;
  /** Null requests all scopes of the grant. */
  scopes: OauthScope[] | null;
}

/** @throws ApiError 400 */
export function codeExchangeOf(form: OauthForm): CodeExchange {
  return {
    clientId: form.required('client_id'),
    code: form.required('code'),
    verifier: form.required('code_verifier'),
    redirectUri: form.optional('redirect_uri'),
    resource: form.optional('resource'),
  };
}

/** @throws ApiError 400 */
export function tokenRefreshOf(form: OauthForm): TokenRefresh {
  return {
    clientId: form.required('client_id'),
    refreshToken: form.required('refresh_token'),
    scopes: scopesOf(form.optional('scope')),
    resource: form.optional('resource'),
  };
}

/** @throws ApiError 400 for an unknown scope */
function scopesOf(text: string | null): OauthScope[] | null {
  if (text === null) return null;
  const names = text.split(' ').filter((name) => name !== '' && name !== OFFLINE_ACCESS);
  const known = names.filter(isOauthScope);
  if (known.length < names.length) throw oauthError('invalid_scope', 'scope holds an unknown name.');
  return known.length === 0 ? null : known;
}

/** Verifies PKCE with S256 (RFC 7636, 4.6). */
export function verifierFits(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const asked = Buffer.from(challenge, 'base64url');
  return made.length === asked.length && timingSafeEqual(made, asked);
}
