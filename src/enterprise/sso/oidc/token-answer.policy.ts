import { isJsonObject, parseJson } from '../../../../libs/kernel/index.js';
import { SsoRefused } from '../shared/sso-reasons.js';

/** Placeholder for the access token of providers that send none. */
export const NO_ACCESS_TOKEN = 'none';

/**
 * Normalizes a successful token response for openid-client, because providers send null for members that they could
 * omit.
 * @throws SsoRefused if it has no ID token
 */
export function normalizedTokenAnswer(body: string): string {
  let answer: unknown;
  try {
    answer = parseJson(body);
  } catch {
    answer = null;
  }
  if (!isJsonObject(answer)) throw new SsoRefused('token_answer');
  const present = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
  if (typeof present.id_token !== 'string') throw new SsoRefused('token_answer');
  return JSON.stringify({ token_type: 'Bearer', access_token: NO_ACCESS_TOKEN, ...present });
}
