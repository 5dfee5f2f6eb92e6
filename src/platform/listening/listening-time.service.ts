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
import { LogService } from '../observability/log.service.js';
import { ListeningRepository } from './listening.repository.js';

const BEAT_MS = 10_000;
/** A stopping process reports it; this covers one that died or lost the database. */
export const GONE_AFTER_MS = 60_000;

/**
 * Knows since when the server has received store notifications without a break. Notifications sent before may have been
 * lost and are resent later, so their absence does not mean that a subscription ended. Stored in the database:
 * restarting one of several processes is not a break.
 */
@Injectable()
export class ListeningTimeService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private known: { sinceMs: number; readAtMs: number } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly repository: ListeningRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: LogService,
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
      .catch((error: unknown) => this.log.warn({ err: error }, 'the end of listening could not be recorded'));
  }

  /** Start of the current period; `nowMs` while it cannot be read. */
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
      this.log.warn({ err: error }, 'this process could not record that it listens to stores');
    }
  }
}
