import type { JsonObject } from '../../../../libs/kernel/index.js';
import { addressesOf, countingAddress } from './counting-address.js';
import { projected, projectionOf } from './projection.js';
import { groupType, userType } from './resource-type.js';
import { ENTERPRISE_USER_SCHEMA as ENTERPRISE, USER_SCHEMA } from './user-schema.js';
import { assertComplete, resourceOf } from './values.js';

describe('a resource as it is stored', () => {
  it('keeps what the schemas know, in their spelling, and unknown extensions', () => {
    const body = {
      schemas: [USER_SCHEMA],
      id: 'x',
      meta: { version: 'x' },
      groups: [{ value: 'g' }],
      password: 'secret',
      USERNAME: 'a@b.c',
      Active: 'True',
      name: { GivenName: 'A', shoeSize: 42, familyName: null },
      emails: [{ value: 'a@b.c', Type: 'work', primary: 'true' }, null, {}],
      roles: [],
      title: null,
      shoeSize: 42,
      'urn:x:y': { a: null, b: [1, null], c: {} },
      'urn:x:empty': {},
      [ENTERPRISE.toLowerCase()]: { Department: 'D', manager: 'm', floor: 2 },
    };
    expect(resourceOf(userType, body)).toEqual({
      userName: 'a@b.c',
      active: true,
      name: { givenName: 'A' },
      emails: [{ value: 'a@b.c', type: 'work', primary: true }],
      'urn:x:y': { b: [1] },
      [ENTERPRISE]: { department: 'D', manager: { value: 'm' } },
    });
  });

  it.each([
    ['no object', 'x'],
    ['a number for a text', { userName: 5 }],
    ['an object for a text', { userName: {} }],
    ['a list for a text', { userName: ['x'] }],
    ['a text for an object', { name: 'x' }],
    ['a word for a boolean', { active: 'yes' }],
    [
      'two primary addresses',
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: 'TRUE' },
        ],
      },
    ],
    ['a text for an extension', { [ENTERPRISE]: 'x' }],
    ['a text too long for the index', { userName: 'x'.repeat(501) }],
    ['a reserved name', JSON.parse('{"name":{"__proto__":{"x":1}}}') as unknown],
    ['a reserved name in an unknown extension', { 'urn:x:y': { constructor: 1 } }],
  ])('refuses %s', (_, body) => {
    expect(() => resourceOf(userType, body)).toThrow();
  });

  it('needs its required attributes', () => {
    expect(() => assertComplete(userType, {})).toThrow('userName');
    expect(() => assertComplete(userType, { userName: '  ' })).toThrow('userName');
    expect(() => assertComplete(groupType, { externalId: 'x' })).toThrow('displayName');
    expect(() => assertComplete(userType, { userName: 'x' })).not.toThrow();
  });
});

describe('the address that counts', () => {
  const home = { value: 'Home@Acme.com', type: 'home' };
  const work = { value: 'work@acme.com', type: 'Work' };
  const primary = { value: 'p@acme.com', primary: true };
  it.each<[string, JsonObject, string | null]>([
    ['the primary one', { userName: 'u@acme.com', emails: [home, work, primary] }, 'p@acme.com'],
    ['else that of type work', { userName: 'u@acme.com', emails: [home, work] }, 'work@acme.com'],
    ['else the first', { userName: 'u@acme.com', emails: [home] }, 'home@acme.com'],
    ['else userName', { userName: 'U@Acme.com' }, 'u@acme.com'],
    [
      'else userName, if elements have no value',
      { userName: 'u@acme.com', emails: [{ type: 'work' }] },
      'u@acme.com',
    ],
    ['nothing, if userName is none', { userName: 'barbara' }, null],
    ['nothing, if it is not valid', { userName: 'u@acme.com', emails: [{ value: 'x' }] }, null],
  ])('picks %s', (_, user, address) => {
    expect(countingAddress(user)).toBe(address);
  });

  it('picks one of all addresses', () => {
    expect(addressesOf({ emails: [home, work, { ...home }] })).toEqual(['home@acme.com', 'work@acme.com']);
  });
});

describe('a projection', () => {
  const user: JsonObject = {
    schemas: [USER_SCHEMA],
    id: 'scu_1',
    userName: 'u',
    name: { givenName: 'G', familyName: 'F' },
    emails: [{ value: 'a', type: 'work' }, { value: 'b' }],
    [ENTERPRISE]: { department: 'D', costCenter: '7' },
  };
  const always: JsonObject = { schemas: [USER_SCHEMA], id: 'scu_1' };
  it.each<[string, JsonObject]>([
    ['userName', { ...always, userName: 'u' }],
    ['USERNAME, name.givenName', { ...always, userName: 'u', name: { givenName: 'G' } }],
    ['emails.type', { ...always, emails: [{ type: 'work' }] }],
    ['emails,emails.type', { ...always, emails: user.emails ?? [] }],
    [`${USER_SCHEMA}:userName`, { ...always, userName: 'u' }],
    [`${ENTERPRISE}:department`, { ...always, [ENTERPRISE]: { department: 'D' } }],
    [ENTERPRISE, { ...always, [ENTERPRISE]: user[ENTERPRISE] ?? {} }],
    ['noSuch', always],
    ['', always],
  ])('returns only %j', (names, result) => {
    expect(projected(user, projectionOf(userType, names, undefined))).toEqual(result);
  });

  it.each<[string, JsonObject]>([
    ['id,schemas', user],
    [
      'emails,name.familyName',
      { ...always, userName: 'u', name: { givenName: 'G' }, [ENTERPRISE]: user[ENTERPRISE] ?? {} },
    ],
    [`emails,name,userName,${ENTERPRISE}:costCenter`, { ...always, [ENTERPRISE]: { department: 'D' } }],
    [`emails,name,userName,${ENTERPRISE}`, always],
  ])('leaves out %j', (names, result) => {
    expect(projected(user, projectionOf(userType, undefined, names))).toEqual(result);
  });

  it('returns one of both kinds', () => {
    expect(() => projectionOf(userType, 'id', 'name')).toThrow();
  });
});
