import fc from 'fast-check';
import { bucketOf, type BucketPurpose, variantBounds, variantIndex } from './bucket.js';
import { checkedConditions } from './check-conditions.js';
import { compileCondition, compileConditions } from './conditions.js';
import { experimentActions, forbiddenEdit, mayDelete, statusAfter } from './experiment-life.js';
import { type Condition, experimentStatuses } from './model.js';
import { mayOverlap } from './overlap.js';
import { flavorOf, noAttributes, platformOf, sdkOf, type TargetingRequest } from './request.js';
import { stateAt } from './schedule.js';
import { compareVersions, parseVersion } from './versions.js';

const SALT = 'prexp0a1b2c3d4e';

describe('buckets', () => {
  it.each<[string, BucketPurpose, string, number]>([
    [SALT, 'enroll', 'user_1', 2653],
    [SALT, 'variant', 'user_1', 1128],
    [SALT, 'enroll', '$RCAnonymousID:0123456789abcdef0123456789abcdef', 3081],
    [SALT, 'variant', '$RCAnonymousID:0123456789abcdef0123456789abcdef', 147],
    [SALT, 'variant', 'Jürgen/1', 5799],
    ['trle0a1b2c3d4e', 'rollout', 'user_1', 8310],
    ['proj1ab2c3d4', 'holdout', 'user_1', 8516],
  ])('assigns %s, %s, %s', (salt, purpose, key, bucket) => {
    expect(bucketOf(salt, purpose, key)).toBe(bucket);
  });

  it.each<[number, number[] | null, number[]]>([
    [2, [50, 50], [5041, 4959]],
    [3, null, [3320, 3327, 3353]],
    [4, null, [2506, 2535, 2457, 2502]],
    [2, [80, 20], [8009, 1991]],
  ])('divides 10,000 customers among %i variants with weights %j', (variants, weights, expected) => {
    const bounds = variantBounds(variants, weights);
    const counts = new Array<number>(variants).fill(0);
    for (let index = 0; index < 10_000; index++) {
      const variant = variantIndex(bounds, bucketOf(SALT, 'variant', `user_${index}`));
      counts[variant] = (counts[variant] ?? 0) + 1;
    }
    expect(counts).toEqual(expected);
  });

  it('spreads any customers evenly over four variants', () => {
    const bounds = variantBounds(4, null);
    const counts = [0, 0, 0, 0];
    for (let index = 0; index < 10_000; index++) {
      const key = `$RCAnonymousID:${index.toString(16).padStart(32, '0')}`;
      const variant = variantIndex(bounds, bucketOf('prexpzyxwvutsrq', 'variant', key));
      counts[variant] = (counts[variant] ?? 0) + 1;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 2_500) ** 2 / 2_500, 0);
    expect(chiSquare).toBeLessThan(16.27);
  });

  it('assigns three equal variants 3334, 3333 and 3333', () => {
    expect(variantBounds(3, null)).toEqual([3334, 6667, 10_000]);
  });

  it('assigns every customer a variant', () => {
    const weights = fc
      .array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 })
      .filter((some) => some.reduce((a, b) => a + b, 0) < 100)
      .map((some) => [...some, 100 - some.reduce((a, b) => a + b, 0)]);
    fc.assert(
      fc.property(weights, fc.string(), (given, key) => {
        const index = variantIndex(variantBounds(given.length, given), bucketOf(SALT, 'variant', key));
        expect(index).toBeGreaterThanOrEqual(0);
        expect(index).toBeLessThan(given.length);
      }),
    );
  });
});

describe('versions', () => {
  it.each([
    ['1.10.0', '1.9', 1],
    ['1.2', '1.2.0', 0],
    ['1.2.0-beta', '1.2.0', -1],
    ['1.2.0-beta.2', '1.2.0-beta.10', -1],
    ['1.2.0-beta', '1.2.0-beta.1', -1],
    ['1.2.0-1', '1.2.0-a', -1],
    ['1.2.0+build.7', '1.2.0', 0],
    ['v2', '1.99.99.99.99', 1],
    ['1.2.3.4.5', '1.2.3.4', 1],
    ['999999999999999', '1', 1],
  ])('%s against %s', (a, b, expected) => {
    const [left, right] = [parseVersion(a), parseVersion(b)];
    expect(left && right && Math.sign(compareVersions(left, right))).toBe(expected);
    expect(left && right && Math.sign(compareVersions(right, left)) + expected).toBe(0);
  });

  it.each(['abc', '', 'v', '1.x', '1..2', '1234567890123456', null])('%j is none', (text) => {
    expect(parseVersion(text)).toBeNull();
  });
});

const nobody: TargetingRequest = {
  appUserId: 'user_1',
  appId: 'app1',
  country: null,
  platform: null,
  appVersion: null,
  sdkFlavor: null,
  sdkVersion: null,
  attributes: noAttributes,
};

const condition = (
  field: Condition['field'],
  operator: Condition['operator'],
  value: Condition['value'],
  context: string | null = null,
): Condition => ({ field, operator, value, context });

describe('conditions', () => {
  const us = condition('country', 'in', ['US', 'CA']);
  const notUs = condition('country', 'not in', ['US', 'CA']);
  const plan = condition('custom_attribute', 'in', ['gold', 7], 'plan');
  const attribute = (value: string): Partial<TargetingRequest> => ({
    attributes: new Map([['plan', value]]),
  });

  it.each<[string, Condition, Partial<TargetingRequest>, boolean]>([
    ['a country of the list', us, { country: 'US' }, true],
    ['another country', us, { country: 'DE' }, false],
    ['no country', us, {}, false],
    ['no country, not in', notUs, {}, true],
    ['another country, not in', notUs, { country: 'DE' }, true],
    ['a country of the list, not in', notUs, { country: 'CA' }, false],
    ['an app of the list', condition('app_config', 'in', ['app1']), {}, true],
    ['a platform', condition('platform', 'in', ['ios']), { platform: 'ios' }, true],
    ['a version of the app', condition('app_version', '>=', '1.2', 'app1'), { appVersion: '1.10' }, true],
    ['an older version', condition('app_version', '>=', '1.2', 'app1'), { appVersion: '1.1.9' }, false],
    ['a version of another app', condition('app_version', '!=', '1.2', 'app2'), { appVersion: '1.1' }, false],
    ['no version, !=', condition('app_version', '!=', '1.0', 'app1'), {}, false],
    ['an unknown version, !=', condition('app_version', '!=', '1.0', 'app1'), { appVersion: 'abc' }, false],
    ['an equal version', condition('app_version', '=', '1.0', 'app1'), { appVersion: '1' }, true],
    ['a lower version', condition('app_version', '<', '2', 'app1'), { appVersion: '2.0.0-rc.1' }, true],
    ['at most a version', condition('app_version', '<=', '2', 'app1'), { appVersion: '2.0.0' }, true],
    ['above a version', condition('app_version', '>', '2', 'app1'), { appVersion: '2.0.0' }, false],
    [
      'the flavor of the SDK',
      condition('sdk_version', '>', '5', 'react-native'),
      { sdkFlavor: 'react-native', sdkVersion: '5.1' },
      true,
    ],
    [
      'another flavor',
      condition('sdk_version', '>', '5', 'ios'),
      { sdkFlavor: 'react-native', sdkVersion: '5.1' },
      false,
    ],
    ['an attribute', plan, attribute('gold'), true],
    ['an attribute that is a number', plan, attribute('7'), true],
    ['an attribute in other case', plan, attribute('Gold'), false],
    ['no attribute', plan, {}, false],
    ['no attribute, not in', condition('custom_attribute', 'not in', ['gold'], 'plan'), {}, true],
    ['a bucket above the rollout', condition('rollout', '<', 83), {}, false],
    ['a bucket below the rollout', condition('rollout', '<', 84), {}, true],
  ])('%s', (_, given, request, expected) => {
    expect(compileCondition(given, 'trle0a1b2c3d4e')({ ...nobody, ...request })).toBe(expected);
  });

  it('needs all of them; without any it holds for everyone', () => {
    const both = compileConditions([us, plan], 'trle1');
    expect(both({ ...nobody, country: 'US', ...attribute('gold') })).toBe(true);
    expect(both({ ...nobody, country: 'US' })).toBe(false);
    expect(compileConditions([], 'trle1')(nobody)).toBe(true);
  });

  it('includes about its share in a rollout, and a smaller rollout in a larger one', () => {
    const [third, most] = [30, 60].map((percent) =>
      compileCondition(condition('rollout', '<', percent), 'trle9'),
    );
    const ids = Array.from({ length: 10_000 }, (_, index) => ({ ...nobody, appUserId: `id_${index}` }));
    const taken = ids.filter((request) => third?.(request));
    expect(taken.length).toBeGreaterThan(2_700);
    expect(taken.length).toBeLessThan(3_300);
    expect(taken.every((request) => most?.(request))).toBe(true);
  });

  const scope = { param: 'conditions', appIds: new Set(['app1']) };

  it.each<[unknown, string]>([
    ['all', 'conditions'],
    [new Array(21).fill({ field: 'country', operator: 'in', value: ['US'] }), 'conditions'],
    [[null], 'conditions[0]'],
    [[{ field: 'shoe_size', operator: 'in', value: [1] }], 'conditions[0].field'],
    [[{ field: '__proto__', operator: 'in', value: [1] }], 'conditions[0].field'],
    [[{ field: 'country', operator: '=', value: ['US'] }], 'conditions[0].operator'],
    [[{ field: 'country', operator: 'in', value: [] }], 'conditions[0].value'],
    [[{ field: 'country', operator: 'in', value: ['USA'] }], 'conditions[0].value'],
    [[{ field: 'country', operator: 'in', value: ['us'] }], 'conditions[0].value'],
    [[{ field: 'country', operator: 'in', value: 'US' }], 'conditions[0].value'],
    [[{ field: 'country', operator: 'in', value: ['US'], context: 'x' }], 'conditions[0].context'],
    [[{ field: 'app_config', operator: 'in', value: ['app2'] }], 'conditions[0].value'],
    [[{ field: 'platform', operator: 'in', value: ['windows'] }], 'conditions[0].value'],
    [[{ field: 'app_version', operator: '=', value: 'abc', context: 'app1' }], 'conditions[0].value'],
    [[{ field: 'app_version', operator: '=', value: '1' }], 'conditions[0].context'],
    [[{ field: 'app_version', operator: '=', value: '1', context: 'app2' }], 'conditions[0].context'],
    [[{ field: 'sdk_version', operator: '=', value: '1' }], 'conditions[0].context'],
    [[{ field: 'custom_attribute', operator: 'in', value: [1.5], context: 'x' }], 'conditions[0].value'],
    [[{ field: 'custom_attribute', operator: 'in', value: ['x'] }], 'conditions[0].context'],
    [[{ field: 'rollout', operator: '<', value: 100 }], 'conditions[0].value'],
    [[{ field: 'rollout', operator: '<=', value: 10 }], 'conditions[0].operator'],
  ])('%j is wrong at %s', (given, param) => {
    expect(() => checkedConditions(given, scope)).toThrow(expect.objectContaining({ param }) as Error);
  });

  it('accepts the names of repositories for those of SDKs', () => {
    const given = [{ field: 'sdk_version', operator: '>', value: '5', context: 'purchases-ios' }];
    expect(checkedConditions(given, scope)[0]?.context).toBe('ios');
  });
});

describe('the request', () => {
  it.each([
    ['iOS', 'ios'],
    ['uikitformac', 'macos'],
    [null, null],
  ])('maps platform %j to %j', (header, platform) => {
    expect(platformOf(header)).toBe(platform);
  });

  const sdk = { platform: 'iOS', version: '5.0.0', flavor: null, flavorVersion: null };
  it.each([
    [sdk, 'ios', '5.0.0'],
    [{ ...sdk, flavor: 'native', flavorVersion: '9' }, 'ios', '5.0.0'],
    [{ ...sdk, flavor: 'react-native', flavorVersion: '8.1' }, 'react-native', '8.1'],
    [{ ...sdk, flavor: 'flutter' }, 'flutter', null],
    [{ ...sdk, platform: 'amazon' }, 'android', '5.0.0'],
    [{ ...sdk, platform: 'web' }, 'web', '5.0.0'],
    [{ ...sdk, platform: 'stripe' }, null, '5.0.0'],
  ])('%j is SDK %j %j', (headers, sdkFlavor, sdkVersion) => {
    expect(sdkOf(headers)).toEqual({ sdkFlavor, sdkVersion });
  });

  it('knows SDKs by their repositories', () => {
    expect([flavorOf('React-Native-Purchases'), flavorOf('unity')]).toEqual(['react-native', 'unity']);
  });
});

describe('a schedule', () => {
  const rule = { state: 'scheduled' as const, schedule: { startsAtMs: 1000, endsAtMs: 2000 } };
  it.each([
    [999, 'scheduled'],
    [1000, 'active'],
    [1999, 'active'],
    [2000, 'inactive'],
  ])('evaluates at %i', (atMs, state) => {
    expect(stateAt(rule, atMs)).toBe(state);
  });

  it('leaves it open, and means nothing to other states', () => {
    expect(stateAt({ ...rule, schedule: { startsAtMs: 0, endsAtMs: null } }, 1e15)).toBe('active');
    expect(stateAt({ ...rule, state: 'active' }, 0)).toBe('active');
    expect(stateAt({ ...rule, state: 'inactive' }, 1500)).toBe('inactive');
  });
});

describe('audiences', () => {
  const countries = (operator: 'in' | 'not in', ...value: string[]): Condition[] => [
    condition('country', operator, value),
  ];
  it.each([
    [countries('in', 'US'), countries('in', 'DE'), false],
    [countries('in', 'US'), countries('in', 'DE', 'US'), true],
    [countries('in', 'US'), countries('not in', 'US'), false],
    [countries('not in', 'US'), countries('in', 'US'), false],
    [countries('not in', 'US'), countries('not in', 'DE'), true],
    [countries('in', 'US'), [], true],
    [countries('in', 'US'), [condition('platform', 'in', ['ios'])], true],
  ])('%j and %j may overlap: %s', (a, b, expected) => {
    expect(mayOverlap(a, b)).toBe(expected);
  });
});

describe('the life of an experiment', () => {
  const allowed: Record<string, string> = {
    'draft start': 'running',
    'running pause': 'paused',
    'paused resume': 'running',
    'running stop': 'stopped',
    'paused stop': 'stopped',
  };
  const steps = experimentStatuses.flatMap((status) =>
    experimentActions.map((action) => ({ status, action })),
  );

  it.each(steps)('$status: $action', ({ status, action }) => {
    expect(statusAfter(status, action)).toBe(allowed[`${status} ${action}`] ?? null);
  });

  it('ends in a deletion only before and after it', () => {
    expect(experimentStatuses.filter(mayDelete)).toEqual(['draft', 'stopped']);
  });

  it.each([
    ['draft', ['offering_a_id', 'weights'], null],
    ['running', ['display_name', 'notes', 'enrollment_percentage', 'weights', 'primary_metric'], null],
    ['running', ['notes', 'targeting_conditions'], 'targeting_conditions'],
    ['paused', ['notes', 'enrollment_percentage'], 'enrollment_percentage'],
    ['stopped', ['notes', 'primary_metric'], 'primary_metric'],
  ] as const)('%s: %j is refused for %j', (status, fields, forbidden) => {
    expect(forbiddenEdit(status, fields)).toBe(forbidden);
  });
});
