import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import type { LeasedItem, LeasedWork } from './leased-work.js';

/** A job on leased work. Each one polls by overriding `wake` with an `@Interval`, in processes that run jobs. */
export abstract class LeasedWorkJob<Item extends LeasedItem>
  implements BeforeApplicationShutdown, OnApplicationShutdown
{
  protected abstract readonly leased: LeasedWork<Item>;

  /** Polls at once. To be called after the commit of rows that are due. */
  wake(): void {
    this.leased.wake();
  }

  /** Does everything that is due, and returns when it has ended. */
  drain(): Promise<void> {
    return this.leased.drain();
  }

  protected get isStopping(): boolean {
    return this.leased.isStopping;
  }

  /** Takes nothing new while the last requests are answered. */
  beforeApplicationShutdown(): void {
    void this.leased.stop();
  }

  /** Running work ends within the grace period, before connections and database are closed. */
  onApplicationShutdown(): Promise<void> {
    return this.leased.stop();
  }
}
