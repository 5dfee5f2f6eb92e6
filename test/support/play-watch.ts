import {
  applySubscription,
  type Subscription,
  type SubscriptionState,
  newSubscription,
} from '../../libs/engine/index.js';
import { ManualClock } from '../../libs/kernel/index.js';

import {
  CircuitBreaker,
  GoogleClients,
  GooglePlay,
  type PlayHints,
  type VerifiedPurchase,
} from '../../libs/stores/index.js';
import { FakePlay } from './fake-play/fake-play.js';
import { FakePlayServer } from './fake-play/fake-play-server.js';

/** What Google returned for one read, and when. */
export interface PlayRead {
  atMs: number;
  purchases: VerifiedPurchase[];
}

/** Applies the reads as the server would, each at its own time or all at `nowMs`. */
export function record(
  reads: PlayRead[],
  nowMs: number | null = null,
): { subscriptions: Subscription[]; states: SubscriptionState[]; events: string[] } {
  const subscriptions = new Map<string, Subscription>();
  const states = new Map<string, SubscriptionState>();
  const events: string[] = [];
  const all = reads.flatMap(({ atMs, purchases }) => purchases.map((purchase) => ({ atMs, purchase })));
  for (const { atMs, purchase } of all) {
    const { key, continues = key } = purchase;
    if (purchase.kind !== 'subscription') throw new Error('a subscription is a subscription');
    const continued = [...subscriptions.values()].find(
      ({ facts }) => facts.continuations?.[key] !== undefined,
    );
    const storeKey = subscriptions.has(key) ? key : (continued?.storeKey ?? continues);
    const identity = { id: storeKey, store: 'play_store', environment: 'production', storeKey } as const;
    const subscription = subscriptions.get(storeKey) ?? newSubscription(identity);
    if (purchase.onlyIfKnown && !subscriptions.has(storeKey)) continue;
    const { observation, settle } = purchase;
    const facts = settle ? settle(observation.facts, subscription.facts) : observation.facts;
    const change = applySubscription(subscription, { ...observation, facts }, nowMs ?? atMs);
    subscriptions.set(storeKey, change.subscription);
    states.set(storeKey, change.state);
    events.push(...change.events.map(({ type }) => type));
  }
  const keys = [...subscriptions.keys()].sort();
  return {
    subscriptions: keys.map((key) => subscriptions.get(key) as Subscription),
    states: keys.map((key) => states.get(key) as SubscriptionState),
    events,
  };
}

export function shuffled<T>(items: T[], random: Iterator<number>): T[] {
  const all = [...items];
  for (let index = all.length - 1; index > 0; index--) {
    const other = (random.next().value as number) % (index + 1);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

/** Reads purchases from a fake Google Play, without a server. */
export class PlayWatch {
  readonly clock: ManualClock;
  readonly play: FakePlay;
  readonly server: FakePlayServer;
  private google!: GooglePlay;

  constructor(startMs: number) {
    this.clock = new ManualClock(startMs);
    this.play = new FakePlay(this.clock, 'com.example.app');
    this.server = new FakePlayServer(this.play);
  }

  async start(): Promise<void> {
    await this.server.start();
    const { client_email: clientEmail, private_key: privateKeyPem } = this.server.serviceAccount;
    const app = { packageName: 'com.example.app', serviceAccount: { clientEmail, privateKeyPem } };
    const breaker = new CircuitBreaker(() => this.clock.nowMs());
    const { url } = this.server;
    const clients = new GoogleClients({ api: url, token: `${url}/token` }, breaker);
    this.google = new GooglePlay(app, { clients, nowMs: () => this.clock.nowMs(), deadlineMs: 60_000 });
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** A second later. */
  async read(token: string, hints: PlayHints = {}): Promise<PlayRead> {
    this.clock.advanceMs(1_000);
    const found = await this.google.read(token, hints);
    if ('failure' in found) throw new Error(found.message);
    return { atMs: this.clock.nowMs(), purchases: found.purchases };
  }
}
