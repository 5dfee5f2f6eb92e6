import {
  applySubscription,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  type Subscription,
  type SubscriptionState,
} from '../../../libs/engine/index.js';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { inLightOf } from '../../../libs/stores/paddle/known-facts.js';
import type { PaddleHistory } from '../../../libs/stores/paddle/paddle-objects.js';
import { subscriptionFacts } from '../../../libs/stores/paddle/subscription-facts.js';
import { FakePaddle, paddlePrices } from './fake-paddle.js';
import type { FakePaddleSubscription } from './fake-paddle-subscription.js';

export const START_MS = Date.UTC(2026, 0, 1);
export const DAY_MS = 86_400_000;
const { monthly } = paddlePrices;

/** A subscription at Paddle, and what the engine makes of it whenever it is read. */
export class PaddleReader {
  readonly paddle: FakePaddle;
  readonly life: FakePaddleSubscription;
  readonly ledger: LedgerEntry[] = [];
  lastEvents: EngineEvent[] = [];
  private subscription: Subscription;
  private state: SubscriptionState | null = null;

  constructor(
    private readonly clock: ManualClock,
    start: ConstructorParameters<typeof FakePaddleSubscription>[2] = {},
  ) {
    this.paddle = new FakePaddle(clock);
    this.life = this.paddle.subscribe(monthly, start);
    this.subscription = newSubscription({
      id: 'sub1',
      store: 'paddle',
      environment: 'production',
      storeKey: this.life.id,
    });
  }

  get history(): PaddleHistory {
    const { object, transactions } = this.life;
    return structuredClone({
      subscription: object,
      transactions,
      hasMore: false,
    }) as unknown as PaddleHistory;
  }

  to(day: number): this {
    this.clock.advanceMs(Math.round(START_MS + day * DAY_MS - this.clock.nowMs()));
    return this;
  }

  /** Reads it at Paddle; gives the events. */
  read(): string[] {
    const at = this.clock.nowMs();
    const reported = subscriptionFacts(this.history, at);
    if (!reported) throw new Error('nothing is paid');
    const { facts: known } = this.subscription;
    const facts = inLightOf(reported, at)(reported.facts, known);
    return this.take(applySubscription(this.subscription, { atMs: at, facts }, at));
  }

  /** Only time passes. */
  pass(): string[] {
    const at = this.clock.nowMs();
    const { facts } = this.subscription;
    return this.take(applySubscription(this.subscription, { atMs: 0, facts }, at));
  }

  /** Status, renewal, access, and the day on which it ends. */
  get now(): unknown[] {
    const { state } = this;
    if (!state) throw new Error('nothing was read');
    const { status, autoRenewalStatus, givesAccess, accessEndsAtMs } = state;
    const endDay = Math.round(((accessEndsAtMs ?? 0) - START_MS) / (DAY_MS / 1000)) / 1000;
    return [status, autoRenewalStatus, givesAccess, endDay];
  }

  get gross(): number {
    return this.ledger.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0) / 1e6;
  }

  private take(change: ReturnType<typeof applySubscription>): string[] {
    this.subscription = change.subscription;
    this.state = change.state;
    this.ledger.push(...change.ledger);
    this.lastEvents = change.events;
    return change.events.map(({ type, cancelReason, expirationReason }) =>
      [type, cancelReason ?? expirationReason].filter((part) => part !== undefined).join('/'),
    );
  }
}
