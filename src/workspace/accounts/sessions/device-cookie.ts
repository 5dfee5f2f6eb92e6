import { parse } from 'cookie';
import { newToken } from '../../../../libs/kernel/index.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';

export const DEVICE_COOKIE = 'rd_device';
/** Browsers limit the lifetime of a cookie to 400 days. */
export const DEVICE_LIFETIME_S = 400 * 86_400;

const TOKEN = /^[\w-]{43}$/;

const created = new WeakMap<ApiRequest, string>();

/** Returns the token of the request's device cookie; if it has none, a new one, the same for the whole request. */
export function deviceToken(request: ApiRequest): string {
  const sent = parse(request.headers.cookie ?? '')[DEVICE_COOKIE];
  if (sent !== undefined && TOKEN.test(sent)) return sent;
  const token = created.get(request) ?? newToken();
  created.set(request, token);
  return token;
}
