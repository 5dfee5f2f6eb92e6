import fc from 'fast-check';
import { bucketOf } from './bucket.js';
import { attributesAskedFor } from './conditions.js';
import {
  checkedRefundConditions,
  type RefundCondition,
  type RefundConditionField,
} from './refund-conditions.js';
import { purchaseKinds } from '../stores/index.js';
import { type RefundFacts, refundReasons } from './refund-facts.js';
import {
  compileRefundPolicies,
  firstMatch,
  type RefundPolicyTerms,
  refundPreferences,
  type RefundStore,
  refundStores,
} from './refund-policies.js';

const known: RefundFacts = {
  original_app_user_id: 'user_1',
  app_config: 'app1',
  country: 'US',
  platform: 'ios',
  app_version: '1.10',
  sdk_flavor: 'ios',
  sdk_version: '5.1',
  custom_attribute: { plan: 'gold', team: null },
  refund_reason: 'OTHER',
  product: 'prod1',
  purchase_kind: 'consumable',
  days_since_purchase: 3,
  days_since_first_purchase: 40,
  days_since_last_seen: 0,
  paid_periods: 2,
  refunds_before: 1,
  requests_before: 1,
  lifetime_usd: 59.97,
  refunded_usd: 9.99,
  price_usd: 9.99,
  consumed_percent: 68,
};
/** Facts of a customer about whom nothing is known. */
const unknown: RefundFacts = {
  original_app_user_id: 'user_1',
  app_config: 'app1',
  custom_attribute: {},
  refund_reason: 'NONE',
};

const condition = (
  field: RefundConditionField,
  operator: RefundCondition['operator'],
  value: RefundCondition['value'],
  context: string | null = null,
): RefundCondition => ({ field, operator, value, context });

const policy = (id: string, change: Partial<RefundPolicyTerms> = {}): RefundPolicyTerms => ({
  id,
  displayName: `policy ${id}`,
  conditions: [],
  stores: refundStores,
  preference: 'decline',
  holdMinutes: 0,
  ...change,
});
const others = policy('rest', { preference: 'neutral' });

const decide = (
  policies: RefundPolicyTerms[],
  facts: RefundFacts,
  store: RefundStore = 'app_store',
): string => firstMatch(compileRefundPolicies([...policies, others]), store, facts).policyId;

const holds = (one: RefundCondition, facts: RefundFacts): boolean =>
  decide([policy('rfpl0a1b2c3d4e', { conditions: [one] })], facts) !== others.id;

describe('conditions of refund policies', () => {
  it.each<[string, RefundCondition, boolean]>([
    ['a country of the list', condition('country', 'in', ['US', 'CA']), true],
    ['another app', condition('app_config', 'in', ['app2']), false],
    ['a platform', condition('platform', 'in', ['ios']), true],
    ['a version of the app', condition('app_version', '>=', '1.9', 'app1'), true],
    ['a version of another app', condition('app_version', '>=', '1.9', 'app2'), false],
    ['a version of the SDK', condition('sdk_version', '<', '5.1', 'ios'), false],
    ['an attribute', condition('custom_attribute', 'in', ['gold'], 'plan'), true],
    ['an attribute without value', condition('custom_attribute', 'not in', ['x'], 'team'), true],
    ['a reason of the list', condition('refund_reason', 'in', ['LEGAL', 'OTHER']), true],
    ['a reason outside the list', condition('refund_reason', 'not in', ['OTHER']), false],
    ['a product', condition('product', 'in', ['prod1']), true],
    ['a kind of purchase', condition('purchase_kind', 'not in', ['auto_renewable']), true],
    ['days equal to the limit', condition('days_since_purchase', '<=', 3), true],
    ['days below the limit', condition('days_since_purchase', '<', 3), false],
    ['days since the first purchase', condition('days_since_first_purchase', '>', 39), true],
    ['seen today', condition('days_since_last_seen', '=', 0), true],
    ['paid periods', condition('paid_periods', '!=', 2), false],
    ['earlier refunds', condition('refunds_before', '>=', 1), true],
    ['earlier requests', condition('requests_before', '>', 1), false],
    ['payments', condition('lifetime_usd', '>', 59.9), true],
    ['refunded money', condition('refunded_usd', '>=', 10), false],
    ['an equal price', condition('price_usd', '=', 9.99), true],
    ['the consumed share', condition('consumed_percent', '>=', 50), true],
  ])('compares %s', (_, one, expected) => {
    expect(holds(one, known)).toBe(expected);
  });

  it('uses the policy id and the original app user id for rollouts', () => {
    const bucket = bucketOf('rfpl0a1b2c3d4e', 'rollout', 'user_1');
    const percent = Math.floor(bucket / 100);
    expect(holds(condition('rollout', '<', percent), known)).toBe(false);
    expect(holds(condition('rollout', '<', percent + 1), known)).toBe(true);
  });

  const lists: RefundConditionField[] = ['country', 'platform', 'product', 'purchase_kind'];
  it.each(lists)('takes an unknown %s for one outside every list', (field) => {
    expect(holds(condition(field, 'in', ['x']), unknown)).toBe(false);
    expect(holds(condition(field, 'not in', ['x']), unknown)).toBe(true);
  });

  it('takes an attribute that was not read for one outside every list', () => {
    expect(holds(condition('custom_attribute', 'in', ['gold'], 'plan'), unknown)).toBe(false);
    expect(holds(condition('custom_attribute', 'not in', ['gold'], 'plan'), unknown)).toBe(true);
  });

  it('finds a request without reason under NONE', () => {
    expect(holds(condition('refund_reason', 'in', ['NONE']), unknown)).toBe(true);
  });

  const numbers: RefundConditionField[] = [
    'days_since_purchase',
    'days_since_first_purchase',
    'days_since_last_seen',
    'paid_periods',
    'refunds_before',
    'requests_before',
    'lifetime_usd',
    'refunded_usd',
    'price_usd',
    'consumed_percent',
  ];
  it.each(numbers)('fails every comparison with an unknown %s', (field) => {
    for (const operator of ['=', '!=', '>', '>=', '<', '<='] as const)
      expect(holds(condition(field, operator, 0), unknown)).toBe(false);
  });

  const scope = { param: 'conditions', appIds: new Set(['app1']), productIds: new Set(['prod1']) };

  it.each<[unknown, string]>([
    ['all', 'conditions'],
    [new Array(21).fill({ field: 'paid_periods', operator: '=', value: 1 }), 'conditions'],
    [[[]], 'conditions[0]'],
    [[{ field: 'toString', operator: '=', value: 1 }], 'conditions[0].field'],
    [[{ field: 'country', operator: 'in', value: ['usa'] }], 'conditions[0].value'],
    [[{ field: 'app_config', operator: 'in', value: ['app2'] }], 'conditions[0].value'],
    [[{ field: 'refund_reason', operator: '=', value: ['LEGAL'] }], 'conditions[0].operator'],
    [[{ field: 'refund_reason', operator: 'in', value: ['legal'] }], 'conditions[0].value'],
    [[{ field: 'refund_reason', operator: 'in', value: [] }], 'conditions[0].value'],
    [[{ field: 'refund_reason', operator: 'in', value: ['NONE'], context: 'x' }], 'conditions[0].context'],
    [[{ field: 'product', operator: 'in', value: ['prod2'] }], 'conditions[0].value'],
    [[{ field: 'product', operator: 'in', value: 'prod1' }], 'conditions[0].value'],
    [[{ field: 'purchase_kind', operator: 'in', value: ['subscription'] }], 'conditions[0].value'],
    [[{ field: 'paid_periods', operator: 'in', value: [1] }], 'conditions[0].operator'],
    [[{ field: 'paid_periods', operator: '=', value: 1.5 }], 'conditions[0].value'],
    [[{ field: 'paid_periods', operator: '=', value: '1' }], 'conditions[0].value'],
    [[{ field: 'days_since_purchase', operator: '<', value: 10_001 }], 'conditions[0].value'],
    [[{ field: 'price_usd', operator: '<', value: -0.01 }], 'conditions[0].value'],
    [[{ field: 'price_usd', operator: '<', value: 1e9 + 1 }], 'conditions[0].value'],
    [[{ field: 'consumed_percent', operator: '<', value: 101 }], 'conditions[0].value'],
    [
      [
        { field: 'price_usd', operator: '<', value: 5 },
        { field: 'rollout', operator: '<', value: 100 },
      ],
      'conditions[1].value',
    ],
  ])('rejects %j at %s', (given, param) => {
    expect(() => checkedRefundConditions(given, scope)).toThrow(expect.objectContaining({ param }) as Error);
  });

  it('accepts both tables of fields', () => {
    const given = [
      { field: 'sdk_version', operator: '>', value: '5', context: 'purchases-ios' },
      { field: 'lifetime_usd', operator: '>=', value: 49.5 },
      { field: 'product', operator: 'not in', value: ['prod1'], context: null },
    ];
    expect(checkedRefundConditions(given, scope)).toEqual([
      condition('sdk_version', '>', '5', 'ios'),
      condition('lifetime_usd', '>=', 49.5),
      condition('product', 'not in', ['prod1']),
    ]);
  });
});

describe('refund policies', () => {
  it('uses the first that matches', () => {
    const cheap = policy('cheap', { conditions: [condition('price_usd', '<', 10)] });
    const coins = policy('coins', { conditions: [condition('purchase_kind', 'in', ['consumable'])] });
    expect(decide([cheap, coins], known)).toBe('cheap');
    expect(decide([coins, cheap], known)).toBe('coins');
    expect(decide([cheap, coins], { ...known, price_usd: 10 })).toBe('coins');
  });

  it('leaves other stores to later policies', () => {
    const play = policy('play', { stores: ['play_store'] });
    expect(decide([play], known)).toBe('rest');
    expect(decide([play], known, 'play_store')).toBe('play');
  });

  it('decides by the default policy when none matches', () => {
    const held = policy('held', { conditions: [condition('price_usd', '>', 100)] });
    expect(firstMatch(compileRefundPolicies([held, others]), 'app_store', known)).toEqual({
      policyId: 'rest',
      policyName: 'policy rest',
      preference: 'neutral',
      holdMinutes: 0,
    });
  });

  it('lists the attributes that any of them asks for once', () => {
    const plan = condition('custom_attribute', 'in', ['gold'], 'plan');
    const team = condition('custom_attribute', 'not in', ['x'], 'team');
    const compiled = compileRefundPolicies([
      policy('a', { conditions: [plan, team] }),
      policy('b', { conditions: [plan] }),
      others,
    ]);
    expect(compiled.attributes).toEqual(['plan', 'team']);
    expect(attributesAskedFor([plan])).toEqual(['plan']);
  });
});

describe('refund policies for any request', () => {
  const amount = fc.integer({ min: 0, max: 4 });
  const anyFacts: fc.Arbitrary<RefundFacts> = fc.record(
    {
      original_app_user_id: fc.string(),
      app_config: fc.constantFrom('app1', 'app2'),
      custom_attribute: fc.constantFrom<RefundFacts['custom_attribute'][]>(
        {},
        { plan: 'gold' },
        { plan: null },
      ),
      refund_reason: fc.constantFrom(...refundReasons),
      country: fc.constantFrom('US', 'DE'),
      purchase_kind: fc.constantFrom(...purchaseKinds),
      paid_periods: amount,
      price_usd: amount,
    },
    { requiredKeys: ['original_app_user_id', 'app_config', 'custom_attribute', 'refund_reason'] },
  );
  const operator = fc.constantFrom('=' as const, '!=' as const, '>' as const, '>=' as const, '<' as const);
  const ofList = fc.constantFrom('in' as const, 'not in' as const);
  const anyCondition: fc.Arbitrary<RefundCondition> = fc.oneof(
    fc
      .tuple(fc.constantFrom('paid_periods' as const, 'price_usd' as const), operator, amount)
      .map(([field, by, value]) => condition(field, by, value)),
    fc
      .tuple(ofList, fc.subarray([...refundReasons], { minLength: 1 }))
      .map(([by, value]) => condition('refund_reason', by, value)),
    fc
      .tuple(ofList, fc.subarray([...purchaseKinds], { minLength: 1 }))
      .map(([by, value]) => condition('purchase_kind', by, value)),
    ofList.map((by) => condition('country', by, ['US'])),
    ofList.map((by) => condition('custom_attribute', by, ['gold'], 'plan')),
    fc.integer({ min: 1, max: 99 }).map((share) => condition('rollout', '<', share)),
  );
  const anyPolicies = fc
    .array(
      fc.record({
        conditions: fc.array(anyCondition, { maxLength: 4 }),
        stores: fc.subarray([...refundStores], { minLength: 1 }),
        preference: fc.constantFrom(...refundPreferences),
      }),
      { maxLength: 8 },
    )
    .map((list) => list.map((change, index) => policy(`p${index}`, change)));
  const store = fc.constantFrom(...refundStores);

  it('uses the first whose store and conditions all hold alone', () => {
    fc.assert(
      fc.property(anyPolicies, anyFacts, store, (policies, facts, of) => {
        const first = policies.find(
          ({ id, stores, conditions }) =>
            stores.includes(of) &&
            conditions.every((one) => decide([policy(id, { conditions: [one] })], facts, of) === id),
        );
        expect(decide(policies, facts, of)).toBe(first?.id ?? others.id);
      }),
    );
  });

  it('ignores every policy after the one that decides', () => {
    fc.assert(
      fc.property(anyPolicies, anyPolicies, anyFacts, store, (policies, later, facts, of) => {
        const decided = decide(policies, facts, of);
        const end = policies.findIndex(({ id }) => id === decided);
        fc.pre(end >= 0);
        const changed = later.map((terms) => ({ ...terms, id: `later ${terms.id}` }));
        expect(decide([...policies.slice(0, end + 1), ...changed], facts, of)).toBe(decided);
      }),
    );
  });

  it('decides stored facts like the request itself', () => {
    fc.assert(
      fc.property(anyPolicies, anyFacts, store, (policies, facts, of) => {
        const stored = JSON.parse(JSON.stringify(facts)) as RefundFacts;
        expect(decide(policies, stored, of)).toBe(decide(policies, facts, of));
      }),
    );
  });

  it('meets a list or its opposite, and one of three comparisons of a known number', () => {
    fc.assert(
      fc.property(
        anyFacts,
        fc.subarray([...purchaseKinds], { minLength: 1 }),
        amount,
        (facts, kinds, limit) => {
          const listed = (['in', 'not in'] as const).filter((by) =>
            holds(condition('purchase_kind', by, kinds), facts),
          );
          expect(listed).toHaveLength(1);
          const compared = (['<', '=', '>'] as const).filter((by) =>
            holds(condition('price_usd', by, limit), facts),
          );
          expect(compared).toHaveLength(facts.price_usd === undefined ? 0 : 1);
        },
      ),
    );
  });
});
