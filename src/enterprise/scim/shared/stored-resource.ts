import type { JsonObject } from '../../../../libs/kernel/index.js';
import { isUrn, type ResourceType } from '../protocol/resource-type.js';
import { etagOf } from './versions.js';

/** Columns that both resource types share. */
export interface StoredResource {
  id: string;
  resource: JsonObject;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export function locationOf(type: ResourceType, baseUrl: string, id: string): string {
  return `${baseUrl}${type.endpoint}/${id}`;
}

/** Adds the server's attributes, with `extra` before the extensions. */
export function withCommon(
  type: ResourceType,
  { id, resource, version, createdAt, updatedAt }: StoredResource,
  baseUrl: string,
  extra: JsonObject = {},
): JsonObject {
  const known = type.extensions.map(({ id: urn }) => urn).filter((urn) => urn in resource);
  const others = Object.keys(resource).filter((name) => isUrn(name) && !known.includes(name));
  const extensions = [...known, ...others.sort()];
  return {
    schemas: [type.core.id, ...extensions],
    id,
    ...resource,
    ...extra,
    meta: {
      resourceType: type.name,
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: locationOf(type, baseUrl, id),
      version: etagOf(version),
    },
  };
}
