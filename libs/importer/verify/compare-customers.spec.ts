import { customerState } from '../testing/customer-states.js';
import { compareCustomers } from './compare-customers.js';
import type { CustomerState } from './verify.model.js';

const NOW = Date.parse('2026-06-15T00:00:00Z');
const END = 1_800_000_000_000;
const YEAR = 365.25 * 86_400_000;

describe('two customers', () => {
  const compare = (source: CustomerState, target: CustomerState, toleranceMs = 60_000) =>
    compareCustomers('ada', source, target, { nowMs: NOW, toleranceMs });

  it('compares equal with the same entitlements, ends and number of subscriptions', () => {
    expect(
      compare(
        customerState(),
        customerState({
          id: 'other',
          accessSubscriptions: [{ id: 'x', storeIdentifier: 'y', environment: 'sandbox' }],
        }),
      ),
    ).toEqual([]);
  });

  it.each([
    [59_000, 0],
    [60_000, 0],
    [61_000, 1],
    [-61_000, 1],
  ])('compares ends that are %d ms apart: %d differences', (apart, count) => {
    const differences = compare(customerState({ proUntil: END }), customerState({ proUntil: END + apart }));
    expect(differences.map(({ type }) => type)).toEqual(Array<string>(count).fill('expiry'));
  });

  it.each([
    ['at the end that was sent', 0, 0],
    ['at a renewal within the hold', 30, 0],
    ['beyond the hold', 70, 1],
  ])('allows access that the target holds open, while the source ends %s', (_, days, count) => {
    const day = 86_400_000;
    const held = [{ fromMs: END, untilMs: END + 60 * day }];
    const target = customerState({ proUntil: END + 60 * day, held });
    expect(compare(customerState({ proUntil: END + days * day }), target)).toHaveLength(count);
    expect(compare(customerState({ proUntil: END + days * day }), { ...target, held: [] })).toHaveLength(1);
  });

  it('allows differences within the given tolerance', () => {
    const pair = [customerState({ proUntil: END }), customerState({ proUntil: END + 3_600_000 })] as const;
    expect(compare(...pair, 3_600_000)).toEqual([]);
    expect(compare(...pair, 0)).toEqual([
      {
        id: 'ada',
        type: 'expiry',
        source: { lookup_key: 'pro', expires_at: END },
        target: { lookup_key: 'pro', expires_at: END + 3_600_000 },
        fixable_by_import: true,
      },
    ]);
  });

  it.each([
    [null, null, []],
    [null, NOW + 200 * YEAR, []],
    [NOW + 150 * YEAR, NOW + 200 * YEAR, []],
    [null, NOW + 99 * YEAR, ['expiry']],
    [END, null, ['expiry']],
  ])('compares the ends %d and %d: %j; more than 100 years are for life', (a, b, types) => {
    const differences = compare(customerState({ proUntil: a }), customerState({ proUntil: b }));
    expect(differences.map(({ type }) => type)).toEqual(types);
  });

  it('finds each entitlement that one side lacks; an import can only add', () => {
    const both = [
      customerState({
        entitlements: new Map([
          ['gold', null],
          ['pro', END],
        ]),
      }),
      customerState({
        entitlements: new Map([
          ['pro', END],
          ['silver', END],
        ]),
      }),
    ] as const;
    expect(compare(...both)).toEqual([
      {
        id: 'ada',
        type: 'entitlement_missing',
        source: { lookup_key: 'gold', expires_at: null },
        target: null,
        fixable_by_import: true,
      },
      {
        id: 'ada',
        type: 'entitlement_extra',
        source: null,
        target: { lookup_key: 'silver', expires_at: END },
        fixable_by_import: false,
      },
    ]);
  });

  it.each([
    [0, 1, false],
    [1, 0, true],
  ])('compares %d and %d subscriptions by their number', (atSource, atTarget, fixable) => {
    const subscriptions = customerState().accessSubscriptions;
    expect(
      compare(
        customerState({ accessSubscriptions: subscriptions.slice(0, atSource) }),
        customerState({ accessSubscriptions: subscriptions.slice(0, atTarget) }),
      ),
    ).toEqual([
      {
        id: 'ada',
        type: 'subscription_count',
        source: atSource,
        target: atTarget,
        fixable_by_import: fixable,
      },
    ]);
  });

  it('compares purchases and balances only if both sides know them', () => {
    const deep = customerState({ ownedPurchases: 2, balances: new Map([['GLD', 100]]) });
    expect(compare(deep, customerState())).toEqual([]);
    expect(compare(deep, customerState({ ownedPurchases: 2, balances: new Map([['GLD', 100]]) }))).toEqual(
      [],
    );
    const other = customerState({
      ownedPurchases: 1,
      balances: new Map([
        ['SLV', 5],
        ['GLD', 90],
      ]),
    });
    expect(compare(deep, other)).toEqual([
      { id: 'ada', type: 'purchase_count', source: 2, target: 1, fixable_by_import: true },
      {
        id: 'ada',
        type: 'balance',
        source: { code: 'GLD', balance: 100 },
        target: { code: 'GLD', balance: 90 },
        fixable_by_import: true,
      },
      {
        id: 'ada',
        type: 'balance',
        source: { code: 'SLV', balance: 0 },
        target: { code: 'SLV', balance: 5 },
        fixable_by_import: true,
      },
    ]);
  });
});
