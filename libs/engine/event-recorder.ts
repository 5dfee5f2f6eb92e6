import { type SubscriptionView } from './subscription-view.js';
import { eventAbout } from './period-event.js';
import type { Subscription, EmittedState, SubscriptionState } from './model.js';
import type { EngineEvent, EventType } from './outcome.model.js';
import type { KeyedPeriod } from './periods.js';

/** What is known before and after one observation, and when. */
export interface Transition {
  subscription: Pick<Subscription, 'id' | 'store'>;
  /** Null: the subscription was not known. */
  before: SubscriptionView | null;
  view: SubscriptionView;
  state: SubscriptionState;
  nowMs: number;
  /** The observation is older than what was known: it tells of no change of state. */
  late: boolean;
  /** There are credentials to ask the store with what became of the subscription. */
  storeCanBeAsked: boolean;
  /** Since when its reports have been received without a break. */
  listeningSinceMs: number;
}

type Forgettable =
  'addOns' | 'nextProduct' | 'pause' | 'consentOpen' | 'extendedTo' | 'replaced' | 'endedAt' | 'cancelledAt';

/** Collects the events of one occasion and what is to be remembered of them. */
export class EventRecorder {
  readonly events: EngineEvent[] = [];
  emitted: EmittedState;
  /** An event just told says that access which had ended is open again. */
  hasReopened = false;

  constructor(
    readonly transition: Transition,
    emitted: EmittedState,
  ) {
    this.emitted = emitted;
  }

  /** An event that can happen more than once in the life of a subscription. */
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

  /** An event whose key says all about its cause. */
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

  /** Access is given, and the outside knows. */
  get isOpen(): boolean {
    return this.emitted.accessOpen && this.transition.state.givesAccess;
  }

  /** Something was told from which the outside knows of access, also where its end was told before. */
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
