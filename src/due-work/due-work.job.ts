import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { Log } from '../observability/log.js';
import { DueWorkMetrics } from './due-work-metrics.js';
import { DueWorkRepository } from './due-work.repository.js';
import { DueWorkService } from './due-work.service.js';

const EVERY_MS = 500;

/**
 * Does what is due, a batch of each project in turn, so that a large one does not keep others waiting. A batch is a
 * transaction that holds its customers: a process that dies leaves them as they were, and any number of processes
 * share the work out between them.
 */
@Injectable()
export class DueWorkJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private stopping = false;

  constructor(
    @Inject(DueWorkRepository) private readonly repository: DueWorkRepository,
    @Inject(DueWorkService) private readonly service: DueWorkService,
    @Inject(DueWorkMetrics) private readonly metrics: DueWorkMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'due work could not be looked for; the next look tries again'),
      'due_work',
    );
  }

  /** Does everything that is due and that no other process is at; comes back when it is done. */
  @Interval('due-work', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
  }

  private async round(): Promise<void> {
    let found = true;
    while (found && !this.stopping) {
      found = false;
      for (const { projectId } of await this.repository.projects(new Date(this.clock.nowMs()))) {
        if (this.stopping) return;
        if (await this.turn(projectId)) found = true;
      }
    }
  }

  /** A batch of one project; false when there was nothing to be had, or it failed as a whole. */
  private async turn(projectId: string): Promise<boolean> {
    try {
      const { done, failed } = await this.service.doSome(projectId);
      this.metrics.processed(done, failed);
      return done + failed > 0;
    } catch (error) {
      this.log.error({ err: error, projectId }, 'due work of a project failed; the next look tries again');
      return false;
    }
  }
}
