import type { Response } from 'express';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import { sendScim } from '../../../platform/http/pipeline/scim-answer.js';
import { etagOf, isKnownVersion } from './versions.js';

/** Sends a resource with its entity tag. */
export function sendResource(
  response: Response,
  status: number,
  resource: JsonObject,
  version: number,
): void {
  response.setHeader('ETag', etagOf(version));
  sendScim(response, status, resource);
}

/** Sends 204, with the entity tag of the changed resource. */
export function sendNoContent(response: Response, version?: number): void {
  if (version !== undefined) response.setHeader('ETag', etagOf(version));
  response.statusCode = 204;
  response.end();
}

/** Sends 304 and returns true if the client has this version. */
export function isNotModified(response: Response, version: number): boolean {
  if (!isKnownVersion(response.req.headers['if-none-match'], version)) return false;
  response.setHeader('ETag', etagOf(version));
  response.statusCode = 304;
  response.end();
  return true;
}
