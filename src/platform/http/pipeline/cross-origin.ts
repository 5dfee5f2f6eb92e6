import type { IncomingMessage, ServerResponse } from 'node:http';

/** Allows any origin to read SDK responses: the web SDK runs on its users' pages. */
export function setSdkHeaders(response: ServerResponse, receivedAtMs: number): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-RevenueCat-Request-Time, X-RevenueCat-ETag, X-Signature, X-Request-ID, Retry-After',
  );
  response.setHeader('X-RevenueCat-Request-Time', String(receivedAtMs));
}

/** The consent page: other sites must not even read it. */
const CONSENT = '/oauth/authorize';

/** Whether clients that run in a browser may call the path from any origin (the OAuth endpoints use no cookies). */
export function isForClients(path: string): boolean {
  return path !== CONSENT;
}

export function setClientHeaders(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, X-Request-Id');
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS');
  if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
  response.setHeader('Access-Control-Max-Age', '600');
  response.writeHead(204).end();
}
