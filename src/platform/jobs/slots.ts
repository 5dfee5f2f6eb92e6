/** How many tasks may run at once, in total and per key (an endpoint, an app, a store). */
export interface SlotLimits {
  total: number;
  perKey: number;
}

export interface FreeSlots {
  total: number;
  /** Free slots of each key that already has running tasks. */
  byKey: ReadonlyMap<string, number>;
  otherKeys: number;
}

/**
 * Counts running tasks by key and assigns slots. A key may use half of the slots that it leaves free (at least one, at
 * most `perKey`): the more keys hang, the fewer slots each has, so some remain for the others.
 */
export class Slots {
  private readonly running = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Returns half of the free slots, so that a key that first appears in the next claim still finds some. */
  free(): FreeSlots {
    const free = Math.max(0, this.limits.total - this.taken);
    const share = free === 0 ? 0 : Math.min(this.limits.perKey, Math.max(1, Math.floor(free / 2)));
    const byKey = new Map([...this.running].map(([key, count]) => [key, Math.max(0, share - count)]));
    return { total: Math.ceil(free / 2), byKey, otherKeys: share };
  }

  /** True while a task may have to wait for a slot. */
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
