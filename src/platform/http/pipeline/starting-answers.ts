import type { RequestListener } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { setSdkHeaders, answerPreflight } from './cross-origin.js';
import { errorBody } from '../errors/error-bodies.js';
import { markup } from './html.js';
import { apiFormat, wirePath } from './request.js';

const RETRY_AFTER_S = 2;

const page = markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${String(RETRY_AFTER_S)}"><title>Starting</title></head>
<body><p>The server is starting. This page reloads until it is ready.</p></body>
</html>
`.text;

/** Whether the client is a browser. */
function isForPeople(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}

/**
 * Responds while the server starts and migrates: `/healthz` with 200, everything else with 503 in the path's format, or
 * with a page that reloads for a browser. Never a 4xx: after one, an SDK would finish a purchase that is not recorded
 * anywhere.
 */
export function startingAnswers(nowMs: () => number, baseUrl: () => string): RequestListener {
  return (request, response) => {
    const { method = 'GET', url: originalUrl = '/', headers } = request;
    response.setHeader('Cache-Control', 'no-store');
    const send = (status: number, body: object | string): void => {
      const isPage = typeof body === 'string';
      const text = isPage ? body : JSON.stringify(body);
      response.setHeader('Content-Type', `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`);
      response.setHeader('Content-Length', Buffer.byteLength(text));
      response.writeHead(status);
      // Closing the connection while the body is still arriving would reset it and lose the response.
      request.once('end', () => response.end(text)).resume();
    };
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && wirePath({ originalUrl }) === '/healthz') return send(200, { status: 'starting' });
    const format = apiFormat({ method, originalUrl, headers });
    if (format === 'v1') {
      setSdkHeaders(response, nowMs());
      if (method === 'OPTIONS') return answerPreflight(request, response);
    }
    const error = new ApiError('overloaded', 'The server is starting.', { retryAfterS: RETRY_AFTER_S });
    response.setHeader('Retry-After', String(RETRY_AFTER_S));
    if (isRead && format !== 'v1' && isForPeople(headers.accept)) {
      response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
      return send(error.status, page);
    }
    send(error.status, errorBody(error, format, baseUrl()));
  };
}
