import fc from 'fast-check';
import {
  type AccessClaim,
  applyOneTime,
  type Subscription,
  deriveState,
  deriveOneTime,
  explainAddOns,
  explainSubscription,
  explainEntitlements,
  explainOneTime,
  mergeSubscriptionFacts,
  newOneTimePurchase,
  noOneTimeFacts,
  type OneTimeFacts,
  resolveEntitlements,
} from './index.js';
import { type History, histories, ids } from './testing/histories.js';
import { at, DAY_MS, day, register, type ReportBuilder } from './testing/subscription-history.js';
import { World } from './testing/world.js';

const emitted = { opened: [], accessOpen: false, unsubscribeOpen: false, expirations: {} };
type Unlocks = (storeProductId: string) => boolean;
const always: Unlocks = () => true;

function subscriptionOf(reports: ReportBuilder[], store: Subscription['store'] = 'app_store') {
  const facts = reports.map(({ observation }) => observation.facts).reduce(mergeSubscriptionFacts);
  return { store, facts, emitted };
}

/** `since`, `until` and `at` in days after the start. */
function explained(claim: AccessClaim | null) {
  if (!claim) return null;
  const days = (ms: number | null): number | null =>
    ms === null ? null : Math.round((ms - day(0)) / DAY_MS);
  const { givesAccess, cause, endReason } = claim;
  const [since, until, causeAt] = [claim.sinceMs, claim.untilMs, claim.causeAtMs].map(days);
  return { givesAccess, since, until, cause, at: causeAt, ...(endReason ? { endReason } : {}) };
}

const explain = (
  reports: ReportBuilder[],
  days: number,
  store?: Subscription['store'],
  unlocks: Unlocks = always,
) => explained(explainSubscription(subscriptionOf(reports, store), day(days), unlocks));

describe('the explanation of a subscription', () => {
  const first = at(0).period(0).renewal(0);
  const second = at(30).period(1).renewal(1);

  it('names the purchase and then each renewal, since the start of uninterrupted access', () => {
    expect(explain([first], 3)).toEqual({ givesAccess: true, since: 0, until: 30, cause: 'purchase', at: 0 });
    expect(explain([first, second], 33)).toEqual({
      givesAccess: true,
      since: 0,
      until: 60,
      cause: 'renewal',
      at: 30,
    });
  });

  it('never begins after the time asked about, even if a renewal is reported before its period', () => {
    const early = at(29).period(1).renewal(1);
    expect(explain([early], 29)).toMatchObject({ givesAccess: true, since: 29, at: 30 });
  });

  it('begins again after a gap', () => {
    const late = at(40)
      .period(1, { startMs: day(40), endMs: day(70) })
      .renewal(1);
    expect(explain([first, late], 41)).toMatchObject({ since: 40, cause: 'renewal', at: 40 });
  });

  it('names a product change, if only one of the products unlocks the entitlement', () => {
    const upgrade = at(10)
      .period(1, { startMs: day(10), endMs: day(40), storeProductId: 'yearly' })
      .renewal(1);
    expect(explain([first, upgrade], 11)).toMatchObject({ since: 0, cause: 'product_change', at: 10 });
    const onlyYearly = (id: string): boolean => id === 'yearly';
    expect(explain([first, upgrade], 11, 'app_store', onlyYearly)).toMatchObject({ since: 10 });
    const onlyMonthly = (id: string): boolean => id === 'monthly';
    expect(explain([first, upgrade], 11, 'app_store', onlyMonthly)).toEqual({
      givesAccess: false,
      since: 10,
      until: null,
      cause: 'product_change',
      at: 10,
    });
    expect(explain([first], 11, 'app_store', onlyYearly)).toBeNull();
  });

  it('names grace while it lasts, and the failed charge afterwards', () => {
    const trouble = at(30).renewal(0, { inRetry: true, graceUntilMs: day(36) });
    expect(explain([first, trouble], 31)).toEqual({
      givesAccess: true,
      since: 0,
      until: 36,
      cause: 'grace_period',
      at: 30,
    });
    expect(explain([first, trouble], 40)).toEqual({
      givesAccess: false,
      since: 36,
      until: null,
      cause: 'billing_issue',
      at: 36,
      endReason: 'BILLING_ERROR',
    });
  });

  it('names the end of a cancelled subscription', () => {
    const cancelled = at(10).renewal(0, { autoRenew: false });
    expect(explain([first, cancelled], 11)).toMatchObject({ givesAccess: true, until: 30 });
    expect(explain([first, cancelled], 31)).toEqual({
      givesAccess: false,
      since: 30,
      until: null,
      cause: 'expiry',
      at: 30,
      endReason: 'UNSUBSCRIBE',
    });
  });

  it('names a pause', () => {
    const pause = at(10).renewal(0, { pauseScheduled: true, autoResumeAtMs: day(60) });
    expect(explain([first, pause], 31, 'play_store')).toMatchObject({
      givesAccess: false,
      since: 30,
      cause: 'pause',
      endReason: 'SUBSCRIPTION_PAUSED',
    });
  });

  it('names a refund, and its reversal', () => {
    const refunded = at(12).refund(0);
    expect(explain([first, refunded], 13)).toMatchObject({
      givesAccess: false,
      since: 12,
      cause: 'refund',
      at: 12,
      endReason: 'CUSTOMER_SUPPORT',
    });
    const reversed = at(14).refund(0, { revokedAtMs: null });
    const subscription = {
      ...subscriptionOf([first, refunded, reversed]),
      emitted: { ...emitted, refunds: { p0: 2 } },
    };
    expect(explained(explainSubscription(subscription, day(15), always))).toMatchObject({
      givesAccess: true,
      since: 0,
      cause: 'refund_reversal',
      at: 14,
    });
  });

  it('names no reversal if a store only says that nothing is refunded', () => {
    const sound = at(14).refund(0, { revokedAtMs: null });
    expect(explain([first, sound], 15)).toMatchObject({ givesAccess: true, cause: 'purchase', at: 0 });
  });

  it('names the end of family sharing, a replacement and a pending payment', () => {
    const family = at(5).refund(0, { kind: 'family' });
    expect(explain([first, family], 6)).toMatchObject({ cause: 'family_sharing_end', since: 5 });
    const replaced = at(7).with({ replaced: register(day(7), { byStoreKey: 'other', atMs: day(7) }) });
    expect(explain([first, replaced], 8)).toMatchObject({ cause: 'replacement', since: 7 });
    const pending = at(0)
      .period(0)
      .with({ pending: register(day(0), true) });
    expect(explain([pending], 1)).toMatchObject({ givesAccess: false, cause: 'pending_payment', since: 0 });
  });

  it('distinguishes an expired grant from a revoked one', () => {
    const grant = at(0).period(0).renewal(0, { autoRenew: false });
    expect(explain([grant], 1, 'promotional')).toMatchObject({ cause: 'grant', since: 0, until: 30 });
    expect(explain([grant], 31, 'promotional')).toMatchObject({ cause: 'grant_end', since: 30 });
    const revoked = at(3)
      .renewal(0, { autoRenew: false, ended: true })
      .ends(0, { expired: day(3) });
    expect(explain([grant, revoked], 4, 'promotional')).toMatchObject({
      givesAccess: false,
      cause: 'grant_revocation',
      since: 3,
    });
  });
});

describe('the explanation of a one-time purchase', () => {
  const purchase = (expiresAtMs: number | null, refundedAtMs?: number | null): OneTimeFacts => ({
    ...noOneTimeFacts,
    purchase: register(day(0), {
      storeProductId: 'lifetime',
      purchasedAtMs: day(0),
      expiresAtMs,
      price: { amountMicros: 1, currency: 'USD', source: 'store' },
      quantity: 1,
      ownership: 'purchased',
      storeTransactionId: 't',
      country: null,
    }),
    refund: refundedAtMs === undefined ? null : register(day(4), { refundedAtMs, quantity: 1 }),
  });

  it('names the purchase, its end, a refund and the reversal of one', () => {
    const claim = (facts: OneTimeFacts, days: number) =>
      explained(
        explainOneTime({ facts, emitted: { purchase: true, refunds: 2 } }, deriveOneTime(facts), day(days)),
      );
    expect(claim(purchase(null), 9)).toEqual({
      givesAccess: true,
      since: 0,
      until: null,
      cause: 'purchase',
      at: 0,
    });
    expect(claim(purchase(day(7)), 9)).toMatchObject({ givesAccess: false, since: 7, cause: 'expiry' });
    expect(claim(purchase(null, day(4)), 9)).toMatchObject({ givesAccess: false, since: 4, cause: 'refund' });
    expect(claim(purchase(null, null), 9)).toMatchObject({ givesAccess: true, cause: 'refund_reversal' });
  });
});

/** The entitlements that each product of the random histories unlocks; grants unlock `pro`. */
const unlocked: Record<string, string[]> = {
  monthly: ['pro'],
  yearly: ['pro', 'plus'],
  basic: ['base'],
  lifetime: ['plus'],
  hifi: ['plus', 'sound'],
};
const lookupKeys = ['base', 'plus', 'pro', 'sound'];
const entitlement = (lookupKey: string) => ({ id: lookupKey, lookupKey });
const unlocks = (productId: string, key: string): boolean => (unlocked[productId] ?? ['pro']).includes(key);

describe('the explanation of entitlements', () => {
  const lifetime = applyOneTime(
    newOneTimePurchase({ id: 'otp', store: 'app_store', environment: 'production', purchaseKey: 'otp' }),
    {
      atMs: day(20),
      facts: {
        ...noOneTimeFacts,
        purchase: register(day(20), {
          storeProductId: 'lifetime',
          purchasedAtMs: day(20),
          expiresAtMs: day(50),
          price: { amountMicros: 1, currency: 'USD', source: 'store' },
          quantity: 1,
          ownership: 'purchased',
          storeTransactionId: 't',
          country: null,
        }),
      },
    },
  ).purchase;

  it('agrees with the entitlements of every customer at every time', () => {
    const compare = (world: World, nowMs: number): void => {
      for (const { subscriptions } of world.people) {
        const owned = subscriptions.map((key) => world.find(key).subscription);
        const sources = owned.flatMap((subscription) => {
          const state = deriveState(subscription.facts, nowMs);
          return [state, ...state.addOns].map((sold) => {
            const held = lookupKeys.filter((key) => unlocks(sold.storeProductId, key));
            return { id: subscription.id, state: sold, entitlements: held.map(entitlement) };
          });
        });
        const oneTime = [
          { id: 'otp', state: deriveOneTime(lifetime.facts), entitlements: [entitlement('plus')] },
        ];
        const resolved = resolveEntitlements(sources, oneTime, nowMs);
        const claims = owned.flatMap((subscription) =>
          lookupKeys.flatMap((key) => {
            const isUnlocking = (productId: string): boolean => unlocks(productId, key);
            const own = explainSubscription(subscription, nowMs, isUnlocking);
            const all = [...(own ? [own] : []), ...explainAddOns(subscription, nowMs, isUnlocking)];
            return all.map((claim) => ({ id: subscription.id, entitlement: entitlement(key), claim }));
          }),
        );
        const explained = explainEntitlements([
          ...claims,
          {
            id: 'otp',
            entitlement: entitlement('plus'),
            claim: explainOneTime(lifetime, deriveOneTime(lifetime.facts), nowMs),
          },
        ]);
        const activeOf = (list: { lookupKey: string; active: boolean }[]): string[] =>
          list.filter(({ active }) => active).map(({ lookupKey }) => lookupKey);
        expect(activeOf(explained)).toEqual(activeOf(resolved));
        for (const { lookupKey, active, sinceMs, untilMs, decidedBy } of explained) {
          expect(sinceMs).toBeLessThanOrEqual(nowMs);
          if (!active) continue;
          const winner = resolved.find((one) => one.lookupKey === lookupKey);
          expect(untilMs).toBe(winner?.expiresAtMs);
          expect(untilMs ?? Infinity).toBeGreaterThan(nowMs);
          expect(decidedBy.claim.givesAccess).toBe(true);
        }
      }
    };
    const play = ({ store, steps }: History): void => {
      const world = new World(ids, store);
      for (const { step, nowMs } of steps) {
        if (step.kind === 'tick') world.tick(nowMs);
        else if (step.kind === 'receive') world.receive(step.subscription, step.observation, 'ann', nowMs);
        else if (step.kind === 'post') world.post(step, nowMs);
        else if (step.kind === 'identify') world.identify(step.current, step.next);
        else if (step.kind === 'grant') world.grant(step.id, step.endMs, nowMs);
        else world.revoke(step.id, nowMs);
        for (const time of [nowMs - 40 * DAY_MS, nowMs, nowMs + 10 * DAY_MS, nowMs + 200 * DAY_MS]) {
          compare(world, time);
        }
      }
    };
    fc.assert(fc.property(histories, play), { numRuns: 40 });
  }, 120_000);
});
