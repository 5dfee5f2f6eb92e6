import { ManualClock } from '../../kernel/index.js';
import { customerState } from '../testing/customer-states.js';
import type { Checked } from './customer-checker.js';
import type { Difference } from './verify.model.js';
import { VerifyCustomers } from './verify-customers.js';
import { VerifyTally } from './verify-tally.js';

const expiry = (id: string): Difference => ({
  id,
  type: 'expiry',
  source: { lookup_key: 'pro', expires_at: 1 },
  target: { lookup_key: 'pro', expires_at: 100_000 },
  fixable_by_import: true,
});

describe('comparing customers', () => {
  /** Customers that differ in the given number of first checks. */
  function arrange(differing: Record<string, number>) {
    const clock = new ManualClock(0);
    const sleeps: number[] = [];
    const checks: { id: string; atMs: number }[] = [];
    const check = ({ id }: { id: string }): Promise<Checked> => {
      checks.push({ id, atMs: clock.nowMs() });
      const nth = checks.filter((each) => each.id === id).length;
      const state = customerState({ id });
      const differences = nth <= (differing[id] ?? 0) ? [expiry(id)] : [];
      return Promise.resolve({ source: state, target: state, differences });
    };
    const sleep = (ms: number) => {
      sleeps.push(ms);
      clock.advanceMs(ms);
      return Promise.resolve();
    };
    const tally = new VerifyTally();
    const stop = new AbortController().signal;
    const verify = new VerifyCustomers({
      checker: { check },
      tally,
      runtime: { clock, sleep },
      concurrency: 4,
      stop,
    });
    const run = (count: number) =>
      verify.run(
        Array.from({ length: count }, (_, index) => ({ id: `c${index}`, inSource: true, inTarget: true })),
      );
    return { run, tally, sleeps, checks };
  }

  it('checks again, five seconds later, who differs, and reports only who still does', async () => {
    const { run, tally, sleeps, checks } = arrange({ c1: 1, c2: 2 });
    await run(4);
    expect(sleeps).toEqual([5_000]);
    expect(checks.slice(4)).toEqual([
      { id: 'c1', atMs: 5_000 },
      { id: 'c2', atMs: 5_000 },
    ]);
    expect(tally.differences.map(({ id }) => id)).toEqual(['c2']);
    expect([tally.total, tally.count('expiry')]).toEqual([1, 1]);
  });

  it('does not wait if no customer differs', async () => {
    const { run, sleeps, tally } = arrange({});
    await run(3);
    expect(sleeps).toEqual([]);
    expect(tally.customers).toEqual({ source: 3, target: 3, checked: 3 });
  });

  it('waits once for many', async () => {
    const { run, sleeps, checks } = arrange({ c0: 1, c150: 1, c249: 2 });
    await run(250);
    expect(sleeps).toEqual([5_000]);
    expect(checks).toHaveLength(253);
  });
});

describe('totals', () => {
  it('counts a customer under their own id only', () => {
    const tally = new VerifyTally();
    const ada = customerState();
    tally.addChecked('ada', { source: ada, target: ada, differences: [] });
    tally.addChecked('alias', { source: ada, target: null, differences: [] });
    expect(tally.customers).toEqual({ source: 1, target: 1, checked: 2 });
    expect(tally.entitlements).toEqual({ source: 1, target: 1 });
    expect(tally.accessSubscriptions.production).toEqual({ source: 1, target: 1 });
  });

  it('counts customers that only the target knows, which are no difference', () => {
    const tally = new VerifyTally();
    tally.addDifferences([{ ...expiry('bob'), type: 'only_in_target' }]);
    expect([tally.count('only_in_target'), tally.onlyInTarget, tally.total]).toEqual([1, ['bob'], 0]);
  });

  it('forgets the differences of customers who are compared again', () => {
    const tally = new VerifyTally();
    tally.addDifferences([expiry('ada'), expiry('ada'), expiry('bob')]);
    tally.takeOut(new Set(['ada']));
    expect([tally.differences.map(({ id }) => id), tally.count('expiry')]).toEqual([['bob'], 1]);
  });

  it('stores a bounded number of differences and counts the others', () => {
    const tally = new VerifyTally();
    const many = Array.from({ length: 100_005 }, () => expiry('ada'));
    tally.addDifferences(many);
    expect([tally.differences.length, tally.total]).toEqual([100_000, 100_005]);
  });
});
