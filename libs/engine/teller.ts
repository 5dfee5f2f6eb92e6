import { type ChainView } from './chain-view.js';
import { eventAbout } from './chain-event.js';
import type { Chain, ChainMemory, ChainState } from './model.js';
import type { EngineEvent, EventType } from './outcome.model.js';
import type { KeyedPeriod } from './periods.js';

/** What is known before and after one observation, and when. */
export interface Occasion {
  chain: Pick<Chain, 'id' | 'store'>;
  /** Null: the chain was not known. */
  before: ChainView | null;
  view: ChainView;
  state: ChainState;
  nowMs: number;
  /** The observation is older than what was known: it tells of no change of state. */
  late: boolean;
  /** There are credentials to ask the store with what became of the chain. */
  storeCanBeAsked: boolean;
  /** Since when its reports have been received without a break. */
  listeningSinceMs: number;
}

type Forgettable =
  'addOns' | 'nextProduct' | 'pause' | 'consentOpen' | 'extendedTo' | 'replaced' | 'endedAt' | 'cancelledAt';

/** Collects the events of one occasion and what is to be remembered of them. */
export class Teller {
  readonly events: EngineEvent[] = [];
  memory: ChainMemory;
  /** An event just told says that access which had ended is open again. */
  hasReopened = false;

  constructor(
    readonly occasion: Occasion,
    memory: ChainMemory,
  ) {
    this.memory = memory;
  }

  /** An event that can happen more than once in the life of a chain. */
  tell(
    type: EventType,
    tag: string,
    period: KeyedPeriod,
    more: Partial<EngineEvent> & { occurredAtMs: number },
  ): void {
    const told = this.memory.told ?? 0;
    this.tellOnce(type, `${tag}:${told}`, period, more);
    this.remember({ told: told + 1 });
  }

  /** An event whose key says all about its cause. */
  tellOnce(
    type: EventType,
    key: string,
    period: KeyedPeriod,
    more: Partial<EngineEvent> & { occurredAtMs: number },
  ): void {
    const { chain, view, nowMs } = this.occasion;
    const event = { type, dedupeKey: `${chain.id}:${key}`, ...more };
    this.events.push(eventAbout(chain, view, period, event, nowMs));
  }

  /** Access is given, and the outside knows. */
  get isOpen(): boolean {
    return this.memory.accessOpen && this.occasion.state.givesAccess;
  }

  /** Something was told from which the outside knows of access, also where its end was told before. */
  reopen(): void {
    if (!this.occasion.state.givesAccess || this.memory.accessOpen) return;
    this.hasReopened = true;
    this.forget('endedAt', 'cancelledAt');
    this.remember({ accessOpen: true });
  }

  remember(more: Partial<ChainMemory>): void {
    this.memory = { ...this.memory, ...more };
  }

  forget(...keys: Forgettable[]): void {
    if (keys.every((key) => this.memory[key] === undefined)) return;
    this.memory = { ...this.memory };
    for (const key of keys) delete this.memory[key];
  }
}
