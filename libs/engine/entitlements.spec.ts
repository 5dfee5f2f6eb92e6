import { type ChainState, deriveChain, resolveEntitlements } from './index.js';
import { at, day } from './testing/life.js';

const pro = [{ id: 'entl1', lookupKey: 'pro' }];

function chain(id: string, startMs: number, endMs: number | null) {
  const { facts } = at(0).period(0, { startMs, endMs, storeProductId: id }).observation;
  return { id, entitlements: pro, state: deriveChain(facts, day(0)) satisfies ChainState };
}

describe('entitlements', () => {
  it('rest on the purchase that lasts longest, then on the later one', () => {
    const winner = (...sources: ReturnType<typeof chain>[]): string | undefined =>
      resolveEntitlements(sources, [], day(0))[0]?.storeProductId;
    expect(winner(chain('short', day(0), day(1)), chain('long', day(0), day(2)))).toBe('long');
    expect(winner(chain('ever', day(0), null), chain('long', day(0), day(999)))).toBe('ever');
    expect(winner(chain('late', day(0), day(2)), chain('early', day(-1), day(2)))).toBe('late');
  });

  it('stay listed after their end, and are the same in any order of the purchases', () => {
    const sources = [chain('a', day(-2), day(-1)), chain('b', day(-2), day(-1))];
    const [entitlement] = resolveEntitlements(sources, [], day(0));
    expect(entitlement).toMatchObject({ active: false, expiresAtMs: day(-1), lookupKey: 'pro' });
    expect(resolveEntitlements(sources.toReversed(), [], day(0))).toEqual([entitlement]);
  });
});
