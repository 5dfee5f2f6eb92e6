import { type Attribute, attribute, type Schema, type Traits } from '../protocol/attribute.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

/** Discovery attributes are read-only for clients. */
function readOnly(name: string, description: string, traits: Traits = {}): Attribute {
  return attribute(name, description, { mutability: 'readOnly', ...traits });
}

function required(name: string, description: string, traits: Traits = {}): Attribute {
  return readOnly(name, description, { required: true, ...traits });
}

const supported = required('supported', 'Whether the service supports it.', { type: 'boolean' });

function feature(name: string, description: string, limits: Attribute[] = []): Attribute {
  return required(name, description, { subAttributes: [supported, ...limits] });
}

/** RFC 7643, 5. */
export const serviceProviderConfigSchema: Schema = {
  id: `${CORE}:ServiceProviderConfig`,
  name: 'Service Provider Configuration',
  description: 'The parts of SCIM that the service supports.',
  attributes: [
    readOnly('documentationUri', 'Address of the documentation.', {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    feature('patch', 'Changes by PATCH.'),
    feature('bulk', 'Several changes in one request.', [
      required('maxOperations', 'Changes in one request, at most.', { type: 'integer' }),
      required('maxPayloadSize', 'Bytes of one request, at most.', { type: 'integer' }),
    ]),
    feature('filter', 'Filters of lists.', [
      required('maxResults', 'Resources in one answer, at most.', { type: 'integer' }),
    ]),
    feature('changePassword', 'Changes of passwords.'),
    feature('sort', 'Sorted lists.'),
    feature('etag', 'Entity tags.'),
    required('authenticationSchemes', 'The ways to authenticate.', {
      multiValued: true,
      subAttributes: [
        required('type', 'Kind of scheme.', {
          canonicalValues: ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest'],
        }),
        required('name', 'Name of the scheme.'),
        required('description', 'Description of the scheme.'),
        readOnly('specUri', 'Address of its specification.', {
          type: 'reference',
          referenceTypes: ['external'],
        }),
        readOnly('documentationUri', 'Address of its documentation.', {
          type: 'reference',
          referenceTypes: ['external'],
        }),
        readOnly('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
      ],
    }),
  ],
};

/** RFC 7643, 6. */
export const resourceTypeSchema: Schema = {
  id: `${CORE}:ResourceType`,
  name: 'Resource Type',
  description: 'A type of resource that the service stores.',
  attributes: [
    readOnly('id', 'Id of the type; the same as its name.', { caseExact: true }),
    required('name', 'Name of the type.'),
    readOnly('description', 'Description of the type.'),
    required('endpoint', 'Path below the base address.', { type: 'reference', referenceTypes: ['uri'] }),
    required('schema', 'URN of the core schema.', { type: 'reference', referenceTypes: ['uri'] }),
    readOnly('schemaExtensions', 'The extensions of the core schema.', {
      multiValued: true,
      subAttributes: [
        required('schema', 'URN of the extension.', { type: 'reference', referenceTypes: ['uri'] }),
        required('required', 'Whether resources must have it.', { type: 'boolean' }),
      ],
    }),
  ],
};

const flag = (name: string, description: string): Attribute =>
  readOnly(name, description, { type: 'boolean' });

const attributeTraits: Attribute[] = [
  required('name', 'Name of the attribute.', { caseExact: true }),
  required('type', 'Type of its values.', {
    canonicalValues: [
      'string',
      'complex',
      'boolean',
      'decimal',
      'integer',
      'dateTime',
      'reference',
      'binary',
    ],
  }),
  flag('multiValued', 'Whether it has a list of values.'),
  readOnly('description', 'Description of the attribute.', { caseExact: true }),
  flag('required', 'Whether a resource must have it.'),
  readOnly('canonicalValues', 'Suggested values.', { multiValued: true, caseExact: true }),
  flag('caseExact', 'Whether upper and lower case differ.'),
  readOnly('mutability', 'Whether clients can change it.', {
    caseExact: true,
    canonicalValues: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
  }),
  readOnly('returned', 'Whether answers contain it.', {
    caseExact: true,
    canonicalValues: ['always', 'never', 'default', 'request'],
  }),
  readOnly('uniqueness', 'Whether two resources can have the same value.', {
    caseExact: true,
    canonicalValues: ['none', 'server', 'global'],
  }),
  readOnly('referenceTypes', 'Types of resources that it can refer to.', {
    multiValued: true,
    caseExact: true,
  }),
];

/** RFC 7643, 7. */
export const schemaSchema: Schema = {
  id: `${CORE}:Schema`,
  name: 'Schema',
  description: 'A description of the attributes of resources.',
  attributes: [
    required('id', 'URN of the schema.', { caseExact: true }),
    readOnly('name', 'Name of the schema.'),
    readOnly('description', 'Description of the schema.'),
    required('attributes', 'The attributes.', {
      multiValued: true,
      subAttributes: [
        ...attributeTraits,
        readOnly('subAttributes', 'The parts of a complex attribute.', {
          multiValued: true,
          subAttributes: attributeTraits,
        }),
      ],
    }),
  ],
};

export const discoverySchemas = [serviceProviderConfigSchema, resourceTypeSchema, schemaSchema];
