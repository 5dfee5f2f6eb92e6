import { NoFreeConnection } from '../database-errors.js';

/** A fixed number of slots, granted in the order of requests. */
export class ConnectionSlots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** The caller releases the slot. @throws NoFreeConnection if none becomes free within `patienceMs` */
  async acquire(patienceMs: number): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(granted), 1);
        reject(new NoFreeConnection('No connection for a long read became free in time'));
      };
      const timer = Number.isFinite(patienceMs) ? setTimeout(leave, patienceMs) : undefined;
      const granted = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.push(granted);
    });
  }

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
