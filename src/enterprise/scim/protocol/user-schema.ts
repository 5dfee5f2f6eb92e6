import { attribute, type Attribute, plural, type Schema } from './attribute.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_USER_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** RFC 7643, 3.1. */
export const commonAttributes: Attribute[] = [
  attribute('schemas', 'URNs of the schemas in use.', {
    type: 'reference',
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  attribute('id', 'Id that this server gave the resource.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', "The identity provider's own id.", { caseExact: true }),
  attribute('meta', 'What this server knows about the resource.', {
    mutability: 'readOnly',
    subAttributes: [
      attribute('resourceType', 'Kind of resource.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When it was created.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('lastModified', 'When it last changed.', { type: 'dateTime', mutability: 'readOnly' }),
      attribute('location', 'Its address.', { type: 'reference', mutability: 'readOnly' }),
      attribute('version', 'Its entity tag.', { caseExact: true, mutability: 'readOnly' }),
    ],
  }),
];

export const userSchema: Schema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A person whom the identity provider has assigned to this application.',
  attributes: [
    attribute('userName', 'The name the identity provider knows the person by; unique in the organization.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'The parts of the name.', {
      subAttributes: [
        attribute('formatted', 'The whole name.'),
        attribute('familyName', 'Family name.'),
        attribute('givenName', 'Given name.'),
        attribute('middleName', 'Middle names.'),
        attribute('honorificPrefix', 'Title, such as Ms.'),
        attribute('honorificSuffix', 'Suffix, such as III.'),
      ],
    }),
    attribute('displayName', 'The name that is shown.'),
    attribute('nickName', 'What the person is called.'),
    attribute('profileUrl', 'Page about the person.', { type: 'reference', referenceTypes: ['external'] }),
    attribute('title', 'Job title.'),
    attribute('userType', 'Relationship to the organization, such as Employee.'),
    attribute('preferredLanguage', 'Preferred languages, as in Accept-Language.'),
    attribute('locale', 'Language and region for dates and numbers.'),
    attribute('timezone', 'Time zone, such as Europe/Berlin.'),
    attribute('active', 'Whether the person has access; false ends all of it.', { type: 'boolean' }),
    attribute('password', 'Accepted, but not stored.', { mutability: 'writeOnly', returned: 'never' }),
    plural('emails', 'Email addresses.', {}, ['work', 'home', 'other']),
    plural('phoneNumbers', 'Telephone numbers.', {}, ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    plural('ims', 'Addresses for instant messages.', {}),
    plural('photos', 'Addresses of pictures.', { type: 'reference', referenceTypes: ['external'] }, [
      'photo',
      'thumbnail',
    ]),
    attribute('addresses', 'Postal addresses.', {
      multiValued: true,
      subAttributes: [
        attribute('formatted', 'The whole address.'),
        attribute('streetAddress', 'Street and number.'),
        attribute('locality', 'City.'),
        attribute('region', 'State or region.'),
        attribute('postalCode', 'Postal code.'),
        attribute('country', 'Country.'),
        attribute('type', 'Its use, such as work.', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred one.', { type: 'boolean' }),
      ],
    }),
    attribute('groups', 'Groups that the person is in; change the groups instead.', {
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'Id of the group.', { caseExact: true, mutability: 'readOnly' }),
        attribute('$ref', 'Address of the group.', {
          type: 'reference',
          referenceTypes: ['Group'],
          mutability: 'readOnly',
        }),
        attribute('display', 'Name of the group.', { mutability: 'readOnly' }),
        attribute('type', 'Always direct.', { canonicalValues: ['direct'], mutability: 'readOnly' }),
      ],
    }),
    plural('entitlements', 'Entitlements.', {}),
    plural('roles', 'Roles; kept, and without effect here.', {}),
    plural('x509Certificates', 'Certificates.', { type: 'binary' }),
  ],
};

export const enterpriseUserSchema: Schema = {
  id: ENTERPRISE_USER_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Attributes that companies record about employees.',
  attributes: [
    attribute('employeeNumber', 'Number or code of the person.'),
    attribute('costCenter', 'Cost center.'),
    attribute('organization', 'Organization.'),
    attribute('division', 'Division.'),
    attribute('department', 'Department.'),
    attribute('manager', "The person's manager.", {
      subAttributes: [
        attribute('value', 'Id of the manager, as the identity provider sent it.', { caseExact: true }),
        attribute('$ref', 'Address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
        attribute('displayName', 'Name of the manager.'),
      ],
    }),
  ],
};
