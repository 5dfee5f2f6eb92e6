import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { ApiRequest } from './request.js';

const ETAG_HEADER = 'X-RevenueCat-ETag';

/** Tag of a cacheable answer: 16 hexadecimal digits over everything in it that is no clock time. */
export function sdkEtag(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** True when the SDK holds this very answer, so that a 304 is enough. An empty tag means it holds none. */
export function holdsAnswer(request: ApiRequest, etag: string): boolean {
  return request.headers['x-revenuecat-etag'] === etag;
}

/** 304 in the SDK's own protocol: it must carry the tag, else the iOS SDK asks again. */
export function sendNotModified(response: Response, etag: string): void {
  response.setHeader(ETAG_HEADER, etag);
  response.statusCode = 304;
  response.end();
}

/** Sends JSON text as it is. Only answers to GET carry a tag: SDKs would reuse it for later POSTs. */
export function sendSdkJson(response: Response, status: number, body: string, etag?: string): void {
  if (etag !== undefined) response.setHeader(ETAG_HEADER, etag);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
