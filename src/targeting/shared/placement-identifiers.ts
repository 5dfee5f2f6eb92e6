import { ApiError } from '../../platform/http/errors/api-error.js';

export const MAX_PLACEMENTS = 50;
export const MAX_PLACEMENT_LENGTH = 255;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Identifiers are compared exactly, so ones that look alike are rejected. @throws ApiError 400 naming the row */
export function assertPlacementIdentifiers(identifiers: readonly string[], param: string): void {
  identifiers.forEach((identifier, index) => {
    const name = `${param}[${index}].placement_identifier`;
    if (CONTROL.test(identifier) || identifier.trim() !== identifier)
      throw ApiError.parameter(name, `${name} must not have control characters or white space at its ends.`);
    if (identifiers.indexOf(identifier) !== index)
      throw ApiError.parameter(name, `${name} is in the list twice.`);
  });
}
