import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { Pace } from '../../platform/jobs/pace.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { DueWorkMetrics } from './due-work.metrics.js';
import { DueWorkService } from './due-work.service.js';
import { type ProjectDue, ProjectPoller, type BatchResult } from './project-poller.js';

const EVERY_MS = 500;

/** Each batch is one transaction that locks its customers: crashes leave them unchanged, processes share the work. */
@Injectable()
export class DueWorkJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly poller: ProjectPoller;
  private readonly pace: Pace;
  private readonly stopping = new AbortController();
  private hasWorked = false;

  constructor(
    private readonly service: DueWorkService,
    private readonly metrics: DueWorkMetrics,
    @Inject(CLOCK) clock: Clock,
    config: Config,
    private readonly log: LogService,
  ) {
    this.pace = new Pace(config.dueWorkPerSecond);
    this.poller = new ProjectPoller({
      nowMs: () => clock.nowMs(),
      elapsedMs: () => performance.now(),
      poll: (after) => service.nextProjects(after),
      work: (due) => this.work(due),
      isStopping: () => this.loop.isStopping,
    });
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'polling for due work failed; it is retried'),
      'due_work',
    );
  }

  @Interval('due-work', EVERY_MS)
  wake(): Promise<void> {
    return this.loop.wake();
  }

  /** Processes all due work that no other process holds, then returns. */
  async run(): Promise<void> {
    await this.pollAll();
    // The first round may have started partway through the projects.
    do {
      this.hasWorked = false;
      await this.pollAll();
    } while (this.hasWorked && !this.loop.isStopping);
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.loop.stop();
  }

  private async pollAll(): Promise<void> {
    do await this.wake();
    while (!this.poller.isAtStart && !this.loop.isStopping);
  }

  private async round(): Promise<void> {
    await this.poller.pass({ polls: true });
    while (this.poller.hasUnfinished && !this.loop.isStopping) await this.poller.pass({ polls: false });
  }

  private async work({ projectId, dueAtMs }: ProjectDue): Promise<BatchResult> {
    try {
      const { done, failed, ...batch } = await this.service.processBatch(projectId, dueAtMs);
      this.metrics.processed(done, failed);
      if (done + failed > 0) this.hasWorked = true;
      const pauseMs = this.pace.pauseAfter(done);
      if (pauseMs > 0)
        await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      return batch;
    } catch (error) {
      this.log.error({ err: error, projectId }, 'due work of a project failed; it is retried');
      return { isUnfinished: false, dueAtMs };
    }
  }
}
