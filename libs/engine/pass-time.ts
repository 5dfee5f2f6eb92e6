import { applyChain, type ChainChange } from './apply-chain.js';
import type { Chain } from './model.js';

/** A chain and its `nextDueAtMs` of the last time. */
export interface DueChain {
  chain: Chain;
  dueAtMs: number;
}

/**
 * Lets time pass until `untilMs` for chains that belong together, as if each due moment had been attended to when it
 * came: one change for each of them, earliest first. A chain may be among them several times; its last change has
 * its state and next due moment. Pure.
 * @throws RangeError when a chain has no period, or is due again at the same moment
 */
export function passTime(due: readonly DueChain[], untilMs: number): ChainChange[] {
  const waiting = due.filter(({ dueAtMs }) => dueAtMs <= untilMs);
  const changes: ChainChange[] = [];
  for (;;) {
    const next = earliest(waiting);
    if (!next) return changes;
    const change = applyChain(next.chain, null, next.dueAtMs);
    changes.push(change);
    waiting.splice(waiting.indexOf(next), 1);
    const { nextDueAtMs } = change.state;
    if (nextDueAtMs === null || nextDueAtMs > untilMs) continue;
    if (nextDueAtMs <= next.dueAtMs) throw new RangeError(`${next.chain.id} stays due at ${nextDueAtMs}`);
    waiting.push({ chain: change.chain, dueAtMs: nextDueAtMs });
  }
}

function earliest(due: DueChain[]): DueChain | undefined {
  return due.reduce<DueChain | undefined>(
    (first, other) => (first === undefined || comesBefore(other, first) ? other : first),
    undefined,
  );
}

function comesBefore(a: DueChain, b: DueChain): boolean {
  return a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.chain.id < b.chain.id);
}
