import fc from 'fast-check';
import { isSameJson, type JsonObject } from '../../../../libs/kernel/index.js';
import type { ApiError } from '../../../platform/http/errors/api-error.js';
import { operationsOf, PATCH_SCHEMA } from './patch-body.js';
import { patched } from './patch-engine.js';
import { userType } from './resource-type.js';
import { ENTERPRISE_USER_SCHEMA as ENTERPRISE } from './user-schema.js';
import { resourceOf } from './values.js';

const barbara: JsonObject = {
  userName: 'barbara@acme.com',
  active: true,
  displayName: 'Barbara Jensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  emails: [
    { value: 'barbara@acme.com', type: 'work', primary: true },
    { value: 'babs@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Tours' },
  'urn:example:custom:1.0:User': { badge: 'A7', floors: [2] },
};

type Operation = Record<string, unknown>;
const apply = (...Operations: Operation[]): JsonObject =>
  patched(userType, barbara, operationsOf({ schemas: [PATCH_SCHEMA], Operations }));
const changed = (changes: JsonObject): JsonObject => ({ ...barbara, ...changes });
const [work, home] = barbara.emails as [JsonObject, JsonObject];

describe('PATCH of a user', () => {
  it.each<[string, Operation, JsonObject]>([
    ['Okta deactivates', { op: 'replace', value: { active: false } }, { active: false }],
    ['Entra ID deactivates', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['Entra ID deactivates without a path', { op: 'Replace', value: { active: 'false' } }, { active: false }],
    ['RFC 7644 deactivates', { op: 'replace', path: 'active', value: false }, { active: false }],
    ['any case of op', { op: 'ADD', path: 'title', value: 'Guide' }, { title: 'Guide' }],
    ['any case of a path', { op: 'add', path: 'TITLE', value: 'Guide' }, { title: 'Guide' }],
    ['a null path', { op: 'add', path: null, value: { title: 'Guide' } }, { title: 'Guide' }],
    ['add replaces a single value', { op: 'add', path: 'displayName', value: 'B.' }, { displayName: 'B.' }],
    [
      'a part of a complex value',
      { op: 'Replace', path: 'name.familyName', value: 'Smith' },
      { name: { familyName: 'Smith', givenName: 'Barbara' } },
    ],
    [
      'a complex value, part by part',
      { op: 'replace', path: 'name', value: { familyName: 'Smith', honorificPrefix: 'Ms' } },
      { name: { familyName: 'Smith', givenName: 'Barbara', honorificPrefix: 'Ms' } },
    ],
    [
      'dotted and filtered keys of Entra ID',
      {
        op: 'Add',
        value: {
          'name.givenName': 'Babs',
          'emails[type eq "work"].value': 'b@acme.com',
          [`${ENTERPRISE}:department`]: 'Sales',
          [`${ENTERPRISE}:manager`]: 'scu_9',
          externalId: 'e-1',
          active: 'True',
        },
      },
      {
        name: { familyName: 'Jensen', givenName: 'Babs' },
        emails: [{ ...work, value: 'b@acme.com' }, home],
        [ENTERPRISE]: { department: 'Sales', manager: { value: 'scu_9' } },
        externalId: 'e-1',
      },
    ],
    [
      'an element by its filter',
      { op: 'Replace', path: 'emails[type eq "home"].value', value: 'new@home.example' },
      { emails: [work, { ...home, value: 'new@home.example' }] },
    ],
    [
      'an element that is made by the filter',
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { phoneNumbers: [{ type: 'mobile', value: '+49 30 1' }] },
    ],
    [
      'replace makes it, too',
      { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Berlin' },
      { addresses: [{ type: 'work', locality: 'Berlin' }] },
    ],
    [
      'a role as Entra ID writes it',
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' },
      { roles: [{ primary: true, value: 'admin' }] },
    ],
    [
      'an element with two conditions',
      { op: 'Add', path: 'emails[type eq "other" and display eq "X"].value', value: 'x@acme.com' },
      { emails: [work, home, { type: 'other', display: 'X', value: 'x@acme.com' }] },
    ],
    [
      'a manager as a text',
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'scu_9' },
      { [ENTERPRISE]: { department: 'Tours', manager: { value: 'scu_9' } } },
    ],
    [
      'a manager as an object with a null',
      { op: 'add', path: `${ENTERPRISE}:manager`, value: { value: 'scu_9', $ref: null } },
      { [ENTERPRISE]: { department: 'Tours', manager: { value: 'scu_9' } } },
    ],
    [
      'a manager by its part',
      { op: 'replace', path: `${ENTERPRISE}:manager.value`, value: 'scu_9' },
      { [ENTERPRISE]: { department: 'Tours', manager: { value: 'scu_9' } } },
    ],
    [
      'a whole extension',
      { op: 'replace', value: { [ENTERPRISE]: { costCenter: '7', department: null } } },
      { [ENTERPRISE]: { costCenter: '7' } },
    ],
    [
      'an unknown extension',
      { op: 'replace', value: { 'urn:example:custom:1.0:User': { badge: 'B8' } } },
      { 'urn:example:custom:1.0:User': { badge: 'B8', floors: [2] } },
    ],
    [
      'an attribute of an unknown extension',
      { op: 'add', path: 'urn:example:custom:1.0:User:floors', value: [3] },
      { 'urn:example:custom:1.0:User': { badge: 'A7', floors: [2, 3] } },
    ],
    [
      'an added element',
      { op: 'add', path: 'emails', value: [{ value: 'x@acme.com', type: 'other' }] },
      { emails: [work, home, { value: 'x@acme.com', type: 'other' }] },
    ],
    ['an element that is there', { op: 'add', path: 'emails', value: [{ ...home }] }, {}],
    [
      'an added primary element',
      { op: 'add', path: 'emails', value: [{ value: 'x@acme.com', type: 'other', primary: true }] },
      {
        emails: [
          { value: 'barbara@acme.com', type: 'work' },
          home,
          { value: 'x@acme.com', type: 'other', primary: true },
        ],
      },
    ],
    [
      'a primary flag',
      { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
      {
        emails: [
          { value: 'barbara@acme.com', type: 'work' },
          { ...home, primary: true },
        ],
      },
    ],
    ['a replaced list', { op: 'replace', path: 'emails', value: [home] }, { emails: [home] }],
    [
      'a replaced element',
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'n@acme.com', display: 'N' } },
      { emails: [{ type: 'work', value: 'n@acme.com', display: 'N' }, home] },
    ],
    [
      'a part of all elements',
      { op: 'replace', path: 'emails.display', value: 'B' },
      {
        emails: [
          { ...work, display: 'B' },
          { ...home, display: 'B' },
        ],
      },
    ],
    ['a removed element', { op: 'remove', path: 'emails[type eq "home"]' }, { emails: [work] }],
    ['a removed element that is not there', { op: 'remove', path: 'emails[type eq "fax"]' }, {}],
    [
      'elements named in the value',
      { op: 'Remove', path: 'emails', value: [{ value: home.value }] },
      { emails: [work] },
    ],
    [
      'a removed part',
      { op: 'remove', path: 'emails[type eq "work"].primary' },
      { emails: [{ value: 'barbara@acme.com', type: 'work' }, home] },
    ],
    [
      'ignored names in a value',
      { op: 'replace', value: { id: 'x', meta: {}, groups: [], schemas: [], foo: 1 } },
      {},
    ],
    ['a password', { op: 'replace', path: 'password', value: 'secret' }, {}],
    ['a password in a value', { op: 'replace', value: { password: 'secret' } }, {}],
  ])('takes %s', (_, operation, changes) => {
    expect(apply(operation)).toEqual(changed(changes));
  });

  it.each<[string, Operation, string[]]>([
    ['a value', { op: 'remove', path: 'displayName' }, ['displayName']],
    ['a list', { op: 'remove', path: 'emails' }, ['emails']],
    ['a list by an empty one', { op: 'replace', path: 'emails', value: [] }, ['emails']],
    ['a value by null', { op: 'replace', path: 'displayName', value: null }, ['displayName']],
    ['a complex value', { op: 'remove', path: 'name' }, ['name']],
    ['the only part of an extension', { op: 'remove', path: `${ENTERPRISE}:department` }, [ENTERPRISE]],
    ['an extension', { op: 'remove', path: ENTERPRISE }, [ENTERPRISE]],
    [
      'an unknown extension',
      { op: 'remove', path: 'urn:example:custom:1.0:User' },
      ['urn:example:custom:1.0:User'],
    ],
  ])('removes %s', (_, operation, names) => {
    const left = Object.entries(barbara).filter(([name]) => !names.includes(name));
    expect(apply(operation)).toEqual(Object.fromEntries(left));
  });

  it('runs operations one after another', () => {
    const result = apply(
      { op: 'add', path: 'emails', value: [{ value: 'x@acme.com', type: 'other' }] },
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'replace', path: 'emails[type eq "other"].primary', value: true },
    );
    expect(result.emails).toEqual([home, { value: 'x@acme.com', type: 'other', primary: true }]);
  });

  it.each<[string, Operation, string]>([
    ['an unknown op', { op: 'set', path: 'title', value: 'x' }, 'invalidSyntax'],
    ['no op', { path: 'title', value: 'x' }, 'invalidSyntax'],
    ['no value', { op: 'add', path: 'title' }, 'invalidValue'],
    ['remove without a path', { op: 'remove' }, 'noTarget'],
    ['a value that is no object', { op: 'replace', value: 'x' }, 'invalidSyntax'],
    ['a list as value', { op: 'replace', value: [] }, 'invalidSyntax'],
    ['the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['meta', { op: 'replace', path: 'meta.version', value: 'x' }, 'mutability'],
    ['groups', { op: 'add', path: 'groups', value: [] }, 'mutability'],
    ['groups by a filter', { op: 'remove', path: 'groups[value eq "x"]' }, 'mutability'],
    ['an unknown path', { op: 'add', path: 'shoeSize', value: '42' }, 'invalidPath'],
    ['an unknown part', { op: 'add', path: 'name.nick', value: 'x' }, 'invalidPath'],
    ['an empty path', { op: 'add', path: '', value: 'x' }, 'invalidPath'],
    ['a path that is no text', { op: 'add', path: 5, value: 'x' }, 'invalidPath'],
    ['a broken path', { op: 'add', path: 'emails[type eq "work"', value: 'x' }, 'invalidPath'],
    [
      'a path with two filters',
      { op: 'add', path: 'emails[type eq "a"][type eq "b"].value', value: 'x' },
      'invalidFilter',
    ],
    ['a filter of a single value', { op: 'add', path: 'name[givenName eq "x"]', value: {} }, 'invalidPath'],
    ['a bad filter', { op: 'add', path: 'emails[type is "work"].value', value: 'x' }, 'invalidFilter'],
    [
      'a filter that cannot be made true',
      { op: 'replace', path: 'emails[type ne "home" and type ne "work"].value', value: 'x' },
      'noTarget',
    ],
    [
      'a filter with or',
      { op: 'add', path: 'emails[type eq "a" or type eq "b"].value', value: 'x' },
      'noTarget',
    ],
    ['a wrong type', { op: 'replace', path: 'displayName', value: 5 }, 'invalidValue'],
    ['a wrong type of a list', { op: 'replace', path: 'emails', value: [5] }, 'invalidValue'],
    ['a wrong boolean', { op: 'replace', path: 'active', value: 'no' }, 'invalidValue'],
    ['a list for a single value', { op: 'replace', path: 'active', value: [true] }, 'invalidValue'],
    [
      'two primary elements',
      { op: 'replace', path: 'emails', value: [{ ...work }, { ...home, primary: true }] },
      'invalidValue',
    ],
    ['__proto__ as path', { op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    ['constructor as path', { op: 'add', path: 'constructor.prototype', value: 'x' }, 'invalidPath'],
    ['__proto__ inside a URN', { op: 'add', path: 'urn:a:b:__proto__', value: 'x' }, 'invalidPath'],
    ['__proto__ as a part', { op: 'add', path: 'urn:a:b:c.__proto__', value: 'x' }, 'invalidPath'],
    [
      '__proto__ behind a filter',
      { op: 'add', path: 'emails[type eq "x"].__proto__', value: 'x' },
      'invalidPath',
    ],
    [
      '__proto__ as a key',
      { op: 'add', value: JSON.parse('{"__proto__":{"polluted":1}}') as unknown },
      'invalidSyntax',
    ],
    ['a dotted key', { op: 'add', value: { '__proto__.polluted': 1 } }, 'invalidPath'],
    [
      'prototype deep in a value',
      { op: 'add', path: 'name', value: { x: [{ prototype: 1 }] } },
      'invalidSyntax',
    ],
  ])('refuses %s', (_, operation, scimType) => {
    expect.assertions(2);
    try {
      apply(operation);
    } catch (error) {
      expect((error as ApiError).details.scimType).toBe(scimType);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }
  });

  it.each([
    ['no object', []],
    ['no operations', {}],
    ['an empty list', { Operations: [] }],
    [
      'too many operations',
      { Operations: Array.from({ length: 1001 }, () => ({ op: 'remove', path: 'title' })) },
    ],
    ['an operation that is no object', { Operations: [null] }],
    ['schemas of something else', { schemas: ['urn:x'], Operations: [{ op: 'remove', path: 'title' }] }],
  ])('refuses %s', (_, body) => {
    expect(() => operationsOf(body)).toThrow();
  });

  it.each([
    { operations: [{ op: 'remove', path: 'title' }] },
    { Operations: [{ op: 'remove', path: 'title' }] },
  ])('takes %j without schemas', (body) => {
    expect(operationsOf(body)).toHaveLength(1);
  });
});

describe('the PATCH engine', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const path = fc.constantFrom(
    ...['userName', 'active', 'name', 'name.givenName', 'emails', 'emails.value', 'emails[type eq "work"]'],
    ...['emails[type eq "x"].value', 'emails[value co "a"].primary', ENTERPRISE, `${ENTERPRISE}:manager`],
    ...[
      'urn:example:custom:1.0:User',
      'urn:example:custom:1.0:User:floors',
      'urn:z:y:x',
      '__proto__',
      'constructor',
    ],
    ...[
      'id',
      'groups',
      'roles[primary eq "True"].value',
      'toString',
      'hasOwnProperty.call',
      'emails[',
      'password',
    ],
  );
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'Replace', 'remove', 'x'),
      path,
      value: fc.oneof(json, fc.dictionary(path, json)),
    },
    { requiredKeys: ['op'] },
  );

  it('gives a resource that a PUT would store unchanged, or a 400; its input and all objects stay as they are', () => {
    const before = JSON.stringify(barbara);
    const prototype = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        try {
          const result = apply(...operations);
          expect(isSameJson(resourceOf(userType, result), result)).toBe(true);
        } catch (error) {
          expect((error as ApiError).status).toBe(400);
        }
        expect(JSON.stringify(barbara)).toBe(before);
        expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(prototype);
      }),
      { numRuns: 2000 },
    );
  });
});
