import fc from 'fast-check';
import { isNightly } from '../../test/support/nightly.js';
import {
  applySubscription,
  type SubscriptionFacts,
  type SubscriptionView,
  deriveState,
  type EngineEvent,
  mergeSubscriptionFacts,
  noSubscriptionFacts,
  viewSubscription,
} from './index.js';
import { type History, histories, ids } from './testing/histories.js';
import { DAY_MS, MINUTE_MS } from './testing/subscription-history.js';
import { ReferenceSubscription, ReferenceOwners } from './testing/reference-model.js';
import { missingEvents } from './testing/missing-events.js';
import { type Tracked, World } from './testing/world.js';

const [RUNS, FEWER_RUNS] = isNightly ? [1_000, 300] : [400, 120];
const seed = fc.readConfigureGlobal().seed ?? 0;
process.stdout.write(
  `random histories of the engine: ${RUNS} runs, seed ${seed} (SEED=random tries others)\n`,
);

/** Whether an event opens access (again). */
function opens({ type, gracePeriodExpirationAtMs }: EngineEvent, givesAccess: boolean): boolean {
  if (type === 'INITIAL_PURCHASE' || type === 'RENEWAL') return true;
  if (type === 'BILLING_ISSUE') return givesAccess && typeof gracePeriodExpirationAtMs === 'number';
  return givesAccess && (type === 'REFUND_REVERSED' || type === 'SUBSCRIPTION_EXTENDED');
}

const isOpenBy = (events: Tracked['events']): boolean =>
  events.reduce(
    (isOpen, { event, givesAccess }) =>
      event.type === 'EXPIRATION' ? false : isOpen || opens(event, givesAccess),
    false,
  );

/** The latest announced end of the current period. */
function announcedEnd({ latest }: SubscriptionView, events: Tracked['events']): number {
  const ends = events
    .filter(({ event }) => event.transactionId === latest.storeTransactionId)
    .map(({ event }) => event.expirationAtMs ?? Infinity);
  return Math.max(0, ...ends);
}

const sum = (amounts: (number | null)[]): number =>
  amounts.reduce<number>((total, one) => total + (one ?? 0), 0);

/** Runs the same history through the engine and the reference model, and compares them at every step. */
class Comparison {
  readonly world: World;
  readonly owners = new ReferenceOwners(ids);
  readonly subscriptions = new Map<string, ReferenceSubscription>();

  constructor({ store }: History) {
    this.world = new World(ids, store);
  }

  step({ step, nowMs }: History['steps'][number]): void {
    switch (step.kind) {
      case 'tick':
        return this.world.tick(nowMs);
      case 'receive': {
        const firstOwner = ids[step.subscription.charCodeAt(1) % ids.length] ?? 'ann';
        const reference = this.subscriptions.get(step.subscription) ?? new ReferenceSubscription();
        this.subscriptions.set(step.subscription, reference);
        this.world.receive(step.subscription, step.observation, firstOwner, nowMs);
        reference.receive(step.observation);
        if (reference.isKnown) this.owners.first(step.subscription, firstOwner);
        return;
      }
      case 'post': {
        const isActive = this.subscriptions.get(step.subscription)?.givesAccess(nowMs) ?? false;
        this.world.post(step, nowMs);
        return this.owners.post(step.subscription, step.id, { ...step, isActive });
      }
      case 'identify': {
        const [from, into] = [this.owners.personOf(step.current), this.owners.personOf(step.next)];
        if (this.world.identify(step.current, step.next) === 'merge') this.owners.unite(from, into);
        return;
      }
      case 'grant':
        this.world.grant(step.id, step.endMs, nowMs);
        return this.owners.grant(step.id, step.endMs, nowMs);
      case 'revoke':
        this.world.revoke(step.id, nowMs);
        return this.owners.revokeGrants(step.id, nowMs);
    }
  }

  /**
   * Compares everything at one time. For subscriptions with new facts, it also compares the times around each of their
   * future changes.
   */
  check(nowMs: number, hasNews: (subscription: string) => boolean = () => true): void {
    for (const [key, reference] of this.subscriptions) {
      if (!reference.isKnown) continue;
      const { subscription, ledger } = this.world.find(key);
      const { accessEndsAtMs: end, addOns } = deriveState(subscription.facts, nowMs);
      const ends = [end, ...addOns.map(({ accessEndsAtMs }) => accessEndsAtMs)].filter((one) => one !== null);
      const around = [...ends.flatMap((one) => [one - 1, one]), nowMs + DAY_MS, nowMs + 31 * DAY_MS];
      for (const time of [nowMs, ...(hasNews(key) ? around : [])]) {
        const { givesAccess, addOns: others } = deriveState(subscription.facts, time);
        same(givesAccess, reference.givesAccess(time), `access of ${key} at ${time}`);
        const addOn = others.find(({ storeProductId }) => storeProductId === 'hifi');
        const expected = reference.givesAddOn('hifi', time);
        same(addOn?.givesAccess ?? false, expected, `add-on of ${key} at ${time}`);
      }
      same(sum(ledger.map(({ price }) => price.amountMicros)), reference.revenueMicros(), `money of ${key}`);
      const owners = this.world.ownersOf(key).map(({ name }) => name);
      same(owners.join(), this.owners.ownerOf(key), `owners of ${key}`);
    }
    for (const person of this.world.people) {
      const grants = person.subscriptions.filter((key) => key.startsWith('grant')).length;
      same(grants, this.owners.grantCount(person.name), `grants of ${person.name}`);
      const owned = [...this.subscriptions].filter(([key]) => this.owners.ownerOf(key) === person.name);
      const expected =
        this.owners.hasGrant(person.name, nowMs) ||
        owned.some(([, subscription]) => subscription.givesAccess(nowMs));
      same(this.world.hasEntitlement(person, nowMs), expected, `entitlement of ${person.name} at ${nowMs}`);
    }
  }
}

/** A plain comparison instead of `expect`, because there are millions of them. */
function same<T extends string | number | boolean | undefined>(engine: T, reference: T, what: string): void {
  if (engine !== reference) throw new Error(`${what}: engine ${engine}, reference ${reference}`);
}

/** `isPunctual`: due work runs before each step, as on a server without outages. */
function run(history: History, isPunctual = false): Comparison {
  const comparison = new Comparison(history);
  for (const step of history.steps) {
    if (isPunctual) comparison.world.tick(step.nowMs);
    comparison.step(step);
    comparison.check(
      step.nowMs,
      (subscription) => 'subscription' in step.step && step.step.subscription === subscription,
    );
  }
  return comparison;
}

/** Runs due work step by step, by default until nothing is due; returns the time of the last step. */
function runOut({ world }: Comparison, fromMs: number, untilMs = Infinity): number {
  let nowMs = fromMs;
  for (let passes = 0; passes < 1_000; passes++) {
    const due = [...world.tracked.values()].flatMap(({ nextDueAtMs }) => nextDueAtMs ?? []);
    const nextMs = Math.min(...due);
    if (due.length === 0 || nextMs > untilMs) return nowMs;
    nowMs = Math.max(nowMs, nextMs);
    world.tick(nowMs);
  }
  throw new Error('time never runs out');
}

/** Expects all due work to be complete. */
function checkAllEmitted({ world }: Comparison, nowMs: number): void {
  for (const [key, { subscription, events }] of world.tracked) {
    const left = missingEvents(
      subscription,
      events.map(({ event }) => event),
      nowMs,
    );
    if (left.length > 0) throw new Error(`not emitted for ${key} at ${nowMs}: ${left.join()}`);
    const { givesAccess, accessEndsAtMs } = deriveState(subscription.facts, nowMs);
    if (!givesAccess) continue;
    if (!isOpenBy(events) || !subscription.emitted.accessOpen)
      throw new Error(`access of ${key} at ${nowMs} came back without an event`);
    const view = viewSubscription(subscription.facts);
    const announced = announcedEnd(view, events);
    const isExtended = (view.latest.endMs ?? 0) > announced + MINUTE_MS && !view.hasBillingIssue;
    if (isExtended) throw new Error(`${key} ends at ${accessEndsAtMs}, announced is ${announced}`);
  }
}

/** Checks the invariants of a subscription's ledger and events. */
function checkInvariants({ events, subscription, ledger }: Tracked, periods: number): void {
  const rows = ledger.map(({ periodKey, kind, kindSeq }) => `${periodKey} ${kind} ${kindSeq}`);
  expect(new Set(rows).size).toBe(rows.length);
  const emitted = events.map(({ event }) => event);
  const ofType = (type: string) => emitted.filter((event) => event.type === type);
  expect(new Set(emitted.map(({ dedupeKey }) => dedupeKey)).size).toBe(emitted.length);
  expect(ofType('INITIAL_PURCHASE')).toHaveLength(1);
  const returns = ofType('RENEWAL').filter(({ dedupeKey }) => /:rn:p\d+:\d+$/.test(dedupeKey));
  expect(ofType('RENEWAL')).toHaveLength(periods - 1 + returns.length);
  expect(returns.every(({ price }) => price.amountMicros === 0)).toBe(true);
  const failed = ofType('BILLING_ISSUE').map(({ transactionId }) => transactionId);
  expect(new Set(failed).size).toBe(failed.length);
  let isOpen = false;
  let isUnsubscribed = false;
  for (const { event, nowMs, givesAccess } of events) {
    const parts = event.items?.map(({ price }) => price.amountMicros) ?? [];
    if (parts.length > 0) expect(sum(parts)).toBe(event.price.amountMicros ?? 0);
    const { type, expirationAtMs, purchasedAtMs, cancelReason } = event;
    expect(expirationAtMs ?? Infinity).toBeGreaterThanOrEqual(purchasedAtMs);
    if (type === 'UNCANCELLATION') expect(isUnsubscribed).toBe(true);
    if (type === 'CANCELLATION' && !['BILLING_ERROR', 'CUSTOMER_SUPPORT'].includes(cancelReason ?? ''))
      isUnsubscribed = true;
    if (type === 'UNCANCELLATION' || type === 'EXPIRATION') isUnsubscribed = false;
    if (type === 'EXPIRATION') {
      expect([isOpen, givesAccess]).toEqual([true, false]);
      expect(expirationAtMs).toBeLessThanOrEqual(nowMs + DAY_MS);
    }
    isOpen = type === 'EXPIRATION' ? false : isOpen || opens(event, givesAccess);
  }
  expect(subscription.emitted.accessOpen && !deriveState(subscription.facts, Infinity).givesAccess).toBe(
    false,
  );
}

/** Far more than needed, even on a busy machine. */
const TIME_LIMIT_MS = 600_000;
const settings = { seed, numRuns: RUNS };
/** Half of the histories stop midway; null means that a history does not stop. */
const stops = fc.option(fc.nat(), { freq: 1 });

describe(`random histories (seed ${seed})`, () => {
  it(
    'agrees with the reference on access, money and owners at every time, and ends with all events emitted',
    () => {
      fc.assert(
        fc.property(histories, fc.boolean(), stops, (whole, isPunctual, stop) => {
          const length = stop === null ? whole.steps.length : 1 + (stop % whole.steps.length);
          const history = { ...whole, steps: whole.steps.slice(0, length) };
          const comparison = run(history, isPunctual);
          const lastMs = history.steps.at(-1)?.nowMs ?? 0;
          for (const days of [0, 1, 20]) {
            const nowMs = lastMs + days * DAY_MS + 1;
            runOut(comparison, lastMs, nowMs);
            checkAllEmitted(comparison, nowMs);
          }
          const endMs = runOut(comparison, lastMs + 20 * DAY_MS + 1);
          comparison.check(endMs);
          checkAllEmitted(comparison, endMs);
          for (const [key, found] of comparison.world.tracked) {
            checkInvariants(found, comparison.subscriptions.get(key)?.periodCount ?? 1);
          }
        }),
        settings,
      );
    },
    TIME_LIMIT_MS,
  );

  it(
    'changes nothing when repeated',
    () => {
      fc.assert(
        fc.property(histories, (history) => {
          const { world } = run(history);
          const nowMs = (history.steps.at(-1)?.nowMs ?? 0) + MINUTE_MS;
          world.tick(nowMs);
          for (const { step } of history.steps) {
            if (step.kind !== 'receive') continue;
            const found = world.tracked.get(step.subscription);
            if (!found) continue;
            const again = applySubscription(found.subscription, step.observation, nowMs);
            expect([again.changed, again.events, again.ledger]).toEqual([false, [], []]);
            expect(again.subscription).toBe(found.subscription);
          }
        }),
        { ...settings, numRuns: FEWER_RUNS },
      );
    },
    TIME_LIMIT_MS,
  );

  it(
    'ends in the same facts, state and money in any order',
    () => {
      const shuffled = histories.chain((history) => {
        const received = history.steps.filter(({ step }) => step.kind === 'receive');
        return fc.tuple(
          fc.constant({ ...history, steps: received }),
          fc.shuffledSubarray(received, { minLength: received.length }),
        );
      });
      fc.assert(
        fc.property(shuffled, ([history, steps]) => {
          const nowMs = history.steps.at(-1)?.nowMs ?? 0;
          const straight = run(history);
          const mixed = run({ ...history, steps: steps.map(({ step }) => ({ step, nowMs })) });
          for (const [key, { subscription, ledger }] of straight.world.tracked) {
            const other = mixed.world.find(key);
            expect(other.subscription.facts).toEqual(subscription.facts);
            expect(deriveState(other.subscription.facts, nowMs)).toEqual(
              deriveState(subscription.facts, nowMs),
            );
            const money = (rows: typeof ledger): number => sum(rows.map(({ price }) => price.amountMicros));
            expect(money(other.ledger)).toBe(money(ledger));
          }
        }),
        { ...settings, numRuns: FEWER_RUNS },
      );
    },
    TIME_LIMIT_MS,
  );

  it(
    'merges to the same facts as all at once',
    () => {
      fc.assert(
        fc.property(histories, ({ steps }) => {
          const facts = new Map<string, SubscriptionFacts[]>();
          for (const { step } of steps) {
            if (step.kind === 'receive')
              facts.set(step.subscription, [...(facts.get(step.subscription) ?? []), step.observation.facts]);
          }
          for (const list of facts.values()) {
            const [left, right] = [list.slice(0, list.length / 2), list.slice(list.length / 2)].map((half) =>
              half.reduce(mergeSubscriptionFacts, noSubscriptionFacts),
            ) as [SubscriptionFacts, SubscriptionFacts];
            const whole = list.reduce(mergeSubscriptionFacts, noSubscriptionFacts);
            expect(mergeSubscriptionFacts(left, right)).toEqual(whole);
            expect(mergeSubscriptionFacts(right, left)).toEqual(whole);
            expect(mergeSubscriptionFacts(whole, left)).toBe(whole);
          }
        }),
        { ...settings, numRuns: FEWER_RUNS },
      );
    },
    TIME_LIMIT_MS,
  );
});
