import type { JsonObject } from '../../../../libs/kernel/index.js';
import { type AttributePath, parseAttributePath } from './attribute-path.js';
import type { Filter } from './filter.js';
import { isSubName, parseElementFilter, subPathsOf } from './filter-parser.js';
import type { ResourceType } from './resource-type.js';
import { scimError } from './scim-error.js';

/** `emails[type eq "work"].value`: an attribute, a filter on its elements, and a sub-attribute. */
export interface PatchPath extends AttributePath {
  filter: Filter | null;
}

const WITH_FILTER = /^([^[\]]+)\[(.*)\](?:\.([\w$-]+))?$/s;

export function invalidPath(text: string): Error {
  return scimError('invalidPath', `${JSON.stringify(text)} is not a path to an attribute.`);
}

const MAX_LENGTH = 4000;

/** Returns null for an attribute that no schema has. @throws ApiError 400 invalidPath or invalidFilter */
export function parsePatchPath(type: ResourceType, text: string, resource: JsonObject): PatchPath | null {
  if (text.length > MAX_LENGTH) {
    throw scimError('invalidPath', `The path is longer than ${MAX_LENGTH} characters.`);
  }
  // The URN of an unknown extension looks like the path of an attribute.
  if (
    /^urn:/i.test(text) &&
    Object.hasOwn(resource, text) &&
    !type.extensions.some(({ id }) => id === text)
  ) {
    return { extension: text, name: null, sub: null, attribute: null, subAttribute: null, filter: null };
  }
  const [, list, filterText, sub] = WITH_FILTER.exec(text) ?? [];
  const path = parseAttributePath(type, list ?? text);
  if (path === 'malformed') throw invalidPath(text);
  if (path === null || filterText === undefined) return path && { ...path, filter: null };
  if (!path.attribute?.multiValued || path.sub !== null) throw invalidPath(text);
  const filter = parseElementFilter(path, filterText);
  if (sub === undefined) return { ...path, filter };
  if (!isSubName(sub)) throw invalidPath(text);
  const inner = subPathsOf(path)(sub);
  return inner && { ...inner, filter };
}
