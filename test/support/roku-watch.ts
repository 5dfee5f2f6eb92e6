import {
  applySubscription,
  newSubscription,
  type Subscription,
  type SubscriptionState,
} from '../../libs/engine/index.js';
import { ManualClock } from '../../libs/kernel/index.js';
import {
  CircuitBreaker,
  type KnownRokuPurchase,
  type PostedReceipt,
  readRokuPush,
  RokuStore,
  type VerificationFailure,
  type Verified,
} from '../../libs/stores/index.js';
import { FakeRoku } from './fake-roku/fake-roku.js';
import { FakeRokuPushes } from './fake-roku/fake-roku-pushes.js';
import type { FakeRokuSubscription, RokuMessage } from './fake-roku/fake-roku-subscription.js';

const DAY_MS = 86_400_000;

/** Money and access of one subscription, as a row of a table. */
export interface RokuState {
  status: string;
  renews: string;
  access: boolean;
  /** Days after the start of the watch. */
  endsOn: number | null;
}

/** Asks a fake Roku and applies its answers, as the server does, without a server. */
export class RokuWatch {
  readonly clock: ManualClock;
  readonly roku: FakeRoku;
  readonly events: string[] = [];
  /** Micros by kind of ledger row. */
  readonly ledger: [kind: string, micros: number | null][] = [];
  /** Duration of the product in the catalog. */
  duration: string | null = null;
  private readonly pushes: FakeRokuPushes;
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly states = new Map<string, SubscriptionState>();
  private store!: RokuStore;
  private startMs: number;

  constructor(startMs: number) {
    this.startMs = startMs;
    this.clock = new ManualClock(startMs);
    this.roku = new FakeRoku(this.clock);
    this.pushes = new FakeRokuPushes(this.clock);
  }

  async start(): Promise<void> {
    await this.roku.start();
    this.store = new RokuStore(
      {
        appId: 'app',
        apiKey: this.roku.apiKey,
        channelId: this.roku.channelId,
        known: (key) => Promise.resolve(this.known(key)),
        sold: () => Promise.resolve({ isSoldOnce: false, duration: this.duration }),
        appOfChannel: () => Promise.resolve(null),
      },
      { url: this.roku.url, deadlineMs: 60_000, breaker: new CircuitBreaker(() => this.clock.nowMs()) },
      () => this.clock.nowMs(),
    );
  }

  close(): Promise<void> {
    return this.roku.close();
  }

  /** Forgets all; days are counted from now on. */
  reset(): void {
    this.startMs = this.clock.nowMs();
    this.duration = null;
    this.subscriptions.clear();
    this.states.clear();
    this.events.length = 0;
    this.ledger.length = 0;
  }

  on(day: number): void {
    const atMs = this.startMs + Math.round(day * DAY_MS);
    this.clock.advanceMs(Math.max(0, atMs - this.clock.nowMs()));
  }

  async post(fetchToken: string, more: Partial<PostedReceipt> = {}): Promise<void> {
    this.clock.advanceMs(1);
    const receipt = {
      fetchToken,
      productIds: [],
      price: null,
      country: null,
      presentedOfferingId: null,
      ...more,
    };
    this.apply(await this.store.verify(receipt));
  }

  async push(message: RokuMessage): Promise<void> {
    this.clock.advanceMs(1);
    const { notification } = readRokuPush(Buffer.from(this.pushes.push(message)));
    this.apply(await this.store.notified(notification));
  }

  async poll(life: FakeRokuSubscription): Promise<void> {
    this.clock.advanceMs(1);
    const answer = await this.store.refresh(keyOf(life.id), 'production');
    this.apply(answer.failure === null ? { ...answer, environment: 'production' } : answer);
  }

  stateOf(life: FakeRokuSubscription): RokuState | null {
    const state = this.states.get(keyOf(life.id));
    if (!state) return null;
    const { status, autoRenewalStatus: renews, givesAccess: access, accessEndsAtMs: endMs } = state;
    return { status, renews, access, endsOn: endMs === null ? null : this.dayOf(endMs) };
  }

  /** Days after the start of the watch. */
  dayOf(atMs: number): number {
    return Math.round(((atMs - this.startMs) / DAY_MS) * 100) / 100;
  }

  /** Sorted by start. */
  periodsOf(life: FakeRokuSubscription): { startMs: number; endMs: number | null }[] {
    const { periods = {} } = this.subscriptions.get(keyOf(life.id))?.facts ?? {};
    return Object.values(periods)
      .map(({ value }) => value)
      .sort((a, b) => a.startMs - b.startMs);
  }

  private known(key: string): KnownRokuPurchase | null {
    const subscription = this.subscriptions.get(key);
    if (!subscription) return null;
    const ids = Object.values(subscription.facts.periods)
      .sort((a, b) => b.value.startMs - a.value.startMs)
      .map(({ value }) => value.storeTransactionId);
    const latestId = ids.find((id) => !id.startsWith(`${key}.`)) ?? null;
    return { kind: 'subscription', environment: 'production', latestId };
  }

  private apply(answer: Pick<Verified, 'purchases' | 'failure' | 'environment'> | VerificationFailure): void {
    if (answer.failure !== null) throw new Error(answer.message);
    for (const purchase of answer.purchases) {
      if (purchase.kind !== 'subscription') throw new Error('a subscription is a subscription');
      const { key, observation, settle } = purchase;
      const identity = { id: key, store: 'roku', environment: 'production', storeKey: key } as const;
      const known = this.subscriptions.get(key);
      if (!known && purchase.onlyIfKnown) continue;
      const subscription = known ?? newSubscription(identity);
      const facts = settle ? settle(observation.facts, subscription.facts) : observation.facts;
      const change = applySubscription(subscription, { ...observation, facts }, this.clock.nowMs());
      this.subscriptions.set(key, change.subscription);
      this.states.set(key, change.state);
      this.events.push(
        ...change.events.map(({ type, cancelReason, expirationReason, periodType }) => {
          const detail = expirationReason ?? cancelReason ?? (periodType === 'normal' ? null : periodType);
          return detail ? `${type}/${detail}` : type;
        }),
      );
      this.ledger.push(
        ...change.ledger.map(({ kind, price }): [string, number | null] => [kind, price.amountMicros]),
      );
    }
  }
}

function keyOf(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
