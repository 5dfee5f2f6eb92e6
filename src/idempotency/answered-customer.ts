import { isJsonObject } from '../../libs/kernel/index.js';
import type { ApiRequest } from '../http/request.js';

/** Of 100 characters at most; nobody goes by a longer id. */
const MAX_LENGTH = 200;

function idOf(value: unknown): string | null {
  const isId = typeof value === 'string' && value.length <= MAX_LENGTH && !value.includes('\0');
  return isId ? value : null;
}

/** An id of the customer whom a request is about, by its path or else its body; null when it names none. */
export function customerOfRequest({ params, body }: Pick<ApiRequest, 'params' | 'body'>): string | null {
  const named = isJsonObject(body) ? (body.app_user_id ?? body.customer_id) : null;
  return idOf(params.customer_id ?? named);
}

/** An id of the customer whom an answer shows; null when it shows none. */
export function customerOfAnswer(answer: unknown): string | null {
  if (!isJsonObject(answer)) return null;
  const shown = answer.object === 'customer' ? answer : answer.customer;
  return idOf(isJsonObject(shown) ? shown.id : answer.customer_id);
}
