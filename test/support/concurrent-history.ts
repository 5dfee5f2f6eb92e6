import { type History, ids as people } from '../../libs/engine/testing/histories.js';
import type { SubscriptionFacts, Observation } from '../../libs/engine/index.js';

type Step = History['steps'][number]['step'];

/** Something to do at a moment. */
export type Deed =
  | { kind: 'receive'; subscription: string; observation: Observation<SubscriptionFacts> }
  | { kind: 'post'; subscription: string; id: string; isRestore: boolean }
  | { kind: 'identify' | 'alias' | 'transfer'; id: string; other: string }
  | { kind: 'tick' };

/** What happens at the same moment, side by side. */
export interface Round {
  nowMs: number;
  deeds: Deed[];
}

const hasPeriod = (observation: Observation<SubscriptionFacts>): boolean =>
  Object.keys(observation.facts.periods).length > 0;

const otherThan = (id: string, seed: number): string => {
  const others = people.filter((name) => name !== id);
  return others[seed % others.length] ?? id;
};

function deedOf(step: Step, index: number): Deed {
  switch (step.kind) {
    case 'grant':
      return { kind: 'transfer', id: step.id, other: otherThan(step.id, index) };
    case 'revoke':
      return { kind: 'alias', id: step.id, other: otherThan(step.id, index) };
    case 'identify':
      return { kind: 'identify', id: step.current, other: step.next };
    case 'receive':
    case 'post':
    case 'tick':
      return step;
  }
}

/**
 * The first steps of a history, some of them side by side; sizes are used in turn. What is said of a subscription before its
 * first period is known waits until it is: stores are asked about a purchase when it is posted.
 */
export function roundsOf({ steps }: History, sizes: readonly number[], most: number): Round[] {
  const rounds: Round[] = [];
  const known = new Set<string>();
  let early: { nowMs: number; deed: Deed }[] = [];
  let next: { nowMs: number; deed: Deed }[] = [];
  const close = (): void => {
    if (next.length === 0) return;
    const nowMs = Math.max(rounds.at(-1)?.nowMs ?? 0, ...next.map((entry) => entry.nowMs));
    rounds.push({ nowMs, deeds: next.map(({ deed }) => deed) });
    for (const { deed } of next) if (deed.kind === 'receive') known.add(deed.subscription);
    const isKnown = ({ deed }: { deed: Deed }): boolean =>
      'subscription' in deed && known.has(deed.subscription);
    next = early.filter(isKnown);
    early = early.filter((entry) => !isKnown(entry));
  };
  steps.slice(0, most).forEach(({ nowMs, step }, index) => {
    const deed = deedOf(step, index);
    const isEarly = deed.kind === 'post' || (deed.kind === 'receive' && !hasPeriod(deed.observation));
    if (isEarly && !known.has(deed.subscription)) early.push({ nowMs, deed });
    else next.push({ nowMs, deed });
    if (next.length >= (sizes[rounds.length % sizes.length] ?? 1)) close();
  });
  close();
  close();
  return rounds;
}
