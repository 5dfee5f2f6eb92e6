import { ApiError } from '../../platform/http/errors/api-error.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';
import { type SignInMethod, signInMethods } from '../customer-sessions/sign-in-methods.js';

export interface LoginBody {
  method: SignInMethod;
  /** Null for an anonymous login. */
  idToken: string | null;
  linkToId: string | null;
}

function optionalText(body: Record<string, unknown>, name: string): string | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw ApiError.parameter(name, `\`${name}\` must be a string.`);
}

function requiredText(body: Record<string, unknown>, name: string): string {
  const text = optionalText(body, name);
  if (text === null || text === '') throw ApiError.parameter(name, `\`${name}\` is missing.`);
  return text;
}

function isSignInMethod(value: unknown): value is SignInMethod {
  return (signInMethods as readonly unknown[]).includes(value);
}

/** @throws ApiError 400 */
export function readLogin(received: unknown): LoginBody {
  const body = jsonBody(received);
  const { method } = body;
  if (!isSignInMethod(method)) {
    throw ApiError.parameter('method', `\`method\` must be one of ${signInMethods.join(', ')}.`);
  }
  const idToken = method === 'anonymous' ? null : requiredText(body, 'id_token');
  return { method, idToken, linkToId: optionalText(body, 'link_to_id') };
}

/** Returns the refresh token. @throws ApiError 400 */
export function readRefresh(received: unknown): string {
  const body = jsonBody(received);
  if (body.grant_type !== 'refresh_token') {
    throw ApiError.parameter('grant_type', '`grant_type` must be refresh_token.');
  }
  return requiredText(body, 'refresh_token');
}

/** Returns the token. @throws ApiError 400 */
export function readRevocation(received: unknown): string {
  return requiredText(jsonBody(received), 'token');
}
