import { applyChain, type Chain, type ChainState, newChain } from '../../libs/engine/index.js';
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

/** What one look at Google shows, and when it was taken. */
export interface Look {
  atMs: number;
  purchases: VerifiedPurchase[];
}

/** Chains by key, as the recorder leads them; each look is heard when it was taken, or all at `nowMs`. */
export function record(
  looks: Look[],
  nowMs: number | null = null,
): { chains: Chain[]; states: ChainState[]; events: string[] } {
  const chains = new Map<string, Chain>();
  const states = new Map<string, ChainState>();
  const events: string[] = [];
  const all = looks.flatMap(({ atMs, purchases }) => purchases.map((purchase) => ({ atMs, purchase })));
  for (const { atMs, purchase } of all) {
    const { key, continues = key } = purchase;
    if (purchase.kind !== 'chain') throw new Error('a subscription is a chain');
    const continued = [...chains.values()].find(({ facts }) => facts.continuations?.[key] !== undefined);
    const chainKey = chains.has(key) ? key : (continued?.chainKey ?? continues);
    const identity = { id: chainKey, store: 'play_store', environment: 'production', chainKey } as const;
    const chain = chains.get(chainKey) ?? newChain(identity);
    if (purchase.onlyIfKnown && !chains.has(chainKey)) continue;
    const { observation, settle } = purchase;
    const facts = settle ? settle(observation.facts, chain.facts) : observation.facts;
    const change = applyChain(chain, { ...observation, facts }, nowMs ?? atMs);
    chains.set(chainKey, change.chain);
    states.set(chainKey, change.state);
    events.push(...change.events.map(({ type }) => type));
  }
  const keys = [...chains.keys()].sort();
  return {
    chains: keys.map((key) => chains.get(key) as Chain),
    states: keys.map((key) => states.get(key) as ChainState),
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

/** A Google Play and who looks at it, without a server of ours. */
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
  async look(token: string, hints: PlayHints = {}): Promise<Look> {
    this.clock.advanceMs(1_000);
    const found = await this.google.look(token, hints);
    if ('failure' in found) throw new Error(found.message);
    return { atMs: this.clock.nowMs(), purchases: found.purchases };
  }
}
