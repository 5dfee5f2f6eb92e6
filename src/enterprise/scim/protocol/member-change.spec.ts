import fc from 'fast-check';
import { MemberChange } from './member-change.js';
import { operationsOf } from './patch-body.js';
import { patched } from './patch-engine.js';
import { groupType } from './resource-type.js';

type Operation = Record<string, unknown>;

describe('PATCH of the members of a group', () => {
  const members = (...Operations: Operation[]) => {
    const change = new MemberChange();
    const group = patched(groupType, { displayName: 'Staff' }, operationsOf({ Operations }), change.patch);
    return { group, others: change.removesOthers, added: [...change.added], removed: [...change.removed] };
  };
  const of = (added: string[], removed: string[] = [], others = false, displayName = 'Staff') => ({
    group: { displayName },
    others,
    added,
    removed,
  });

  it.each<[string, Operation[], ReturnType<typeof of>]>([
    ['one with $ref null', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }] }], of(['a'])],
    [
      'some with display',
      [{ op: 'add', path: 'members', value: [{ value: 'a', display: 'A' }, { value: 'b' }, { value: 'a' }] }],
      of(['a', 'b']),
    ],
    ['a single object', [{ op: 'add', path: 'members', value: { value: 'a' } }], of(['a'])],
    ['in a value object', [{ op: 'add', value: { members: [{ value: 'a' }] } }], of(['a'])],
    ['a removed one by value', [{ op: 'Remove', path: 'members', value: [{ value: 'a' }] }], of([], ['a'])],
    ['a removed one by filter', [{ op: 'remove', path: 'members[value eq "a"]' }], of([], ['a'])],
    [
      'some removed by filter',
      [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }],
      of([], ['a', 'b']),
    ],
    ['all removed', [{ op: 'remove', path: 'members' }], of([], [], true)],
    ['a new list', [{ op: 'replace', path: 'members', value: [{ value: 'a' }] }], of(['a'], [], true)],
    ['an empty list', [{ op: 'replace', path: 'members', value: [] }], of([], [], true)],
    [
      'add, then remove',
      [
        { op: 'add', path: 'members', value: [{ value: 'a' }] },
        { op: 'remove', path: 'members[value eq "a"]' },
      ],
      of([], ['a']),
    ],
    [
      'remove all, then add',
      [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: 'a' }] },
      ],
      of(['a'], [], true),
    ],
    [
      'a name with an id, as Okta sends',
      [{ op: 'replace', value: { id: 'scg_1', displayName: 'x' } }],
      of([], [], false, 'x'),
    ],
    ['a name by path', [{ op: 'Replace', path: 'displayName', value: 'x' }], of([], [], false, 'x')],
  ])('takes %s', (_, operations, result) => {
    expect(members(...operations)).toEqual(result);
  });

  it.each<[string, Operation, string]>([
    [
      'a group as member',
      { op: 'add', path: 'members', value: [{ value: 'scg_1', type: 'Group' }] },
      'invalidValue',
    ],
    ['a member without value', { op: 'add', path: 'members', value: [{ display: 'x' }] }, 'invalidValue'],
    ['other filters', { op: 'remove', path: 'members[display eq "x"]' }, 'invalidFilter'],
    [
      'a part of a member',
      { op: 'replace', path: 'members[value eq "a"].display', value: 'x' },
      'mutability',
    ],
    ['a part of all', { op: 'remove', path: 'members.value' }, 'mutability'],
  ])('refuses %s', (_, operation, scimType) => {
    expect(() => members(operation)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ scimType }) as unknown }) as Error,
    );
  });

  it('ends like a set that is changed step by step', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const operation = fc.oneof(
      fc
        .array(id, { maxLength: 3 })
        .map((ids) => ({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) })),
      fc
        .array(id, { minLength: 1, maxLength: 2 })
        .map((ids) => ({ op: 'remove', path: 'members', value: ids.map((value) => ({ value })) })),
      id.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
      fc
        .array(id, { maxLength: 3 })
        .map((ids) => ({ op: 'replace', path: 'members', value: ids.map((value) => ({ value })) })),
      fc.constant({ op: 'remove', path: 'members' }),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(id),
        fc.array(operation, { minLength: 1, maxLength: 8 }),
        (start, operations) => {
          let expected = new Set<string>(start);
          for (const { op, path, value } of operations as {
            op: string;
            path: string;
            value?: { value: string }[];
          }[]) {
            const ids = value?.map((member) => member.value) ?? path.match(/"(.)"/)?.slice(1) ?? null;
            if (op === 'replace') expected = new Set(ids);
            else if (op === 'add') ids?.forEach((member) => expected.add(member));
            else if (ids === null) expected.clear();
            else ids.forEach((member) => expected.delete(member));
          }
          const result = members(...operations);
          const left = result.others ? [] : start.filter((member) => !result.removed.includes(member));
          expect(new Set([...left, ...result.added])).toEqual(expected);
        },
      ),
    );
  });
});
