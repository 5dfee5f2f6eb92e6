import { isJsonObject } from '../../../../libs/kernel/index.js';
import type { ApiRequest } from '../../http/pipeline/request.js';

/** App user ids in the path and body of a request that differ from `own`. */
export function otherCustomersNamed(
  { params, body }: Pick<ApiRequest, 'params' | 'body'>,
  own: string,
): string[] {
  const inBody: unknown = isJsonObject(body) ? body.app_user_id : undefined;
  return [params.app_user_id, inBody].filter((id): id is string => typeof id === 'string' && id !== own);
}
