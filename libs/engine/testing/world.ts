import {
  applySubscription,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionFacts,
  decideIdentify,
  decideOwnership,
  deriveState,
  type EngineEvent,
  grantObservation,
  grantProductId,
  grantRevocation,
  isDuplicateGrant,
  type LedgerEntry,
  newSubscription,
  type Observation,
  resolveEntitlements,
  type Store,
  type TransferBehavior,
} from '../index.js';

export type Step =
  | { kind: 'tick' }
  | { kind: 'receive'; subscription: string; observation: Observation<SubscriptionFacts> }
  | { kind: 'post'; subscription: string; id: string; behavior: TransferBehavior; isRestore: boolean }
  | { kind: 'identify'; current: string; next: string }
  | { kind: 'grant'; id: string; endMs: number }
  | { kind: 'revoke'; id: string };

export interface Tracked {
  subscription: Subscription;
  events: { event: EngineEvent; nowMs: number; givesAccess: boolean }[];
  ledger: LedgerEntry[];
  nextDueAtMs: number | null;
}

export interface Person {
  name: string;
  ids: string[];
  subscriptions: string[];
}

const isAnonymous = (id: string): boolean => id.startsWith('$');

/** Customers and their subscriptions in the engine without a database, one step at a time. */
export class World {
  readonly tracked = new Map<string, Tracked>();
  people: Person[];
  /** Observations received before their purchase; applied once it is known. */
  private readonly early = new Map<string, Observation<SubscriptionFacts>[]>();
  private grants = 0;

  constructor(
    ids: string[],
    private readonly store: Store,
  ) {
    this.people = ids.map((id) => ({ name: id, ids: [id], subscriptions: [] }));
  }

  personOf(id: string): Person {
    const person = this.people.find(({ ids }) => ids.includes(id));
    if (!person) throw new Error(`no customer ${id}`);
    return person;
  }

  ownersOf(subscription: string): Person[] {
    return this.people.filter(({ subscriptions }) => subscriptions.includes(subscription));
  }

  receive(key: string, observation: Observation<SubscriptionFacts>, firstOwner: string, nowMs: number): void {
    const found = this.tracked.get(key);
    if (!found && Object.keys(observation.facts.periods).length === 0) {
      this.early.set(key, [...(this.early.get(key) ?? []), observation]);
      return;
    }
    if (!found) this.personOf(firstOwner).subscriptions.push(key);
    const change = applySubscription(found?.subscription ?? this.fresh(key, this.store), observation, nowMs);
    // Like the database, does not write an unchanged subscription.
    if (change.changed) this.take(key, change, nowMs);
    for (const waiting of found ? [] : (this.early.get(key) ?? []))
      this.receive(key, waiting, firstOwner, nowMs);
  }

  tick(nowMs: number): void {
    for (const [key, { subscription, nextDueAtMs }] of this.tracked) {
      if (nextDueAtMs !== null && nextDueAtMs <= nowMs)
        this.take(key, applySubscription(subscription, null, nowMs), nowMs);
    }
  }

  post(step: Extract<Step, { kind: 'post' }>, nowMs: number): void {
    const poster = this.personOf(step.id);
    const [owner] = this.ownersOf(step.subscription);
    const found = this.tracked.get(step.subscription);
    if (!owner || !found || owner === poster) return;
    const decision = decideOwnership({
      behavior: step.behavior,
      isRestore: step.isRestore,
      ownerIsIdentified: owner.ids.some((id) => !isAnonymous(id)),
      ownerHasActiveSubscription: deriveState(found.subscription.facts, nowMs).givesAccess,
    });
    if (decision === 'merge') {
      const posterIsIdentified = poster.ids.some((id) => !isAnonymous(id));
      if (posterIsIdentified) this.merge(owner, poster);
      else this.merge(poster, owner);
    } else if (decision === 'move') {
      owner.subscriptions = owner.subscriptions.filter((key) => key !== step.subscription);
      poster.subscriptions = [...poster.subscriptions, step.subscription];
    }
  }

  identify(currentId: string, nextId: string): ReturnType<typeof decideIdentify> {
    const current = this.personOf(currentId);
    const next = this.personOf(nextId);
    const decision = decideIdentify({
      sameCustomer: current === next,
      currentIsAnonymous: current.ids.every(isAnonymous),
      newIdExists: true,
      newCustomerHasAnonymousAlias: next.ids.some(isAnonymous),
    });
    if (decision === 'merge') this.merge(current, next);
    return decision;
  }

  grant(id: string, endMs: number, nowMs: number): void {
    const person = this.personOf(id);
    const running = this.grantsOf(person)
      .map(({ subscription }) => deriveState(subscription.facts, nowMs))
      .filter(({ givesAccess }) => givesAccess)
      .map(({ accessEndsAtMs }) => ({ endMs: accessEndsAtMs }));
    if (isDuplicateGrant(running, endMs)) return;
    this.grants += 1;
    const key = `grant${this.grants}`;
    const grant = {
      key,
      storeProductId: grantProductId('pro', 'custom'),
      transactionId: key,
      grantedAtMs: nowMs,
      endMs,
    };
    person.subscriptions.push(key);
    this.take(key, applySubscription(this.fresh(key, 'promotional'), grantObservation(grant), nowMs), nowMs);
  }

  revoke(id: string, nowMs: number): void {
    for (const { subscription } of this.grantsOf(this.personOf(id))) {
      if (!deriveState(subscription.facts, nowMs).givesAccess) continue;
      const grantedAtMs = deriveState(subscription.facts, nowMs).startedAtMs;
      const revocation = grantRevocation({ key: subscription.storeKey, grantedAtMs }, nowMs);
      this.take(subscription.storeKey, applySubscription(subscription, revocation, nowMs), nowMs);
    }
  }

  hasEntitlement(person: Person, nowMs: number): boolean {
    const sources = person.subscriptions.map((key) => ({
      id: key,
      state: deriveState(this.find(key).subscription.facts, nowMs),
      entitlements: [{ id: 'entl1', lookupKey: 'pro' }],
    }));
    return resolveEntitlements(sources, [], nowMs)[0]?.active ?? false;
  }

  find(key: string): Tracked {
    const found = this.tracked.get(key);
    if (!found) throw new Error(`no subscription ${key}`);
    return found;
  }

  private grantsOf(person: Person): Tracked[] {
    return person.subscriptions
      .map((key) => this.find(key))
      .filter(({ subscription }) => subscription.store === 'promotional');
  }

  private merge(from: Person, into: Person): void {
    into.ids.push(...from.ids);
    into.subscriptions.push(...from.subscriptions);
    this.people = this.people.filter((person) => person !== from);
  }

  private fresh(key: string, store: Store): Subscription {
    return newSubscription({ id: `sub_${key}`, store, environment: 'production', storeKey: key });
  }

  private take(
    key: string,
    { subscription, state, events, ledger }: SubscriptionChange,
    nowMs: number,
  ): void {
    const found = this.tracked.get(key);
    this.tracked.set(key, {
      // In the form that the database stores.
      subscription: JSON.parse(JSON.stringify(subscription)) as Subscription,
      events: [
        ...(found?.events ?? []),
        ...events.map((event) => ({ event, nowMs, givesAccess: state.givesAccess })),
      ],
      ledger: [...(found?.ledger ?? []), ...ledger],
      nextDueAtMs: state.nextDueAtMs,
    });
  }
}
