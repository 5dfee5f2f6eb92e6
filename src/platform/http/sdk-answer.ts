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

/** Says that an answer is as of the time of a test clock; without one (null) as of the request. To be called first. */
export function setAnswerTime(response: Response, testClockMs: number | null): void {
  if (testClockMs === null) return;
  (response.req as ApiRequest).asOfMs = testClockMs;
  response.setHeader('X-RevenueCat-Request-Time', String(testClockMs));
}

/** What one answer is. `signed` is what its signature covers of the body. */
interface SdkAnswerParts {
  status: number;
  contentType?: string;
  body: string | Buffer;
  signed: string | Buffer;
  etag?: string;
}

/** Signs, where that is asked for, and sends. All other headers that the signature covers must be set before. */
function send(response: Response, { status, contentType, body, signed, etag }: SdkAnswerParts): void {
  if (etag !== undefined) response.setHeader(ETAG_HEADER, etag);
  const end = (): void => {
    response.statusCode = status;
    if (contentType !== undefined) {
      response.setHeader('Content-Type', contentType);
      response.setHeader('Content-Length', Buffer.byteLength(body));
      // A text leaves in one piece with the headers; bytes would be a second write.
      response.end(body);
    } else response.end();
  };
  const { signAnswer } = response.req as ApiRequest;
  if (signAnswer === undefined) return end();
  signAnswer(signed, etag ?? null, (error, signature) => {
    // Without its signature an SDK may take the answer for a forged one: better it asks again.
    if (error) return void response.destroy(error);
    response.setHeader('X-Signature', signature);
    end();
  });
}

/** 304 in the SDK's own protocol: it must carry the tag, else the iOS SDK asks again. */
export function sendNotModified(response: Response, etag: string): void {
  send(response, { status: 304, body: '', signed: '', etag });
}

/** Sends JSON text as it is. Only answers to GET carry a tag: SDKs would reuse it for later POSTs. */
export function sendSdkJson(response: Response, status: number, body: string, etag?: string): void {
  send(response, { status, contentType: 'application/json; charset=utf-8', body, signed: body, etag });
}

/** Sends an answer whose signature covers `signed`, a part of the body that the SDK decodes. */
export function sendSdkBytes(response: Response, contentType: string, body: Buffer, signed: Buffer): void {
  send(response, { status: 200, contentType, body, signed });
}

/** 204: there is nothing new. */
export function sendSdkNothing(response: Response): void {
  send(response, { status: 204, body: '', signed: '' });
}

/** A cacheable answer: 304 when the SDK holds it. */
export function sendSdkText(response: Response, { body, etag }: { body: string; etag: string }): void {
  if (holdsAnswer(response.req as ApiRequest, etag)) sendNotModified(response, etag);
  else sendSdkJson(response, 200, body, etag);
}
