import { applyChain, type ChainChange, type Circumstances } from './apply-chain.js';
import type { ChainFacts, Observation } from './facts.model.js';
import type { Chain } from './model.js';

/** A chain and its `nextDueAtMs` of the last time; null: nothing is due by itself. */
export interface DueChain {
  chain: Chain;
  dueAtMs: number | null;
}

/** Something that the store of a chain says at a moment, or at any later one at which it is asked. */
export interface Word {
  atMs: number;
  say: (atMs: number) => Observation<ChainFacts>;
}

/** One moment of the time that passed, and what it changed. */
export interface TimeStep {
  atMs: number;
  change: ChainChange;
}

export interface TimePassing {
  /** What the store of a chain says next as things stand; null: nothing. Default: stores say nothing. */
  wordOf?: (chain: Chain) => Word | null;
  /** What else is to be known of a chain. */
  circumstancesOf?: (chain: Chain) => Circumstances;
  /** Nothing happens before, whatever was missed. Default: everything at its own time. */
  fromMs?: number;
  /** Default: as many as there are. */
  maxSteps?: number;
}

interface NextStep {
  entry: DueChain;
  atMs: number;
  word: Word | null;
}

/**
 * Lets time pass until `untilMs` for chains that belong together, as if each moment had been attended to when it
 * came: one step for each, earliest first; at one moment a store speaks before an end is told. The last step of a
 * chain has its state and next due moment. `arrived` is false when there is more to happen than `maxSteps`. Pure.
 * @throws RangeError when a chain has no period, is due again at the same moment, or learned nothing from its store
 */
export function passTime(
  due: readonly DueChain[],
  untilMs: number,
  { wordOf = () => null, circumstancesOf, fromMs = 0, maxSteps = Infinity }: TimePassing = {},
): { steps: TimeStep[]; arrived: boolean } {
  const waiting = due.map((entry) => ({ ...entry }));
  const steps: TimeStep[] = [];
  let nowMs = fromMs;
  for (;;) {
    const next = earliest(waiting.flatMap((entry) => nextOf(entry, wordOf(entry.chain), nowMs)));
    if (!next || next.atMs > untilMs) return { steps, arrived: true };
    if (steps.length === maxSteps) return { steps, arrived: false };
    const { entry, word } = next;
    nowMs = next.atMs;
    const observation = word?.say(nowMs) ?? null;
    const change = applyChain(entry.chain, observation, nowMs, circumstancesOf?.(entry.chain));
    const { nextDueAtMs } = change.state;
    if (word && !change.changed) throw new RangeError(`${entry.chain.id} learned nothing from its store`);
    if (nextDueAtMs !== null && nextDueAtMs <= nowMs) {
      throw new RangeError(`${entry.chain.id} stays due at ${nextDueAtMs}`);
    }
    entry.chain = change.chain;
    entry.dueAtMs = nextDueAtMs;
    steps.push({ atMs: nowMs, change });
  }
}

function nextOf(entry: DueChain, word: Word | null, nowMs: number): NextStep[] {
  const { chain, dueAtMs } = entry;
  // Of two statements of one moment neither would be the newer one.
  const sayAtMs = word && Math.max(word.atMs, nowMs, chain.factsAtMs + 1);
  return [
    ...(sayAtMs === null ? [] : [{ entry, atMs: sayAtMs, word }]),
    ...(dueAtMs === null ? [] : [{ entry, atMs: Math.max(dueAtMs, nowMs), word: null }]),
  ];
}

function earliest(steps: NextStep[]): NextStep | undefined {
  return steps.reduce<NextStep | undefined>(
    (first, step) => (first && !comesBefore(step, first) ? first : step),
    undefined,
  );
}

function comesBefore(a: NextStep, b: NextStep): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if ((a.word === null) !== (b.word === null)) return a.word !== null;
  return a.entry.chain.id < b.entry.chain.id;
}
