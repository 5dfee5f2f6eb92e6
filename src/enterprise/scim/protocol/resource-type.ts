import { type Attribute, attributeNamed, type Schema } from './attribute.js';
import { groupSchema } from './group-schema.js';
import { commonAttributes, enterpriseUserSchema, userSchema } from './user-schema.js';

/** A resource type: its core schema, and the extensions that this server knows. */
export interface ResourceType {
  name: 'User' | 'Group';
  endpoint: '/Users' | '/Groups';
  core: Schema;
  extensions: Schema[];
  /** Core and common attributes. */
  attributes: Attribute[];
}

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  core: userSchema,
  extensions: [enterpriseUserSchema],
  attributes: [...commonAttributes, ...userSchema.attributes],
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  core: groupSchema,
  extensions: [],
  attributes: [...commonAttributes, ...groupSchema.attributes],
};

export const resourceTypes = [userType, groupType] as const;
export const schemas: Schema[] = [userSchema, groupSchema, enterpriseUserSchema];

export const isUrn = (name: string): boolean => /^urn:/i.test(name);

/** Returns the extension with this URN, or null if this server does not know it. */
export function extensionOf(type: ResourceType, urn: string): Schema | null {
  return type.extensions.find(({ id }) => id.toLowerCase() === urn.toLowerCase()) ?? null;
}

export function coreAttribute(type: ResourceType, name: string): Attribute | null {
  return attributeNamed(type.attributes, name);
}
