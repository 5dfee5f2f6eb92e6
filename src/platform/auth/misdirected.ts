import { ApiError } from '../http/api-error.js';
import { type ApiRequest, apiFormat } from '../http/request.js';
import type { DataLocation } from './data-location.js';

const RETRY_AFTER_S = 60;

/** For calls of SDKs and stores: after a 4xx an SDK would finish a purchase that was not recorded. */
export function isElsewhere(): ApiError {
  return new ApiError('overloaded', 'The data of this project is in another region.', {
    retryAfterS: RETRY_AFTER_S,
  });
}

/** @throws ApiError 421 naming the other deployment; 503 to SDKs */
export function assertHere(request: ApiRequest, projectId: string, location: DataLocation): void {
  const elsewhere = location.foreign(projectId);
  if (elsewhere === null) return;
  if (apiFormat(request) === 'v1') throw isElsewhere();
  const message = `The data of this project is in the region ${elsewhere.region}, which another server has.`;
  throw new ApiError('misdirected', message, { elsewhere });
}
