import {
  deriveOneTime,
  deriveState,
  mergeSubscriptionFacts,
  noOneTimeFacts,
  resolveEntitlements,
  type SubscriptionState,
} from './index.js';
import { at, DAY_MS, day, register } from './testing/subscription-history.js';

const pro = [{ id: 'entl1', lookupKey: 'pro' }];

function subscription(id: string, startMs: number, endMs: number | null) {
  const { facts } = at(0).period(0, { startMs, endMs, storeProductId: id }).observation;
  return { id, entitlements: pro, state: deriveState(facts, day(0)) satisfies SubscriptionState };
}

describe('entitlements', () => {
  it('rest on the purchase that lasts longest, then on the later one', () => {
    const winner = (...sources: ReturnType<typeof subscription>[]): string | undefined =>
      resolveEntitlements(sources, [], day(0))[0]?.storeProductId;
    expect(winner(subscription('short', day(0), day(1)), subscription('long', day(0), day(2)))).toBe('long');
    expect(winner(subscription('ever', day(0), null), subscription('long', day(0), day(999)))).toBe('ever');
    expect(winner(subscription('late', day(0), day(2)), subscription('early', day(-1), day(2)))).toBe('late');
  });

  it('rest on the purchase that gives access, not on a revoked one with a later end', () => {
    const facts = mergeSubscriptionFacts(
      at(0).period(0, { startMs: day(0), endMs: day(30) }).observation.facts,
      at(0).refund(0, { revokedAtMs: day(1) + DAY_MS }).observation.facts,
    );
    const revoked = { id: 'revoked', entitlements: pro, state: deriveState(facts, day(0)) };
    expect(revoked.state).toMatchObject({ givesAccess: false, accessEndsAtMs: day(2) });
    const [entitlement] = resolveEntitlements([revoked, subscription('held', day(0), day(1))], [], day(0));
    expect(entitlement).toMatchObject({ active: true, storeProductId: 'held' });
  });

  it('stays listed after the end, independent of the order of the purchases', () => {
    const sources = [subscription('a', day(-2), day(-1)), subscription('b', day(-2), day(-1))];
    const [entitlement] = resolveEntitlements(sources, [], day(0));
    expect(entitlement).toMatchObject({ active: false, expiresAtMs: day(-1), lookupKey: 'pro' });
    expect(resolveEntitlements(sources.toReversed(), [], day(0))).toEqual([entitlement]);
  });

  it('rest on a one-time purchase until its end, then on an expired subscription', () => {
    const sources = [subscription('ended', day(-3), day(-2))];
    const bought = (expiresAtMs: number | null) => {
      const purchase = register(day(-9), {
        storeProductId: 'season',
        purchasedAtMs: day(-9),
        expiresAtMs,
        price: { amountMicros: null, currency: null, source: 'unknown' as const },
        quantity: 1,
        ownership: 'purchased' as const,
        storeTransactionId: 't',
        country: null,
      });
      return { id: 'season', entitlements: pro, state: deriveOneTime({ ...noOneTimeFacts, purchase }) };
    };
    const winner = (expiresAtMs: number | null): string | undefined =>
      resolveEntitlements(sources, [bought(expiresAtMs)], day(0))[0]?.storeProductId;
    expect([null, day(0) + 1, day(0), day(-1)].map(winner)).toEqual(['season', 'season', 'ended', 'ended']);
    expect(resolveEntitlements([], [bought(day(0))], day(0))).toEqual([]);
  });
});
