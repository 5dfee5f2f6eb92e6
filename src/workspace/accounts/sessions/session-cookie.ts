import { parse } from 'cookie';
import type { Response } from 'express';
import { SESSION_COOKIE, SESSION_LIFETIME_S } from '../../../platform/auth/credentials.js';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DEVICE_COOKIE, DEVICE_LIFETIME_S, deviceToken } from './device-cookie.js';

interface SetCookie {
  name: string;
  value: string;
  maxAgeS: number;
}

/** Behind a proxy the request itself may look like http, so the configured URL counts too. */
function isHttps(request: ApiRequest, { publicUrl }: Config): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true;
}

function setCookies(request: ApiRequest, response: Response, config: Config, cookies: SetCookie[]): void {
  const secure = isHttps(request, config) ? '; Secure' : '';
  response.setHeader(
    'Set-Cookie',
    cookies.map(
      ({ name, value, maxAgeS }) =>
        `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`,
    ),
  );
}

/** Also sets the device cookie, which identifies a browser where the user has signed in. */
export function setSessionCookie(
  request: ApiRequest,
  response: Response,
  token: string,
  config: Config,
): void {
  setCookies(request, response, config, [
    { name: SESSION_COOKIE, value: token, maxAgeS: SESSION_LIFETIME_S },
    { name: DEVICE_COOKIE, value: deviceToken(request), maxAgeS: DEVICE_LIFETIME_S },
  ]);
}

export function clearSessionCookie(request: ApiRequest, response: Response, config: Config): void {
  setCookies(request, response, config, [{ name: SESSION_COOKIE, value: '', maxAgeS: 0 }]);
}

export function sessionToken(request: ApiRequest): string | null {
  return parse(request.headers.cookie ?? '')[SESSION_COOKIE] || null;
}
