import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { ListeningRepository } from './listening.repository.js';

const BEAT_MS = 10_000;
/** A process that stops says so; this is for one that died, or lost the database. */
const GONE_AFTER_MS = 60_000;

/**
 * Since when the server has taken store notifications without a break. What a store reported before may have been lost
 * and comes again later, so no end may be concluded from its silence. The database holds it: one of several processes
 * that restarts is no break.
 */
@Injectable()
export class ListeningTime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private known: { sinceMs: number; readAtMs: number } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly repository: ListeningRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
    if (!this.takesNotifications) return;
    await this.repository
      .leave(this.id)
      .catch((error: unknown) => this.log.warn({ err: error }, 'the end of listening could not be noted'));
  }

  /** Since when, as of `nowMs`: now, while that cannot be asked. */
  sinceMs(nowMs: number): number {
    const isKnown = this.known !== null && performance.now() - this.known.readAtMs < GONE_AFTER_MS;
    return isKnown && this.known ? this.known.sinceMs : nowMs;
  }

  private get takesNotifications(): boolean {
    return this.config.role !== 'worker';
  }

  private beat(): Promise<void> {
    this.running ??= this.ask().finally(() => (this.running = null));
    return this.running;
  }

  private async ask(): Promise<void> {
    const readAtMs = performance.now();
    try {
      const sinceMs = this.takesNotifications
        ? await this.repository.beat(this.id, this.clock.nowMs(), GONE_AFTER_MS)
        : await this.repository.since(GONE_AFTER_MS);
      this.known = sinceMs === null ? null : { sinceMs, readAtMs };
    } catch (error) {
      this.log.warn({ err: error }, 'that this process listens to stores could not be noted');
    }
  }
}
