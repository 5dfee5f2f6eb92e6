import { parse } from 'cookie';
import type { Response } from 'express';
import { newToken } from '../../../../libs/kernel/index.js';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';

const COOKIE = 'rd_sso';
const MAX_AGE_S = 600;
const SECRET = /^[\w-]{43}$/;

/** Returns the secret of the browser that started a sign-in, or null. */
export function browserSecret(request: ApiRequest): string | null {
  const value = parse(request.headers.cookie ?? '')[COOKIE] ?? '';
  return SECRET.test(value) ? value : null;
}

/**
 * Sets the secret, or keeps the existing one so that two tabs can sign in at once. SAML responses are posted
 * cross-site, and browsers do not send `SameSite=Lax` cookies with these; `None` requires https.
 */
export function giveBrowserSecret(request: ApiRequest, response: Response, { publicUrl }: Config): string {
  const secret = browserSecret(request) ?? newToken();
  const isHttps = request.secure || publicUrl?.startsWith('https:') === true;
  const sameSite = isHttps ? '; SameSite=None; Secure' : '';
  response.append('Set-Cookie', `${COOKIE}=${secret}; HttpOnly; Path=/sso; Max-Age=${MAX_AGE_S}${sameSite}`);
  return secret;
}
