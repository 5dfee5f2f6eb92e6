import { customerState } from '../testing/customer-states.js';
import { CustomerChecker, type VerifySide, type VerifyTarget } from './customer-checker.js';
import { IdUnion } from './id-union.js';
import type { AccessSubscription, CustomerState } from './verify.model.js';
import { walkedIds } from './walked-ids.js';

const access = (storeIdentifier: string): AccessSubscription => ({
  id: `sub-${storeIdentifier}`,
  storeIdentifier,
  environment: 'production',
});

async function* listed(ids: string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(ids);
}

function side(customers: Record<string, CustomerState>, ids = Object.keys(customers)): VerifySide {
  return {
    listedIds: () => listed(ids),
    customer: (id) => Promise.resolve(customers[id] ?? null),
  };
}

function target(
  customers: Record<string, CustomerState>,
  subscriptions: Record<string, string> = {},
): VerifyTarget {
  return {
    ...side(customers),
    ownerOf: (id) => Promise.resolve(customers[id]?.id ?? null),
    subscriptionOf: (id) => Promise.resolve(subscriptions[id] ?? null),
  };
}

describe('checking a customer', () => {
  const types = async (source: VerifySide, atTarget: VerifyTarget, id = 'ada') => {
    const checker = new CustomerChecker(source, atTarget, { nowMs: () => 0, toleranceMs: 60_000 });
    const { differences } = await checker.check({ id, inSource: true, inTarget: true });
    return differences.map(({ type }) => type);
  };
  const ada = customerState();

  it('finds that one side does not know them', async () => {
    expect(await types(side({ ada }), target({}))).toEqual(['missing_in_target']);
    expect(await types(side({}), target({ ada }))).toEqual(['only_in_target']);
    expect(await types(side({}), target({}))).toEqual([]);
  });

  it('takes an alias of a known customer for existing', async () => {
    expect(await types(side({ ada }), target({ ada: { ...ada, id: 'other' } }))).toEqual([]);
  });

  it('compares a customer once, under their own id, not under each alias', async () => {
    const source = side({ ada, alias: ada });
    const poor = { ...ada, entitlements: new Map() };
    expect(await types(source, target({ ada: poor, alias: poor }), 'alias')).toEqual([]);
    expect(await types(source, target({ ada: poor, alias: poor }))).toEqual(['entitlement_missing']);
  });

  it('finds an alias that is another customer at the target', async () => {
    const other = customerState({ id: 'alias', entitlements: new Map(), accessSubscriptions: [] });
    expect(await types(side({ ada, alias: ada }), target({ ada, alias: other }), 'alias')).toEqual([
      'entitlement_missing',
      'subscription_count',
    ]);
  });

  it('counts subscriptions of the source once if they are one subscription at the target', async () => {
    const source = side({ ada: customerState({ accessSubscriptions: [access('2001'), access('2005')] }) });
    const one = customerState({ accessSubscriptions: [access('2005')] });
    expect(await types(source, target({ ada: one }, { '2001': 'sub1', '2005': 'sub1' }))).toEqual([]);
    expect(await types(source, target({ ada: one }, { '2005': 'sub1' }))).toEqual(['subscription_count']);
    expect(await types(source, target({ ada: one }, { '2001': 'sub2', '2005': 'sub1' }))).toEqual([
      'subscription_count',
    ]);
  });
});

describe('the ids of both sides', () => {
  it('lists each once, with the lists that have them, in the same order on each run', async () => {
    const read = async () => {
      const union = await IdUnion.of(side({}, ['a', 'b', '$RC:é']), side({}, ['c', 'b']));
      const all = [];
      for await (const each of union.listed()) all.push(each);
      await union.close();
      return all;
    };
    const ids = await read();
    expect(await read()).toEqual(ids);
    expect(ids.toSorted((x, y) => (x.id < y.id ? -1 : 1))).toEqual([
      { id: '$RC:é', inSource: true, inTarget: false },
      { id: 'a', inSource: true, inTarget: false },
      { id: 'b', inSource: true, inTarget: true },
      { id: 'c', inSource: false, inTarget: true },
    ]);
  });

  it('lists each once from a list that repeats customers and goes in circles', async () => {
    const pages: Record<string, { items: { id: string }[]; nextPage: string | null }> = {
      first: { items: [{ id: 'a' }, { id: 'b' }], nextPage: '2' },
      2: { items: [{ id: 'b' }, { id: 'c' }], nextPage: '3' },
      3: { items: [{ id: 'c' }], nextPage: '2' },
    };
    const warnings: string[] = [];
    const ids = [];
    const list = (page: string | null) => Promise.resolve(pages[page ?? 'first'] as (typeof pages)[string]);
    for await (const id of walkedIds(list, (warning) => warnings.push(warning))) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(warnings).toHaveLength(1);
  });
});
