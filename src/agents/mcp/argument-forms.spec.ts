import { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { idsOf, timeOf } from './argument-forms.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

describe('a time', () => {
  it.each([
    [1_767_225_600_000, 1_767_225_600_000],
    ['1767225600000', 1_767_225_600_000],
    ['2026-01-01', 1_767_225_600_000],
    ['2026-01-01T00:00:00Z', 1_767_225_600_000],
    ['2026-01-01T01:00:00.5+01:00', 1_767_225_600_500],
    ['30d', NOW + 30 * DAY_MS],
    ['2W', NOW + 14 * DAY_MS],
    ['12h', NOW + DAY_MS / 2],
    ['P1M', Date.UTC(2026, 1, 28, 12)],
  ])('accepts %j', (value, ms) => expect(timeOf('expires_at', value, 'time_or_duration', NOW)).toBe(ms));

  it.each(['tomorrow', '0d', 'P', '30 days', '2026-13-01', '2026-01-01T00:00', '-30d'])(
    'refuses %j',
    (value) =>
      expect(() => timeOf('expires_at', value, 'time_or_duration', NOW)).toThrow(
        'expires_at must be a time in epoch milliseconds or ISO 8601, or a duration such as 30d.',
      ),
  );

  it('accepts a duration only where one is asked for', () => {
    expect(() => timeOf('until', '30d', 'time', NOW)).toThrow('until must be a time');
  });
});

describe('a name', () => {
  const product = (id: string, appId: string, storeIdentifier: string) => ({ id, appId, storeIdentifier });
  const catalog = new Catalog('proj', {
    version: 1,
    holdoutPercentage: 0,
    targetingRules: [],
    experiments: [],
    paywalls: [],
    apps: [],
    products: [
      product('prod1', 'app1', 'monthly'),
      product('prod2', 'app2', 'monthly'),
      product('prod3', 'app1', 'x'),
    ],
    entitlements: [{ id: 'entl1', lookupKey: 'pro' }],
    productEntitlements: [],
    offerings: [
      {
        id: 'ofrng1',
        lookupKey: 'default',
        packages: [{ id: 'pkge1', lookupKey: '$rc_monthly', products: [] }],
      },
      {
        id: 'ofrng2',
        lookupKey: 'sale',
        packages: [
          { id: 'pkge2', lookupKey: '$rc_monthly', products: [] },
          { id: 'pkge3', lookupKey: 'once', products: [] },
        ],
      },
    ],
    currencies: [],
  } as unknown as ConstructorParameters<typeof Catalog>[1]);

  it.each([
    ['entitlement', 'pro', 'entl1'],
    ['entitlement', 'entl1', 'entl1'],
    ['entitlement', 'nothing', 'nothing'],
    ['offering', 'sale', 'ofrng2'],
    ['package', 'once', 'pkge3'],
    ['package', 'pkge1', 'pkge1'],
    ['product', 'x', 'prod3'],
    ['product', 'prod2', 'prod2'],
  ] as const)('resolves an object (%s) %s to its id', (form, value, id) => {
    expect(idsOf('name', value, form, catalog)).toBe(id);
  });

  it('accepts one of several', () => {
    expect(idsOf('product_ids', ['x', 'prod1'], 'product', catalog)).toEqual(['prod3', 'prod1']);
  });

  it.each([
    ['package', '$rc_monthly'],
    ['product', 'monthly'],
  ] as const)('refuses a name of several objects (%s)', (form, value) => {
    expect(() => idsOf('it', value, form, catalog)).toThrow(
      `it "${value}" is the name of 2 objects; give an id.`,
    );
  });
});
