import type { IncomingMessage, ServerResponse } from 'node:http';

/** Lets any origin read SDK answers: the web SDK runs on its users' pages. */
export function setSdkHeaders(response: ServerResponse, receivedAtMs: number): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-RevenueCat-Request-Time, X-RevenueCat-ETag, X-Signature, X-Request-ID, Retry-After',
  );
  response.setHeader('X-RevenueCat-Request-Time', String(receivedAtMs));
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS');
  if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
  response.setHeader('Access-Control-Max-Age', '600');
  response.writeHead(204).end();
}
