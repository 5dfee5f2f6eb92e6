import { parse } from 'cookie';
import type { Response } from 'express';
import { SESSION_COOKIE, SESSION_LIFETIME_S } from '../../auth/credentials.js';
import type { ApiRequest } from '../../http/request.js';

function setCookie(request: ApiRequest, response: Response, value: string, maxAgeS: number): void {
  const secure = request.secure ? '; Secure' : '';
  response.setHeader(
    'Set-Cookie',
    `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`,
  );
}

/** Gives the browser the token of a new session. */
export function setSessionCookie(request: ApiRequest, response: Response, token: string): void {
  setCookie(request, response, token, SESSION_LIFETIME_S);
}

export function clearSessionCookie(request: ApiRequest, response: Response): void {
  setCookie(request, response, '', 0);
}

/** The token the browser sent, live or not. */
export function sessionToken(request: ApiRequest): string | null {
  return parse(request.headers.cookie ?? '')[SESSION_COOKIE] || null;
}
