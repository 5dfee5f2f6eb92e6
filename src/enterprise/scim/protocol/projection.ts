import { isJsonObject, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import { type AttributePath, parseAttributePath } from './attribute-path.js';
import type { ResourceType } from './resource-type.js';
import { scimError } from './scim-error.js';

const ALWAYS = new Set(['id', 'schemas']);

/** The attributes of a response (RFC 7644, 3.9): only these, or all but these. Null selects all. */
export interface Projection {
  kind: 'only' | 'without';
  paths: AttributePath[];
}

function pathsOf(type: ResourceType, text: string): AttributePath[] {
  return text.split(',').flatMap((name) => {
    const path = name.trim() === '' ? null : parseAttributePath(type, name.trim());
    return path === null || path === 'malformed' ? [] : [path];
  });
}

/** @throws ApiError 400 invalidValue if both are given */
export function projectionOf(
  type: ResourceType,
  attributes: string | undefined,
  excluded: string | undefined,
): Projection | null {
  if (attributes !== undefined && excluded !== undefined)
    throw scimError('invalidValue', 'Give either attributes or excludedAttributes.');
  if (attributes !== undefined) return { kind: 'only', paths: pathsOf(type, attributes) };
  return excluded === undefined ? null : { kind: 'without', paths: pathsOf(type, excluded) };
}

/** Whether responses include a core attribute; otherwise it is not read. */
export function holds(projection: Projection | null, name: string): boolean {
  if (projection === null) return true;
  const named = projection.paths.filter((path) => path.extension === null && path.name === name);
  if (projection.kind === 'only') return named.length > 0;
  return !named.some(({ sub }) => sub === null);
}

function parts(value: JsonValue, isKept: (name: string) => boolean): JsonValue | undefined {
  if (Array.isArray(value)) {
    const kept = value.map((element) => parts(element, isKept)).filter((element) => element !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => isKept(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function projectedValue(value: JsonValue, paths: AttributePath[], isOnly: boolean): JsonValue | undefined {
  if (paths.some(({ sub }) => sub === null)) return isOnly ? value : undefined;
  if (paths.length === 0) return isOnly ? undefined : value;
  const named = new Set(paths.map(({ sub }) => sub));
  return parts(value, (name) => named.has(name) === isOnly);
}

function projectedExtension(
  urn: string,
  value: JsonValue,
  { kind, paths }: Projection,
): JsonValue | undefined {
  const isOnly = kind === 'only';
  const own = paths.filter(({ extension }) => extension?.toLowerCase() === urn.toLowerCase());
  if (own.some(({ name }) => name === null)) return isOnly ? value : undefined;
  if (own.length === 0 || !isJsonObject(value)) return isOnly ? undefined : value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = projectedValue(
      inner,
      own.filter((path) => path.name === name),
      isOnly,
    );
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function projected(resource: JsonObject, projection: Projection | null): JsonObject {
  if (projection === null) return resource;
  const { kind, paths } = projection;
  const entries = Object.entries(resource).flatMap(([name, value]) => {
    if (ALWAYS.has(name)) return [[name, value] as const];
    const own = paths.filter((path) => path.extension === null && path.name === name);
    const kept = name.includes(':')
      ? projectedExtension(name, value, projection)
      : projectedValue(value, own, kind === 'only');
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}
