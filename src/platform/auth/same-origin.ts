import type { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import type { ApiRequest } from '../http/pipeline/request.js';

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function refuse(): never {
  throw new ApiError('forbidden', 'The request comes from another site.', { accountType: 'csrf_failed' });
}

/**
 * Rejects cross-site writes that use a visitor's cookie. Browsers always send the origin (Fetch Metadata, else Origin,
 * else Referer); a client that sends none is not a browser.
 * @throws ApiError 403
 */
export function assertSameOrigin(request: ApiRequest, config: Config): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') refuse();
    return;
  }
  const source = request.headers.origin ?? request.headers.referer;
  if (source === undefined) return;
  const own = [config.publicUrl, `${request.protocol}://${request.headers.host ?? ''}`];
  const origin = originOf(source);
  if (origin === null || !own.includes(origin)) refuse();
}
