import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import type { LeasedItem, LeasedWork } from './leased-work.js';
import type { NewWork } from './project-claims.js';

/** A job on leased work. Subclasses poll by overriding `wake` with an `@Interval`, in processes that run jobs. */
export abstract class LeasedWorkJob<Item extends LeasedItem>
  implements BeforeApplicationShutdown, OnApplicationShutdown
{
  protected abstract readonly leased: LeasedWork<Item>;

  /** Polls immediately. Call it after committing rows that are due, if possible with their app or project. */
  wake(work?: NewWork): void {
    this.leased.wake(work);
  }

  /** Does everything that is due, then returns. */
  drain(): Promise<void> {
    return this.leased.drain();
  }

  protected get isStopping(): boolean {
    return this.leased.isStopping;
  }

  /** Claims nothing new while the last requests complete. */
  beforeApplicationShutdown(): void {
    void this.leased.stop();
  }

  /** Running work ends within the grace period, before connections and database are closed. */
  onApplicationShutdown(): Promise<void> {
    return this.leased.stop();
  }
}
