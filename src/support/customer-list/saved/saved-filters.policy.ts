import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type RawQuery, readQuery } from '../../../platform/http/lists/query-parameters.js';
import { CustomerFiltersQuery } from '../customer-filters.query.js';
import { selectionOf } from '../customer-selection.policy.js';

/** Parameters of a list that are no filters. */
const otherParameters = ['sort', 'order'];

const empty = readQuery(CustomerFiltersQuery, {});
const filterNames = Object.keys(empty).filter((name) => !otherParameters.includes(name));

/**
 * Returns the filters as text by name, as in a query.
 * @throws ApiError 400 naming an unknown filter or invalid value, 404 naming an unknown product or entitlement
 */
export function readSavedFilters(given: Record<string, unknown>, catalog: Catalog): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    if (!filterNames.includes(name))
      throw ApiError.parameter(`filters.${name}`, `There is no filter ${JSON.stringify(name)}.`);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw ApiError.parameter(`filters.${name}`, `filters.${name} must be text or a number.`);
    filters[name] = String(value);
  }
  try {
    selectionOf(readQuery(CustomerFiltersQuery, filters as RawQuery), catalog);
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.param === undefined) throw error;
    throw new ApiError(error.kind, error.message, { param: `filters.${error.details.param}` });
  }
  return filters;
}
