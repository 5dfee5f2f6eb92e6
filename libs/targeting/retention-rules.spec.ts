import fc from 'fast-check';
import { ConditionProblem } from './check-conditions.js';
import type { RefundCondition } from './refund-conditions.js';
import {
  checkedRetentionConditions,
  compileRetentionRules,
  matchingRules,
  type RetentionFacts,
  type RetentionRuleTerms,
} from './retention-rules.js';

const scope = { param: 'conditions', appIds: new Set(['app1']), productIds: new Set(['prod1']) };
const facts: RetentionFacts = {
  original_app_user_id: 'ada',
  app_config: 'app1',
  country: 'US',
  custom_attribute: { plan: 'gold' },
  product: 'prod1',
  days_since_purchase: 20,
  paid_periods: 3,
  lifetime_usd: 29.97,
};

const condition = (
  field: RefundCondition['field'],
  operator: RefundCondition['operator'],
  value: RefundCondition['value'],
  context: string | null = null,
): RefundCondition => ({ field, operator, value, context });

const rule = (id: string, ...conditions: RefundCondition[]): RetentionRuleTerms => ({ id, conditions });
const matching = (rules: RetentionRuleTerms[], known = facts): string[] =>
  matchingRules(compileRetentionRules(rules), known).map(({ id }) => id);

describe('conditions of retention rules', () => {
  it('accepts the fields of targeting and those of a subscription', () => {
    const given = [
      { field: 'country', operator: 'in', value: ['US'], context: null },
      { field: 'product', operator: 'in', value: ['prod1'], context: null },
      { field: 'days_since_purchase', operator: '>=', value: 14, context: null },
      { field: 'paid_periods', operator: '<', value: 12, context: null },
      { field: 'lifetime_usd', operator: '>', value: 10.5, context: null },
    ];
    expect(checkedRetentionConditions(given, scope)).toEqual(given);
  });

  it.each(['refund_reason', 'purchase_kind', 'price_usd', 'refunds_before', 'consumed_percent', 'mood'])(
    'rejects the field %s, naming it',
    (field) => {
      const given = [{ field, operator: '=', value: 1 }];
      expect(() => checkedRetentionConditions(given, scope)).toThrow(ConditionProblem);
      expect(() => checkedRetentionConditions(given, scope)).toThrow(/conditions\[0\]\.field/);
    },
  );

  it.each([
    [condition('product', 'in', ['prod1']), true],
    [condition('product', 'not in', ['prod1']), false],
    [condition('days_since_purchase', '>', 20), false],
    [condition('paid_periods', '=', 3), true],
    [condition('lifetime_usd', '>=', 29.97), true],
    [condition('country', 'in', ['DE']), false],
    [condition('custom_attribute', 'in', ['gold'], 'plan'), true],
  ])('compares %j', (one, holds) => {
    expect(matching([rule('r', one)])).toEqual(holds ? ['r'] : []);
  });

  it('holds only "not in" for unknown values', () => {
    const unknown = { original_app_user_id: 'ada', app_config: 'app1', custom_attribute: {} };
    expect(matching([rule('r', condition('product', 'not in', ['prod1']))], unknown)).toEqual(['r']);
    expect(matching([rule('r', condition('product', 'in', ['prod1']))], unknown)).toEqual([]);
    expect(matching([rule('r', condition('lifetime_usd', '>=', 0))], unknown)).toEqual([]);
  });

  it('matches everyone without conditions', () => {
    expect(matching([rule('r')])).toEqual(['r']);
  });

  it('reports which attributes are used, and whether the payments are', () => {
    const plan = condition('custom_attribute', 'in', ['gold'], 'plan');
    const compiled = compileRetentionRules([rule('a', plan), rule('b', plan)]);
    expect([compiled.attributes, compiled.usesLifetime]).toEqual([['plan'], false]);
    expect(compileRetentionRules([rule('a', condition('lifetime_usd', '>', 1))]).usesLifetime).toBe(true);
  });

  it('keeps the order of the rules, each of which matches as it does alone', () => {
    const conditions = fc.array(
      fc
        .tuple(fc.constantFrom('=' as const, '>' as const, '<=' as const), fc.integer({ min: 0, max: 6 }))
        .map(([operator, value]) => condition('paid_periods', operator, value)),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.array(conditions, { maxLength: 6 }), fc.integer({ min: 0, max: 6 }), (all, periods) => {
        const rules = all.map((own, index) => rule(`r${index}`, ...own));
        const known = { ...facts, paid_periods: periods };
        const alone = rules.filter((one) => matching([one], known).length === 1).map(({ id }) => id);
        expect(matching(rules, known)).toEqual(alone);
      }),
    );
  });
});
