import type { Response } from 'express';

export const SCIM_TYPE = 'application/scim+json';
export const SCIM_ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** SCIM clients accept no other type (RFC 7644, 3.1). */
export function sendScim(response: Response, status: number, body: object | string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', SCIM_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
