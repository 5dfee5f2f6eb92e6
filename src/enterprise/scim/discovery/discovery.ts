import type { JsonObject } from '../../../../libs/kernel/index.js';
import type { Attribute, Schema } from '../protocol/attribute.js';
import type { ResourceType } from '../protocol/resource-type.js';
import { MAX_RESULTS } from '../shared/list-query.js';
import { resourceTypeSchema, schemaSchema, serviceProviderConfigSchema } from './discovery-schemas.js';

/** RFC 7643, 5. */
export function serviceProviderConfig(baseUrl: string): JsonObject {
  return {
    schemas: [serviceProviderConfigSchema.id],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A SCIM token of the organization in the Authorization header.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** RFC 7643, 6. */
export function presentResourceType(
  { name, endpoint, core, extensions }: ResourceType,
  baseUrl: string,
): JsonObject {
  const schemaExtensions = extensions.map(({ id }) => ({ schema: id, required: false }));
  return {
    schemas: [resourceTypeSchema.id],
    id: name,
    name,
    endpoint,
    description: core.description,
    schema: core.id,
    ...(schemaExtensions.length > 0 ? { schemaExtensions } : {}),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  };
}

function presentAttribute({ subAttributes, ...rest }: Attribute): JsonObject {
  const own = rest as unknown as JsonObject;
  return subAttributes ? { ...own, subAttributes: subAttributes.map(presentAttribute) } : own;
}

/** RFC 7643, 7. */
export function presentSchema({ id, name, description, attributes }: Schema, baseUrl: string): JsonObject {
  return {
    schemas: [schemaSchema.id],
    id,
    name,
    description,
    attributes: attributes.map(presentAttribute),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  };
}
