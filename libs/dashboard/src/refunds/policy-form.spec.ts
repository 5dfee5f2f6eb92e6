import type { RefundPolicy } from './policies.queries.js';
import { emptyPolicy, draftsWith, policyBodyOf, policyProblems, policyValuesOf } from './policy-form.js';

const policy: RefundPolicy = {
  object: 'refund_policy',
  id: 'rfpl1',
  project_id: 'proj1',
  display_name: 'Spent coins',
  conditions: [
    { field: 'consumed_percent', operator: '>=', value: 80, context: null },
    { field: 'refund_reason', operator: 'in', value: ['OTHER', 'NONE'], context: null },
  ],
  preference: 'decline',
  hold_minutes: 60,
  stores: ['app_store'],
  is_default: false,
  position: 1,
  created_at: 0,
  updated_at: 0,
};

describe('a refund policy as it is edited', () => {
  it('becomes the same body again', () => {
    expect(policyBodyOf(policyValuesOf(policy), false)).toEqual({
      display_name: 'Spent coins',
      conditions: [
        { field: 'consumed_percent', operator: '>=', value: 80 },
        { field: 'refund_reason', operator: 'in', value: ['OTHER', 'NONE'] },
      ],
      preference: 'decline',
      hold_minutes: 60,
      stores: ['app_store'],
    });
  });

  it('sends neither conditions nor stores of the default policy', () => {
    const body = policyBodyOf(policyValuesOf({ ...policy, is_default: true }), true);
    expect(Object.keys(body).sort()).toEqual(['display_name', 'hold_minutes', 'preference']);
  });

  it('is previewed in its place, and a new one before the default policy', () => {
    const others = { ...policy, id: 'rfpl9', display_name: 'All others', is_default: true, position: null };
    const namesOf = (edited: RefundPolicy | null) =>
      draftsWith([policy, others], edited, { ...emptyPolicy, display_name: 'Edited' }).map(
        ({ id, display_name: name }) => [id, name],
      );
    expect(namesOf(policy)).toEqual([
      ['rfpl1', 'Edited'],
      ['rfpl9', 'All others'],
    ]);
    expect(namesOf(null)).toEqual([
      ['rfpl1', 'Spent coins'],
      [undefined, 'Edited'],
      ['rfpl9', 'All others'],
    ]);
    expect(namesOf(others)).toEqual([
      ['rfpl1', 'Spent coins'],
      ['rfpl9', 'Edited'],
    ]);
  });

  it.each([
    ['without a name', { display_name: ' ' }, 'display_name'],
    ['without a store', { stores: { app_store: false, play_store: false } }, 'stores.app_store'],
    ['with a wait that is too long', { hold_minutes: '1441' }, 'hold_minutes'],
    ['with a wait that is no number', { hold_minutes: 'soon' }, 'hold_minutes'],
  ])('rejects one %s', (_, changes, field) => {
    const problems = policyProblems({ ...emptyPolicy, display_name: 'All', ...changes });
    expect(Object.entries(problems).flatMap(([name, problem]) => (problem === null ? [] : name))).toEqual([
      field,
    ]);
  });
});
