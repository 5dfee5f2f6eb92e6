import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { ApiRequest } from './request.js';

const ETAG_HEADER = 'X-RevenueCat-ETag';

/** Tag of a cacheable response: 16 hexadecimal digits over everything except timestamps. */
export function sdkEtag(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** True if the SDK has this response cached, so a 304 is enough. An empty tag means that it has none. */
export function holdsAnswer(request: ApiRequest, etag: string): boolean {
  return request.headers['x-revenuecat-etag'] === etag;
}

/** Sets the response's time to that of the test clock, or of the request if null. Call it first. */
export function setAnswerTime(response: Response, testClockMs: number | null): void {
  if (testClockMs === null) return;
  (response.req as ApiRequest).asOfMs = testClockMs;
  response.setHeader('X-RevenueCat-Request-Time', String(testClockMs));
}

/** Parts of a response. `signed` is the part of the body that the signature covers. */
interface SdkAnswerParts {
  status: number;
  contentType?: string;
  body: string | Buffer;
  signed: string | Buffer;
  etag?: string;
}

/** Signs the response if required, and sends it. All signed headers must be set before. */
function send(response: Response, { status, contentType, body, signed, etag }: SdkAnswerParts): void {
  if (etag !== undefined) response.setHeader(ETAG_HEADER, etag);
  const end = (): void => {
    response.statusCode = status;
    if (contentType !== undefined) {
      response.setHeader('Content-Type', contentType);
      response.setHeader('Content-Length', Buffer.byteLength(body));
      // A string is sent with the headers in one write; a buffer would need a second one.
      response.end(body);
    } else response.end();
  };
  const { signAnswer } = response.req as ApiRequest;
  if (signAnswer === undefined) return end();
  signAnswer(signed, etag ?? null, (error, signature) => {
    // SDKs may treat an unsigned response as forged, so let them retry.
    if (error) return void response.destroy(error);
    response.setHeader('X-Signature', signature);
    end();
  });
}

/** The SDK protocol's 304. Without the tag, the iOS SDK repeats the request. */
export function sendNotModified(response: Response, etag: string): void {
  send(response, { status: 304, body: '', signed: '', etag });
}

/** Sends JSON text unchanged. Only responses to GET have a tag: SDKs would reuse it for later POSTs. */
export function sendSdkJson(response: Response, status: number, body: string, etag?: string): void {
  send(response, { status, contentType: 'application/json; charset=utf-8', body, signed: body, etag });
}

export function sendSdkBytes(response: Response, contentType: string, body: Buffer, signed: Buffer): void {
  send(response, { status: 200, contentType, body, signed });
}

export function sendSdkNothing(response: Response): void {
  send(response, { status: 204, body: '', signed: '' });
}

export function sendSdkText(response: Response, { body, etag }: { body: string; etag: string }): void {
  if (holdsAnswer(response.req as ApiRequest, etag)) sendNotModified(response, etag);
  else sendSdkJson(response, 200, body, etag);
}
