import type { Delivery } from './deliveries.queries.js';

export interface WaitingGroup {
  /** The attributes, any of which lets the events be sent. */
  attributes: string[];
  count: number;
  oldestMs: number;
  /** When the first of them is no longer sent; null if unknown. */
  untilMs: number | null;
}

/** Waiting deliveries by missing attribute, the largest group first. */
export function waitingGroups(
  deliveries: readonly Pick<Delivery, 'missing_attributes' | 'created_at' | 'wait_until'>[],
): WaitingGroup[] {
  const groups = new Map<string, WaitingGroup>();
  for (const { missing_attributes: attributes, created_at: created, wait_until: until } of deliveries) {
    const key = attributes.join(' ');
    const group = groups.get(key) ?? { attributes, count: 0, oldestMs: created, untilMs: until };
    group.count += 1;
    group.oldestMs = Math.min(group.oldestMs, created);
    if (until !== null) group.untilMs = Math.min(group.untilMs ?? until, until);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
