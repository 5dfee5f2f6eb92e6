import type { Response } from 'express';
import type { ApiError } from './api-error.js';
import { errorBody } from './error-bodies.js';
import type { ApiFormat, ApiRequest } from '../pipeline/request.js';
import { sendScim } from '../pipeline/scim-answer.js';
import { sendSdkJson } from '../pipeline/sdk-answer.js';

export function sendError(response: Response, error: ApiError, format: ApiFormat, baseUrl: string): void {
  (response.req as ApiRequest).failure = error;
  const { retryAfterS, challenge } = error.details;
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (retryAfterS !== undefined) response.setHeader('Retry-After', String(retryAfterS));
  if (format === 'scim') return sendScim(response, error.status, errorBody(error, format, baseUrl));
  const status = format === 'v1' ? error.v1Status : error.status;
  sendSdkJson(response, status, JSON.stringify(errorBody(error, format, baseUrl)));
}
