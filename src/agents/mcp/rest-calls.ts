import { isJsonObject } from '../../../libs/kernel/index.js';
import type { InnerAnswer, InnerRequest } from '../../platform/http/pipeline/in-process-requests.service.js';
import { restError } from './rest-error.js';
import type { RestOperation, ToolArguments } from './tool.js';

type Json = Record<string, unknown>;

function setField(body: Json, keys: string[], value: unknown): void {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) body[key] = value;
  else setField((body[key] ??= {}) as Json, rest, value);
}

/** Values in paths and queries are scalars, according to the tools' schemas. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Builds the request that calls an operation in a project. Omits undefined values. */
export function restRequest(
  operation: RestOperation,
  projectId: string,
  values: ToolArguments,
): InnerRequest {
  const { id, method } = operation;
  let path = operation.path.replace('{project_id}', encodeURIComponent(projectId));
  const query = new URLSearchParams();
  const body: Json = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const place = operation.placeOf(name);
    if (!place) throw new Error(`${id} takes no ${name}.`);
    if (place.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(textOf(value)));
    else if (place.in === 'body') setField(body, place.keys, value);
    else for (const item of [value].flat()) query.append(name, textOf(item));
  }
  const url = query.size > 0 ? `${path}?${query.toString()}` : path;
  return { method, url, ...((method === 'POST' || method === 'PATCH') && { body }) };
}

/** Returns the object in a REST response. @throws RestError */
export function restAnswer(operation: RestOperation, { status, body }: InnerAnswer): Json {
  if (status < 400 && isJsonObject(body)) return body;
  throw restError(status, body) ?? new Error(`${operation.id} answered ${status}`);
}
