import fc from 'fast-check';
import type { JsonObject } from '../../../../libs/kernel/index.js';
import type { ApiError } from '../../../platform/http/errors/api-error.js';
import { comparisons, type Filter } from './filter.js';
import { matches } from './filter-evaluation.js';
import { lookupOf } from './filter-lookup.js';
import { parseFilter } from './filter-parser.js';
import { userType } from './resource-type.js';
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from './user-schema.js';

const barbara: JsonObject = {
  schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
  id: 'scu_1',
  externalId: 'Ext-1',
  userName: 'Barbara@Acme.com',
  active: true,
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  title: '',
  emails: [
    { value: 'barbara@acme.com', type: 'work', primary: true },
    { value: 'babs@home.example', type: 'home' },
  ],
  [ENTERPRISE_USER_SCHEMA]: { department: 'Tours', manager: { value: '26118915' } },
  'urn:example:custom:1.0:User': { badge: 'A7', floors: [2, 3], isContractor: false },
  meta: { resourceType: 'User', created: '2026-01-10T08:00:00.000Z', location: 'https://x/Users/scu_1' },
};

const isMatch = (text: string): boolean => matches(barbara, parseFilter(userType, text));

describe('a filter matches', () => {
  it.each([
    'userName eq "barbara@acme.com"',
    'USERNAME EQ "BARBARA@ACME.COM"',
    'userName Eq "barbara@acme.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "barb"',
    'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName co "ens"',
    'name.familyName ew "SEN"',
    'externalId eq "Ext-1"',
    'id eq "scu_1"',
    'active eq true',
    'active eq TRUE',
    'active eq "True"',
    'active ne false',
    'title ne "Boss"',
    'nickName ne "Babs"',
    'nickName eq null',
    'userName ne null',
    'emails pr',
    'emails.type eq "home"',
    'emails co "@home"',
    'emails eq "babs@home.example"',
    'emails[type eq "work" and value co "@acme.com"]',
    'emails[type eq "work"].value eq "barbara@acme.com"',
    'emails[type eq "work"].primary eq true',
    'emails[not (type eq "work")]',
    'emails[type eq "WORK" and primary eq "True"]',
    'userName eq "x" or emails.value eq "babs@home.example"',
    'userName eq "x" and userName eq "y" or active eq true',
    'active eq true and (userName eq "x" or name pr)',
    'not (userName eq "x")',
    'not(userName eq "x") and not (active eq false)',
    'meta.created lt "2026-02-01T00:00:00Z"',
    'meta.created ge "2026-01-10T09:00:00+01:00"',
    'meta.created eq "2026-01-10T08:00:00Z"',
    'meta.resourceType eq "User"',
    'userName gt "a"',
    'schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"',
    `${ENTERPRISE_USER_SCHEMA}:department eq "tours"`,
    `${ENTERPRISE_USER_SCHEMA.toLowerCase()}:manager.value eq "26118915"`,
    `${ENTERPRISE_USER_SCHEMA} pr`,
    'urn:example:custom:1.0:User:badge eq "a7"',
    'urn:example:custom:1.0:User:floors ge 3',
    'urn:example:custom:1.0:User:isContractor eq false',
    'userName eq "\\u0042arbara@acme.com"',
    'not (noSuchAttribute pr)',
  ])('%s', (text) => {
    expect(isMatch(text)).toBe(true);
  });

  it.each([
    'externalId eq "ext-1"',
    'id eq "SCU_1"',
    'title pr',
    'nickName pr',
    'noSuchAttribute eq "x"',
    'noSuchAttribute ne "x"',
    'emails.noSuch eq "x"',
    'emails[noSuch eq "x"]',
    'name.noSuch pr',
    'emails[type eq "home" and value co "@acme.com"]',
    'emails[type eq "home"].value eq "barbara@acme.com"',
    'active eq "yes"',
    'active eq 1',
    'userName eq true',
    'meta.created gt "2026-01-10T08:00:00Z"',
    'meta.location eq "https://X/users/scu_1"',
    'urn:example:other:1.0:User:badge eq "A7"',
    'userName eq "x" or userName eq "y" and active eq true',
  ])('matches no one: %s', (text) => {
    expect(isMatch(text)).toBe(false);
  });

  it.each([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq x',
    "userName eq 'x'",
    'userName is "x"',
    'userName eq "x" and',
    'userName eq "x" "y"',
    'userName eq "x" xor active eq true',
    'and userName eq "x"',
    '(userName eq "x"',
    'userName eq "x")',
    'not userName eq "x"',
    'emails[type eq "work"',
    'emails[type eq "work"]]',
    'emails[]',
    'emails[type eq "work"].',
    'emails[type eq "work"].value',
    'emails.value[type eq "work"]',
    'emails[emails[type eq "work"]]',
    'a.b.c eq "x"',
    'userName eq "unterminated',
    'userName eq "bad \\x escape"',
    'active gt true',
    'active gt "x"',
    'userName lt null',
    'userName gt false',
    'userName co 5',
    'active co "t"',
    'meta.created gt "yesterday"',
    'userName eq 01',
    'userName eq {}',
    '__proto__ eq "x"',
    'constructor.name pr',
    'userName eq "x"; drop table users',
  ])('refuses: %s', (text) => {
    expect.assertions(2);
    try {
      parseFilter(userType, text);
    } catch (error) {
      expect((error as ApiError).status).toBe(400);
      expect((error as ApiError).details.scimType).toBe('invalidFilter');
    }
  });

  it('nests at most 20 levels and is at most 4000 characters long', () => {
    const nested = (levels: number): string => `${'('.repeat(levels)}id pr${')'.repeat(levels)}`;
    expect(isMatch(nested(20))).toBe(true);
    expect(() => parseFilter(userType, nested(21))).toThrow('20 levels');
    expect(() => parseFilter(userType, `id eq "${'x'.repeat(4000)}"`)).toThrow('4000 characters');
    expect(() => parseFilter(userType, '('.repeat(3999))).toThrow('20 levels');
  });
});

describe('the index for a filter', () => {
  it.each([
    ['userName eq "A"', { by: 'userName', value: 'A' }],
    ['active eq true and userName eq "A"', { by: 'userName', value: 'A' }],
    ['emails[type eq "work"].value eq "a@b.c"', { by: 'email', value: 'a@b.c' }],
    ['emails[type eq "work" and value eq "a@b.c"]', { by: 'email', value: 'a@b.c' }],
    ['emails eq "a@b.c" and externalId eq "1"', { by: 'externalId', value: '1' }],
    ['(id eq "1") and emails.value eq "a@b.c"', { by: 'id', value: '1' }],
    ['userName eq "A" or id eq "1"', null],
    ['not (userName eq "A")', null],
    ['userName ne "A"', null],
    ['userName eq null', null],
    ['name.givenName eq "A"', null],
    ['emails[type eq "work" or value eq "a@b.c"]', null],
    [`${ENTERPRISE_USER_SCHEMA}:department eq "A"`, null],
  ])('%s', (text, lookup) => {
    const available = ['id', 'userName', 'externalId', 'email'] as const;
    expect(lookupOf(parseFilter(userType, text), available)).toEqual(lookup);
  });
});

/** A filter as text, and the equivalent function. */
interface Generated {
  text: string;
  holds: (user: JsonObject) => boolean;
}

const texts = ['a', 'b', 'ab', 'A"\\', 'é ]', ''];
const lower = (value: unknown): string => String(value).toLowerCase();

const leaf: fc.Arbitrary<Generated> = fc
  .tuple(
    fc.constantFrom('nickName', 'title', 'noSuch'),
    fc.constantFrom(...comparisons, 'pr'),
    fc.constantFrom(...texts),
    fc.boolean(),
  )
  .map(([name, operator, value, isUpper]) => {
    const spelled = isUpper ? `${name.toUpperCase()} ${operator.toUpperCase()}` : `${name} ${operator}`;
    const text = operator === 'pr' ? spelled : `${spelled} ${JSON.stringify(value)}`;
    return {
      text,
      holds: (user) => {
        const stored = user[name];
        if (operator === 'pr') return typeof stored === 'string' && stored !== '' && name !== 'noSuch';
        if (operator === 'ne')
          return name !== 'noSuch' && !(stored !== undefined && lower(stored) === lower(value));
        if (stored === undefined) return false;
        const [left, right] = [lower(stored), lower(value)];
        const results: Record<string, boolean> = {
          eq: left === right,
          co: left.includes(right),
          sw: left.startsWith(right),
          ew: left.endsWith(right),
          gt: left > right,
          ge: left >= right,
          lt: left < right,
          le: left <= right,
        };
        return results[operator] ?? false;
      },
    };
  });

const generated = fc.letrec<{ filter: Generated }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('filter'), tie('filter'), fc.constantFrom('and', 'or')).map(([a, b, word]) => ({
      text: `(${a.text}) ${word} (${b.text})`,
      holds: (user: JsonObject) =>
        word === 'and' ? a.holds(user) && b.holds(user) : a.holds(user) || b.holds(user),
    })),
    tie('filter').map(({ text, holds }) => ({
      text: `not (${text})`,
      holds: (user: JsonObject) => !holds(user),
    })),
  ),
})).filter;

describe('every filter', () => {
  it('means what it says', () => {
    const user = fc.record(
      { nickName: fc.constantFrom(...texts), title: fc.constantFrom(...texts) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(generated, user, ({ text, holds }, person) => {
        fc.pre(text.length <= 4000 && !/\({21}/.test(text));
        let filter: Filter;
        try {
          filter = parseFilter(userType, text);
        } catch (error) {
          return expect((error as Error).message).toContain('20 levels');
        }
        expect(matches(person as JsonObject, filter)).toBe(holds(person as JsonObject));
      }),
      { numRuns: 500 },
    );
  });

  it('parses random characters or refuses them with invalidFilter, and changes nothing', () => {
    const pieces = fc.constantFrom(
      ...[
        'userName',
        'emails',
        ' ',
        ' eq ',
        ' pr',
        ' and ',
        ' or ',
        'not ',
        '(',
        ')',
        '[',
        ']',
        '.',
        '"x"',
        '"',
        '1',
      ],
      ...['__proto__', 'constructor', 'urn:a:b', ':', '\\', 'true', 'null', '-', '$ref', '\u0000', '😀'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          matches(barbara, parseFilter(userType, parts.join('')));
        } catch (error) {
          expect((error as ApiError).details.scimType).toBe('invalidFilter');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
