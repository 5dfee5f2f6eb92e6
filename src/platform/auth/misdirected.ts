import { type DataLocationService, isElsewhere } from '../data-location/data-location.service.js';
import { ApiError } from '../http/errors/api-error.js';
import { type ApiRequest, apiFormat } from '../http/pipeline/request.js';

/** @throws ApiError 421 naming the other deployment; 503 to SDKs */
export function assertHere(request: ApiRequest, projectId: string, location: DataLocationService): void {
  const elsewhere = location.foreign(projectId);
  if (elsewhere === null) return;
  if (apiFormat(request) === 'v1') throw isElsewhere();
  const message = `The data of this project is in the region ${elsewhere.region}, which another server has.`;
  throw new ApiError('misdirected', message, { elsewhere });
}
