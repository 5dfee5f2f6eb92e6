import { type SubscriptionView } from './subscription-view.js';
import { eventAbout } from './period-event.js';
import type { Subscription, EmittedState, SubscriptionState } from './model.js';
import type { EngineEvent, EventType } from './outcome.model.js';
import type { KeyedPeriod } from './periods.js';

export interface Transition {
  subscription: Pick<Subscription, 'id' | 'store'>;
  /** Null: the subscription is new. */
  before: SubscriptionView | null;
  view: SubscriptionView;
  state: SubscriptionState;
  nowMs: number;
  /** The observation is older than the known facts, so it emits no state change. */
  isLate: boolean;
  storeCanBeAsked: boolean;
  listeningSinceMs: number;
}

type Forgettable =
  'addOns' | 'nextProduct' | 'pause' | 'consentOpen' | 'extendedTo' | 'replaced' | 'endedAt' | 'cancelledAt';

export class EventRecorder {
  readonly events: EngineEvent[] = [];
  emitted: EmittedState;
  hasReopened = false;

  constructor(
    readonly transition: Transition,
    emitted: EmittedState,
  ) {
    this.emitted = emitted;
  }

  /** Emits an event that can occur more than once in a subscription's lifetime. */
  report(
    type: EventType,
    tag: string,
    period: KeyedPeriod,
    more: Partial<EngineEvent> & { occurredAtMs: number },
  ): void {
    const count = this.emitted.repeatable ?? 0;
    this.emitOnce(type, `${tag}:${count}`, period, more);
    this.remember({ repeatable: count + 1 });
  }

  /** Emits an event whose dedupe key fully identifies its cause. */
  emitOnce(
    type: EventType,
    key: string,
    period: KeyedPeriod,
    more: Partial<EngineEvent> & { occurredAtMs: number },
  ): void {
    const { subscription, view, nowMs } = this.transition;
    const event = { type, dedupeKey: `${subscription.id}:${key}`, ...more };
    this.events.push(eventAbout(subscription, view, period, event, nowMs));
  }

  get isOpen(): boolean {
    return this.emitted.accessOpen && this.transition.state.givesAccess;
  }

  /** An emitted event implies access, even if the end of access was emitted before. */
  reopen(): void {
    if (!this.transition.state.givesAccess || this.emitted.accessOpen) return;
    this.hasReopened = true;
    this.forget('endedAt', 'cancelledAt');
    this.remember({ accessOpen: true });
  }

  remember(more: Partial<EmittedState>): void {
    this.emitted = { ...this.emitted, ...more };
  }

  forget(...keys: Forgettable[]): void {
    if (keys.every((key) => this.emitted[key] === undefined)) return;
    this.emitted = { ...this.emitted };
    for (const key of keys) delete this.emitted[key];
  }
}
