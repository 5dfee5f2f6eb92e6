import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';

/**
 * Reads a query parameter that is one of a few words; null when absent.
 * @throws ApiError 400 naming it
 */
export function choiceQuery<const Choice extends string>(
  request: ApiRequest,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = singleQueryValue(request.query, name);
  if (value === null) return null;
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw ApiError.parameter(name, `${name} must be ${choices.join(' or ')}.`);
}
