import type { Filter } from '../protocol/filter.js';
import { parseFilter } from '../protocol/filter-parser.js';
import { type Projection, projectionOf } from '../protocol/projection.js';
import type { ResourceType } from '../protocol/resource-type.js';
import { scimError } from '../protocol/scim-error.js';

export const MAX_RESULTS = 200;
const DEFAULT_COUNT = 100;
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** As the query of a URL or the body of a search has it. */
export type RawQuery = Readonly<Record<string, unknown>>;

export interface ListQuery {
  /** From 1. */
  startIndex: number;
  count: number;
  filter: Filter | null;
  projection: Projection | null;
}

function textOf(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw scimError('invalidValue', `${name} must be given only once.`);
}

function numberOf(query: RawQuery, name: string, fallback: number): number {
  const text = textOf(query, name);
  if (text === undefined || text === '') return fallback;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw scimError('invalidValue', `${name} must be a whole number.`);
  return Number(text);
}

/** `attributes` or `excludedAttributes`. @throws ApiError 400 */
export function projectionIn(type: ResourceType, query: RawQuery): Projection | null {
  return projectionOf(type, textOf(query, 'attributes'), textOf(query, 'excludedAttributes'));
}

/** Parameters that are not known, such as Entra ID's aadOptscim062020, are ignored. @throws ApiError 400 */
export function listQueryOf(type: ResourceType, query: RawQuery): ListQuery {
  const filter = textOf(query, 'filter');
  return {
    startIndex: Math.max(numberOf(query, 'startIndex', 1), 1),
    count: Math.min(Math.max(numberOf(query, 'count', DEFAULT_COUNT), 0), MAX_RESULTS),
    filter: filter === undefined ? null : parseFilter(type, filter),
    projection: projectionIn(type, query),
  };
}

/** RFC 7644, 3.4.2. */
export function listResponse(resources: readonly object[], total: number, startIndex = 1): object {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
