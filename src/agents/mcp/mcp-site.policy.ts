import type { Config } from '../../platform/config/config.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

type Addresses = Pick<Config, 'baseUrl' | 'mcpOrigins'>;

/**
 * Whether the request was sent to this server's own host name. With DNS rebinding, another site's page could make a
 * browser call an address in its network under that site's name.
 */
export function isOwnHost(host: string | undefined, { baseUrl }: Addresses): boolean {
  const url = urlOf(`http://${host ?? ''}`);
  if (!url || url.username !== '' || url.pathname !== '/') return false;
  return LOOPBACK.has(url.hostname) || url.hostname === new URL(baseUrl).hostname;
}

/** Whether a page may call the endpoint. Programs other than browsers send no `Origin`. */
export function isAllowedOrigin(origin: string, { baseUrl, mcpOrigins }: Addresses): boolean {
  const url = urlOf(origin);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return (
    LOOPBACK.has(url.hostname) || url.origin === new URL(baseUrl).origin || mcpOrigins.includes(url.origin)
  );
}

/** Allows a page of an allowed site to read the response. */
export function corsHeaders(request: ApiRequest, isPreflight: boolean): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  const asked = request.headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'WWW-Authenticate, X-Request-Id, Retry-After',
    Vary: 'Origin',
    ...(isPreflight && {
      'Access-Control-Allow-Methods': 'POST',
      ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
      'Access-Control-Max-Age': '600',
    }),
  };
}
