import type { Filter } from '../protocol/filter.js';
import { parseFilter } from '../protocol/filter-parser.js';
import { messageOf } from '../protocol/message.js';
import { type Projection, projectionOf } from '../protocol/projection.js';
import type { ResourceType } from '../protocol/resource-type.js';
import { scimError } from '../protocol/scim-error.js';
import { pruned } from '../protocol/values.js';

export const MAX_RESULTS = 200;
const DEFAULT_COUNT = 100;
/** Limits the work of comparing each name with each attribute of each resource. */
const MAX_NAMES_LENGTH = 10_000;
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** The parameters of a URL or of a search body. */
export type RawQuery = Readonly<Record<string, unknown>>;

export interface ListQuery {
  /** 1-based. */
  startIndex: number;
  count: number;
  filter: Filter | null;
  projection: Projection | null;
}

function textOf(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw scimError('invalidValue', `${name} must be a single text.`);
}

function numberOf(query: RawQuery, name: string, fallback: number): number {
  const value = query[name];
  const text = typeof value === 'number' ? String(value) : textOf(query, name);
  if (text === undefined || text === '') return fallback;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw scimError('invalidValue', `${name} must be a whole number.`);
  return Number(text);
}

/** Returns names separated by commas. A search body has a list of them. */
function namesOf(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = isList ? value.join(',') : textOf(query, name);
  if (text !== undefined && text.length > MAX_NAMES_LENGTH)
    throw scimError('invalidValue', `${name} is longer than ${MAX_NAMES_LENGTH} characters.`);
  return text;
}

/** Parses `attributes` or `excludedAttributes`. @throws ApiError 400 */
export function projectionIn(type: ResourceType, query: RawQuery): Projection | null {
  return projectionOf(type, namesOf(query, 'attributes'), namesOf(query, 'excludedAttributes'));
}

/** Converts a search body to the query of a list (RFC 7644, 3.4.3). @throws ApiError 400 */
export function searchOf(body: unknown): RawQuery {
  return (pruned(messageOf(body, SEARCH_SCHEMA)) as RawQuery | undefined) ?? {};
}

/** Ignores unknown parameters, such as Entra ID's aadOptscim062020. @throws ApiError 400 */
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
