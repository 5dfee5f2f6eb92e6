import {
  type SubscriptionFacts,
  mergeSubscriptionFacts,
  noSubscriptionFacts,
  type Observation,
} from '../../engine/index.js';

/** One step: the store's statement at a given time, or null if only time has passed. */
export interface TimelineStep {
  atMs: number;
  observation: Observation<SubscriptionFacts> | null;
}

export class Timeline {
  readonly steps: TimelineStep[] = [];

  constructor(
    public facts: SubscriptionFacts = noSubscriptionFacts,
    private lastAtMs = -1,
  ) {}

  /** Reports at the given time, or just after the previous statement. */
  report(atMs: number, observe: (atMs: number) => Observation<SubscriptionFacts>): this {
    const observation = observe(Math.max(atMs, this.lastAtMs + 1));
    this.facts = mergeSubscriptionFacts(this.facts, observation.facts);
    return this.add({ atMs: observation.atMs, observation });
  }

  pass(atMs: number): this {
    return this.add({ atMs: Math.max(atMs, this.lastAtMs), observation: null });
  }

  private add(step: TimelineStep): this {
    this.lastAtMs = step.atMs;
    this.steps.push(step);
    return this;
  }
}
