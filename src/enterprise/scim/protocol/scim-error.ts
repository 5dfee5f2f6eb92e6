import { ApiError } from '../../../platform/http/errors/api-error.js';

/** RFC 7644, table 9: the reason for a 400. */
export type ScimType =
  'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget' | 'mutability';

/** A 400 with its `scimType`. */
export function scimError(scimType: ScimType, message: string): ApiError {
  return new ApiError('invalid_request', message, { scimType });
}

/** @throws ApiError 409 `uniqueness` */
export function notUnique(attribute: string, message: string): ApiError {
  return ApiError.alreadyExists(attribute, message);
}
