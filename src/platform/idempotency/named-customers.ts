import { isJsonObject } from '../../../libs/kernel/index.js';
import type { ApiRequest } from '../http/pipeline/request.js';

/** UTF-16 units of the longest app user id (100 characters). */
const MAX_LENGTH = 200;
const idFields: ReadonlySet<string> = new Set(['customer_id', 'customer_ids', 'original_customer_id']);

function idsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  const isId = typeof value === 'string' && value.length <= MAX_LENGTH && !value.includes('\0');
  return isId ? [value] : [];
}

/** Ids of the customers that a request concerns: the one in its path or body, and any others it names. */
export function customersOfRequest({ params, body }: Pick<ApiRequest, 'params' | 'body'>): string[] {
  const fields = isJsonObject(body) ? body : {};
  const about = params.customer_id ?? fields.app_user_id ?? fields.customer_id;
  return [...idsOf(about), ...idsOf(fields.target_customer_id)];
}

export function customersOfAnswer(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(customersOfAnswer);
  if (!isJsonObject(answer)) return [];
  const own = answer.object === 'customer' ? idsOf(answer.id) : [];
  const others = Object.entries(answer).flatMap(([field, value]) =>
    idFields.has(field) ? idsOf(value) : customersOfAnswer(value),
  );
  return [...own, ...others];
}
