/** How many tasks may run at once: in all, and for one key (an endpoint, an app, a store). */
export interface SlotLimits {
  total: number;
  perKey: number;
}

/** What may start now. */
export interface FreeSlots {
  /** Tasks of all keys together. */
  total: number;
  /** Tasks of each key that has some running already. */
  byKey: ReadonlyMap<string, number>;
  /** Tasks of any other key. */
  otherKeys: number;
}

/**
 * Counts running tasks by key and shares the places out. A key may hold half of what it leaves free (one place
 * at least, `perKey` at most): the more keys hang, the less each of them holds, and there is room left for the
 * others.
 */
export class Slots {
  private readonly running = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Half of the free places, so that a key which only shows up with the next look still finds some. */
  free(): FreeSlots {
    const free = Math.max(0, this.limits.total - this.taken);
    const share = free === 0 ? 0 : Math.min(this.limits.perKey, Math.max(1, Math.floor(free / 2)));
    const byKey = new Map([...this.running].map(([key, count]) => [key, Math.max(0, share - count)]));
    return { total: Math.ceil(free / 2), byKey, otherKeys: share };
  }

  /** True while a task may have to wait for a place that a running one holds. */
  get crowded(): boolean {
    const { total, byKey } = this.free();
    return total === 0 || [...byKey.values()].includes(0);
  }

  take(key: string): void {
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
    this.taken++;
  }

  release(key: string): void {
    const left = (this.running.get(key) ?? 0) - 1;
    if (left > 0) this.running.set(key, left);
    else this.running.delete(key);
    this.taken--;
  }
}
