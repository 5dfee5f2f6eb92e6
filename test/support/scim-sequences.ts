import type { Json } from './api-client.js';

/** A request as a client sends it. Words in braces are replaced by values of the test: `{domain}`, `{user}`, `{group}`. */
export interface ScimStep {
  what: string;
  send: [method: string, path: string, body?: Json];
  status: number;
  /** Part of the answer. */
  answer?: Json;
  /** The placeholder that means the answer's id from now on. */
  as?: string;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const patch = (...Operations: Json[]): Json => ({ schemas: [PATCH], Operations });
const empty = { schemas: [LIST], totalResults: 0, Resources: [] };
const matching = (path: string, filter: string, rest = ''): string =>
  `${path}?filter=${encodeURIComponent(filter).replaceAll('%7B', '{').replaceAll('%7D', '}')}${rest}`;

/** Custom applications of Okta, with the extra forms of its catalogue applications. */
export const okta: ScimStep[] = [
  { what: 'probes users', send: ['GET', '/Users?startIndex=1&count=2'], status: 200, answer: empty },
  { what: 'probes groups', send: ['GET', '/Groups?startIndex=1&count=100'], status: 200, answer: empty },
  {
    what: 'looks for the person',
    send: ['GET', matching('/Users', 'userName eq "okta@{domain}"', '&startIndex=1&count=100')],
    status: 200,
    answer: { ...empty, startIndex: 1, itemsPerPage: 0 },
  },
  {
    what: 'creates the person',
    send: [
      'POST',
      '/Users',
      {
        schemas: [USER],
        userName: 'okta@{domain}',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: 'okta@{domain}', type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
    ],
    status: 201,
    answer: { userName: 'okta@{domain}', active: true, externalId: '00ujl29u0le5T6Aj10h7' },
    as: 'user',
  },
  {
    what: 'creates the person again',
    send: ['POST', '/Users', { schemas: [USER], userName: 'okta@{domain}', active: true }],
    status: 409,
    answer: { status: '409', scimType: 'uniqueness' },
  },
  { what: 'reads the person', send: ['GET', '/Users/{user}'], status: 200, answer: { id: '{user}' } },
  {
    what: 'updates the person with all it has read',
    send: [
      'PUT',
      '/Users/{user}',
      {
        schemas: [USER],
        id: '{user}',
        userName: 'okta@{domain}',
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
        emails: [{ primary: true, value: 'okta@{domain}', type: 'work', display: 'okta@{domain}' }],
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      },
    ],
    status: 200,
    answer: { name: { givenName: 'Another' }, meta: { version: 'W/"2"' } },
  },
  {
    what: 'deactivates by PATCH',
    send: ['PATCH', '/Users/{user}', patch({ op: 'replace', value: { active: false } })],
    status: 200,
    answer: { active: false },
  },
  {
    what: 'finds the deactivated person',
    send: ['GET', matching('/Users', 'userName eq "OKTA@{domain}"', '&startIndex=1&count=100')],
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{user}', active: false }] },
  },
  {
    what: 'activates by PUT',
    send: ['PUT', '/Users/{user}', { schemas: [USER], userName: 'okta@{domain}', active: true }],
    status: 200,
    answer: { active: true },
  },
  {
    what: 'pushes a group',
    send: ['POST', '/Groups', { schemas: [GROUP], displayName: 'Okta Group', members: [] }],
    status: 201,
    answer: { displayName: 'Okta Group' },
    as: 'group',
  },
  {
    what: 'adds a member',
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'add', path: 'members', value: [{ value: '{user}', display: 'okta@{domain}' }] }),
    ],
    status: 200,
    answer: { members: [{ value: '{user}' }] },
  },
  {
    what: 'renames the group with its id in the value',
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'replace', value: { id: '{group}', displayName: 'Okta Renamed' } }),
    ],
    status: 200,
    answer: { displayName: 'Okta Renamed', members: [{ value: '{user}' }] },
  },
  {
    what: 'sends the whole list',
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'replace', path: 'members', value: [{ value: '{user}' }] }),
    ],
    status: 200,
    answer: { meta: { version: 'W/"3"' } },
  },
  {
    what: 'removes a member by a filter',
    send: ['PATCH', '/Groups/{group}', patch({ op: 'remove', path: 'members[value eq "{user}"]' })],
    status: 200,
    answer: { meta: { version: 'W/"4"' } },
  },
  {
    what: 'sends the group by PUT',
    send: [
      'PUT',
      '/Groups/{group}',
      {
        schemas: [GROUP],
        id: '{group}',
        displayName: 'Okta Renamed',
        members: [{ value: '{user}', display: 'x' }],
      },
    ],
    status: 200,
    answer: { members: [{ value: '{user}', display: 'okta@{domain}' }] },
  },
  { what: 'deletes the group', send: ['DELETE', '/Groups/{group}'], status: 204 },
  {
    what: 'deactivates by PUT',
    send: ['PUT', '/Users/{user}', { schemas: [USER], userName: 'okta@{domain}', active: false }],
    status: 200,
    answer: { active: false },
  },
];

export const entra: ScimStep[] = [
  {
    what: 'tests the connection',
    send: ['GET', matching('/Users', 'userName eq "0b3f7c0a-7f3d-4e0a-8f0e-2f1f6c9f3a11"')],
    status: 200,
    answer: empty,
  },
  {
    what: 'looks for the person by externalId',
    send: ['GET', matching('/Users', 'externalId eq "entra-1"')],
    status: 200,
    answer: empty,
  },
  {
    what: 'looks for the person by the address at work',
    send: ['GET', matching('/Users', 'emails[type eq "work"].value eq "entra@{domain}"')],
    status: 200,
    answer: empty,
  },
  {
    what: 'creates the person',
    send: [
      'POST',
      '/Users',
      {
        schemas: [USER, ENTERPRISE],
        externalId: 'entra-1',
        userName: 'entra@{domain}',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'entra@{domain}' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
        roles: [],
      },
    ],
    status: 201,
    answer: { externalId: 'entra-1', userName: 'entra@{domain}' },
    as: 'user',
  },
  {
    what: 'matches by the address at work and by active',
    send: ['GET', matching('/Users', 'emails[type eq "work"].value eq "ENTRA@{domain}" and active eq true')],
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{user}' }] },
  },
  {
    what: 'changes several attributes in its own forms',
    send: [
      'PATCH',
      '/Users/{user}?aadOptscim062020',
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'entra2@{domain}' },
        { op: 'Replace', path: 'name.familyName', value: 'Updated' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 123' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'scu_manager' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      ),
    ],
    status: 200,
    answer: {
      emails: [{ value: 'entra2@{domain}', type: 'work', primary: true }],
      name: { familyName: 'Updated', givenName: 'Given' },
      phoneNumbers: [{ type: 'mobile', value: '+49 30 123' }],
      [ENTERPRISE]: { department: 'Sales', manager: { value: 'scu_manager' } },
    },
  },
  {
    what: 'changes attributes without paths',
    send: [
      'PATCH',
      '/Users/{user}',
      patch({
        op: 'Add',
        value: { 'name.givenName': 'New', [`${ENTERPRISE}:department`]: 'Tours', displayName: 'New Updated' },
      }),
    ],
    status: 200,
    answer: { name: { givenName: 'New' }, displayName: 'New Updated', [ENTERPRISE]: { department: 'Tours' } },
  },
  {
    what: 'disables the person with a text',
    send: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'active', value: 'False' })],
    status: 200,
    answer: { active: false },
  },
  {
    what: 'reads the disabled person',
    send: ['GET', '/Users/{user}'],
    status: 200,
    answer: { active: false },
  },
  {
    what: 'enables the person',
    send: ['PATCH', '/Users/{user}', patch({ op: 'Replace', path: 'active', value: 'True' })],
    status: 200,
    answer: { active: true },
  },
  {
    what: 'looks for the group',
    send: ['GET', matching('/Groups', 'displayName eq "Entra Group"', '&excludedAttributes=members')],
    status: 200,
    answer: empty,
  },
  {
    what: 'creates the group without members',
    send: [
      'POST',
      '/Groups',
      {
        schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Entra Group',
        meta: { resourceType: 'Group' },
      },
    ],
    status: 201,
    answer: { schemas: [GROUP], displayName: 'Entra Group' },
    as: 'group',
  },
  {
    what: 'adds a member',
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] }),
    ],
    status: 200,
    answer: { members: [{ value: '{user}' }] },
  },
  {
    what: 'reads the group without members',
    send: ['GET', '/Groups/{group}?excludedAttributes=members'],
    status: 200,
    answer: { id: '{group}', displayName: 'Entra Group' },
  },
  {
    what: 'asks whether the person is a member',
    send: [
      'GET',
      matching('/Groups', 'id eq "{group}" and members eq "{user}"', '&excludedAttributes=members'),
    ],
    status: 200,
    answer: { totalResults: 1 },
  },
  {
    what: 'renames the group',
    send: ['PATCH', '/Groups/{group}', patch({ op: 'Replace', path: 'displayName', value: 'Entra Renamed' })],
    status: 200,
    answer: { displayName: 'Entra Renamed' },
  },
  {
    what: 'removes the member by value',
    send: [
      'PATCH',
      '/Groups/{group}',
      patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] }),
    ],
    status: 200,
    answer: { meta: { version: 'W/"4"' } },
  },
  { what: 'deletes the group', send: ['DELETE', '/Groups/{group}'], status: 204 },
  { what: 'deletes the person', send: ['DELETE', '/Users/{user}'], status: 204 },
  {
    what: 'reads the deleted person',
    send: ['GET', '/Users/{user}'],
    status: 404,
    answer: { status: '404' },
  },
];
