import createClient, { type Middleware } from 'openapi-fetch';
import { CallError, errorOf } from './call-error.js';
import { callLog, shownBody, shownPath } from './call-log.js';
import type { paths } from './schema.js';

const logged = new WeakMap<Request, number>();

const logging: Middleware = {
  async onRequest({ request, schemaPath }) {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? null : shownBody(await request.clone().text());
    const path = shownPath(schemaPath, pathname + search);
    logged.set(request, callLog.add({ method: request.method, template: schemaPath, path, body }));
  },
  onResponse({ request, response }) {
    callLog.finish(logged.get(request) ?? 0, response.status, response.headers.get('x-request-id'));
  },
  onError({ request }) {
    callLog.finish(logged.get(request) ?? 0, request.signal.aborted ? 'cancelled' : 0, null);
  },
};

/** Client of this server's API, which authenticates with the session cookie instead of a key. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin,
  // Repeats the parameter, as the API expects for lists.
  querySerializer: { array: { style: 'form', explode: true } },
});
api.use(logging);

/** The result of a request, before `call` turns it into data or an error. */
export interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Returns the data of a call.
 * @throws CallError if the status is not 2xx, or there was no response
 */
export async function call<Data>(outcome: Promise<Outcome<Data>>): Promise<Data> {
  const begunAtMs = Date.now();
  let done: Outcome<Data>;
  try {
    done = await outcome;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (error instanceof SyntaxError) throw new CallError('The server sent an answer that is not JSON.');
    throw new CallError('The server cannot be reached.', { retryable: true });
  }
  const { data, error, response } = done;
  if (!response.ok) throw errorOf(response, error, begunAtMs);
  return data as Data;
}
