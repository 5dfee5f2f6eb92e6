import { parse } from 'cookie';
import type { Response } from 'express';
import { SESSION_COOKIE, SESSION_LIFETIME_S } from '../../../platform/auth/credentials.js';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/request.js';

interface SetCookie {
  value: string;
  maxAgeS: number;
}

/** A proxy may hide that the client uses https; the configured URL shows it. */
function isHttps(request: ApiRequest, { publicUrl }: Config): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true;
}

function setCookie(
  request: ApiRequest,
  response: Response,
  config: Config,
  { value, maxAgeS }: SetCookie,
): void {
  const secure = isHttps(request, config) ? '; Secure' : '';
  response.setHeader(
    'Set-Cookie',
    `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`,
  );
}

export function setSessionCookie(
  request: ApiRequest,
  response: Response,
  token: string,
  config: Config,
): void {
  setCookie(request, response, config, { value: token, maxAgeS: SESSION_LIFETIME_S });
}

export function clearSessionCookie(request: ApiRequest, response: Response, config: Config): void {
  setCookie(request, response, config, { value: '', maxAgeS: 0 });
}

export function sessionToken(request: ApiRequest): string | null {
  return parse(request.headers.cookie ?? '')[SESSION_COOKIE] || null;
}
