import { attribute, type Schema } from './attribute.js';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const groupSchema: Schema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'A group of the identity provider. Role mappings give its members roles in projects.',
  attributes: [
    attribute('displayName', 'Name of the group; unique in the organization.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('members', 'The users in the group.', {
      multiValued: true,
      subAttributes: [
        attribute('value', 'Id of the user.', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'Address of the user.', {
          type: 'reference',
          referenceTypes: ['User'],
          mutability: 'immutable',
        }),
        attribute('display', 'userName of the user.', { mutability: 'immutable' }),
        attribute('type', 'Always User.', { canonicalValues: ['User'], mutability: 'immutable' }),
      ],
    }),
  ],
};
