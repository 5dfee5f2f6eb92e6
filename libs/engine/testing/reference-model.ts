import type {
  AddOnFact,
  SubscriptionFacts,
  Observation,
  PeriodFact,
  Price,
  RefundFact,
  RenewalFact,
  Source,
  TransferBehavior,
} from '../index.js';

/**
 * A second engine that aims to be obviously correct rather than fast: it stores every statement and, for each answer,
 * sorts them by time and replays all of them. It shares only the types of the statements with the engine.
 */

const weakestFirst: Source[] = ['device', 'notification_hint', 'api', 'signed'];

interface Statement {
  at: number;
  src: Source;
  /** The final tie-breaker between two statements. */
  text: string;
  apply: (world: Played) => void;
}

interface Played {
  periods: Map<string, PeriodFact>;
  addOns: Map<string, AddOnFact>;
  prices: Map<string, Price[]>;
  refunds: Map<string, RefundFact>;
  renewal: { at: number; value: RenewalFact } | null;
  grace: Map<string, number | null>;
  expired: Map<string, number | null>;
  replacedAt: number | null;
}

function textOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  const known = Object.entries(value).filter(([, part]) => part !== undefined);
  const parts = known.map(([key, part]) => `${JSON.stringify(key)}:${textOf(part)}`);
  return `{${parts.sort().join(',')}}`;
}

function statementsOf({ facts }: Observation<SubscriptionFacts>): Statement[] {
  const statements: Statement[] = [];
  const say = <T>(
    register: { at: number; src: Source; value: T } | null | undefined,
    apply: (world: Played, value: T, at: number) => void,
  ): void => {
    if (!register) return;
    const { at, src, value } = register;
    statements.push({ at, src, text: textOf(value), apply: (world) => apply(world, value, at) });
  };
  for (const [key, register] of Object.entries(facts.periods)) {
    say(register, (world, value) => {
      world.periods.set(key, value);
      world.prices.set(key, [...(world.prices.get(key) ?? []), value.price]);
    });
  }
  for (const [key, register] of Object.entries(facts.addOns ?? {})) {
    say(register, (world, value) => {
      world.addOns.set(key, value);
      world.prices.set(key, [...(world.prices.get(key) ?? []), value.price]);
    });
  }
  for (const [key, register] of Object.entries(facts.refunds)) {
    say(register, (world, value) => world.refunds.set(key, value));
  }
  for (const [key, { grace, expired }] of Object.entries(facts.ends ?? {})) {
    say(grace, (world, value) => world.grace.set(key, value));
    say(expired, (world, value) => world.expired.set(key, value));
  }
  say(facts.renewal, (world, value, at) => (world.renewal = { at, value }));
  say(facts.replaced, (world, value) => (world.replacedAt = value.atMs));
  return statements;
}

export class ReferenceSubscription {
  private readonly received: Statement[] = [];
  private played: Played | null = null;

  receive(observation: Observation<SubscriptionFacts>): void {
    this.received.push(...statementsOf(observation));
    this.played = null;
  }

  get isKnown(): boolean {
    return this.play().periods.size > 0;
  }

  get periodCount(): number {
    return this.play().periods.size;
  }

  givesAccess(nowMs: number): boolean {
    const world = this.play();
    const history = this.history(world);
    const [key, period] = history.at(-1) ?? [];
    if (key === undefined || period === undefined || world.replacedAt !== null) return false;
    const refund = world.refunds.get(key);
    if (refund && refund.kind !== 'partial' && refund.revokedAtMs !== null) return false;
    const latestRenewal = world.renewal && this.speaksOf(world, history) === key ? world.renewal.value : null;
    const reasonsToHaveIt = [
      period.endMs === null || nowMs < period.endMs,
      nowMs < (latestRenewal?.graceUntilMs ?? world.grace.get(key) ?? -1),
      latestRenewal !== null &&
        !latestRenewal.autoRenew &&
        !latestRenewal.inRetry &&
        nowMs < (latestRenewal.commitmentEndsAtMs ?? -1),
    ];
    const takenAt = world.expired.get(key) ?? null;
    const taken = takenAt !== null && nowMs >= Math.max(takenAt, period.startMs);
    return reasonsToHaveIt.includes(true) && !taken;
  }

  givesAddOn(product: string, nowMs: number): boolean {
    const world = this.play();
    const revokedAt = (key: string): number | null => {
      const refund = world.refunds.get(key);
      return refund && refund.kind !== 'partial' ? refund.revokedAtMs : null;
    };
    const [latest] = this.history(world).at(-1) ?? [];
    if (latest === undefined || world.replacedAt !== null || revokedAt(latest) !== null) return false;
    const [key, addOn] =
      [...world.addOns]
        .filter(([, { storeProductId }]) => storeProductId === product)
        .sort(([ka, a], [kb, b]) => a.startMs - b.startMs || (ka < kb ? -1 : 1))
        .filter(([, { chargeKey, startMs }], index) => {
          const back = revokedAt(chargeKey);
          return index === 0 || back === null || back >= startMs;
        })
        .at(-1) ?? [];
    if (key === undefined || addOn === undefined) return false;
    const isPaid = addOn.endMs === null || nowMs < addOn.endMs || nowMs < (world.grace.get(key) ?? -1);
    const taken = [world.expired.get(key) ?? null, revokedAt(addOn.chargeKey)];
    return isPaid && taken.every((atMs) => atMs === null || nowMs < Math.max(atMs, addOn.startMs));
  }

  revenueMicros(): number {
    const world = this.play();
    const paid = new Map<string, number>();
    const sold = [
      ...[...world.periods].map(([key, fact]) => ({ key, chargeKey: key, fact })),
      ...[...world.addOns].map(([key, fact]) => ({ key, chargeKey: fact.chargeKey, fact })),
    ];
    for (const { key, chargeKey, fact } of sold) {
      if (fact.kind === 'trial' || fact.ownership === 'family_shared') continue;
      const known = (world.prices.get(key) ?? []).filter(({ amountMicros }) => amountMicros !== null);
      const stores = known.filter(({ source }) => source === 'store');
      const micros = (stores.length > 0 ? stores : known).at(-1)?.amountMicros ?? 0;
      paid.set(chargeKey, (paid.get(chargeKey) ?? 0) + micros);
    }
    let sum = 0;
    for (const [key, micros] of paid) {
      const refund = world.refunds.get(key);
      const isBack = refund !== undefined && refund.revokedAtMs !== null && refund.kind !== 'family';
      const share = refund?.milliPercent ?? 100_000;
      const back = isBack ? (refund.amountMicros ?? Math.round((micros * share) / 100_000)) : 0;
      sum += micros - Math.min(micros, back);
    }
    return sum;
  }

  private play(): Played {
    return (this.played ??= this.playAll());
  }

  private playAll(): Played {
    const world: Played = {
      periods: new Map(),
      addOns: new Map(),
      prices: new Map(),
      refunds: new Map(),
      renewal: null,
      grace: new Map(),
      expired: new Map(),
      replacedAt: null,
    };
    const all = this.received.toSorted(
      (a, b) =>
        a.at - b.at ||
        weakestFirst.indexOf(a.src) - weakestFirst.indexOf(b.src) ||
        (a.text === b.text ? 0 : a.text < b.text ? -1 : 1),
    );
    for (const { apply } of all) apply(world);
    return world;
  }

  /** Periods in order of purchase, without those refunded before they started. */
  private history(world: Played): [string, PeriodFact][] {
    const sorted = [...world.periods].sort(([ka, a], [kb, b]) => a.startMs - b.startMs || (ka < kb ? -1 : 1));
    return sorted.filter(([key, period], index) => {
      const refund = world.refunds.get(key);
      const back = refund && refund.kind !== 'partial' ? refund.revokedAtMs : null;
      return index === 0 || back === null || back >= period.startMs;
    });
  }

  /** Key of the period that the renewal statement refers to. */
  private speaksOf({ renewal }: Played, history: [string, PeriodFact][]): string | undefined {
    if (!renewal) return undefined;
    const named = history.find(([key]) => key === renewal.value.periodKey);
    const begun = history.filter(([, { startMs }]) => startMs <= renewal.at);
    return (named ?? begun.at(-1) ?? history[0])?.[0];
  }
}

interface ReferenceGrant {
  owner: string;
  endMs: number;
  revokedAtMs: number | null;
}

/** Reference model of ownership: replays every post and sign-in in order. */
export class ReferenceOwners {
  /** Person by app user id; all ids of one person map to the same value. */
  private readonly person = new Map<string, string>();
  private readonly owner = new Map<string, string>();
  private readonly grants: ReferenceGrant[] = [];

  constructor(ids: string[]) {
    for (const id of ids) this.person.set(id, id);
  }

  personOf(id: string): string {
    return this.person.get(id) ?? id;
  }

  ownerOf(subscription: string): string | undefined {
    return this.owner.get(subscription);
  }

  first(subscription: string, id: string): void {
    if (!this.owner.has(subscription)) this.owner.set(subscription, this.personOf(id));
  }

  post(
    subscription: string,
    id: string,
    rule: { behavior: TransferBehavior; isRestore: boolean; isActive: boolean },
  ): void {
    const owner = this.owner.get(subscription);
    const poster = this.personOf(id);
    if (owner === undefined || owner === poster) return;
    const isIdentified = (who: string): boolean =>
      [...this.person].some(([name, person]) => person === who && !name.startsWith('$'));
    if (!isIdentified(owner))
      return isIdentified(poster) ? this.unite(owner, poster) : this.unite(poster, owner);
    const { behavior, isRestore, isActive } = rule;
    if (behavior === 'share' && isRestore) {
      if (isIdentified(poster)) this.unite(owner, poster);
      else this.unite(poster, owner);
    }
    if (behavior === 'transfer' || (behavior === 'transfer_if_no_active' && !isActive))
      this.owner.set(subscription, poster);
  }

  unite(from: string, into: string): void {
    for (const [name, person] of this.person) if (person === from) this.person.set(name, into);
    for (const [subscription, owner] of this.owner) if (owner === from) this.owner.set(subscription, into);
    for (const grant of this.grants) if (grant.owner === from) grant.owner = into;
  }

  grant(id: string, endMs: number, nowMs: number): void {
    const owner = this.personOf(id);
    const same = this.grants.some(
      (grant) =>
        grant.owner === owner && isRunning(grant, nowMs) && Math.abs(grant.endMs - endMs) <= 7_200_000,
    );
    if (!same) this.grants.push({ owner, endMs, revokedAtMs: null });
  }

  revokeGrants(id: string, nowMs: number): void {
    for (const grant of this.grants) {
      if (grant.owner === this.personOf(id) && isRunning(grant, nowMs)) grant.revokedAtMs = nowMs;
    }
  }

  grantCount(person: string): number {
    return this.grants.filter(({ owner }) => owner === person).length;
  }

  hasGrant(person: string, nowMs: number): boolean {
    return this.grants.some((grant) => grant.owner === person && isRunning(grant, nowMs));
  }
}

function isRunning({ endMs, revokedAtMs }: ReferenceGrant, nowMs: number): boolean {
  return nowMs < (revokedAtMs ?? endMs) && nowMs < endMs;
}
