import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { Pace } from '../../platform/jobs/pace.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { Log } from '../../platform/observability/log.js';
import { DueWorkMetrics } from './due-work-metrics.js';
import { DueWorkService } from './due-work.service.js';
import { type ProjectDue, ProjectTurns, type Turn } from './project-turns.js';

const EVERY_MS = 500;

/**
 * Does what is due, a batch of each project in turn. A batch is a transaction that holds its customers: a process that
 * dies leaves them as they were, and any number of processes share the work out between them.
 */
@Injectable()
export class DueWorkJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly turns: ProjectTurns;
  private readonly pace: Pace;
  private readonly stopping = new AbortController();
  /** Something was due since somebody last asked. */
  private worked = false;

  constructor(
    private readonly service: DueWorkService,
    private readonly metrics: DueWorkMetrics,
    @Inject(CLOCK) clock: Clock,
    config: Config,
    private readonly log: Log,
  ) {
    this.pace = new Pace(config.dueWorkPerSecond);
    this.turns = new ProjectTurns({
      nowMs: () => clock.nowMs(),
      elapsedMs: () => performance.now(),
      look: (after) => service.nextProjects(after),
      work: (due) => this.work(due),
      isStopping: () => this.loop.isStopping,
    });
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'due work could not be looked for; the next look tries again'),
      'due_work',
    );
  }

  /** Looks at some projects, and at more as long as there is something to do. */
  @Interval('due-work', EVERY_MS)
  wake(): Promise<void> {
    return this.loop.wake();
  }

  /** Does everything that is due and that no other process is at; comes back when it is done. */
  async run(): Promise<void> {
    await this.goRound();
    // The first one may have begun anywhere.
    do {
      this.worked = false;
      await this.goRound();
    } while (this.worked && !this.loop.isStopping);
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.loop.stop();
  }

  private async goRound(): Promise<void> {
    do await this.wake();
    while (!this.turns.isAtStart && !this.loop.isStopping);
  }

  private async round(): Promise<void> {
    await this.turns.pass({ looks: true });
    while (this.turns.hasUnfinished && !this.loop.isStopping) await this.turns.pass({ looks: false });
  }

  /** A batch of one project. */
  private async work({ projectId, dueAtMs }: ProjectDue): Promise<Turn> {
    try {
      const { done, failed, ...turn } = await this.service.doSome(projectId, dueAtMs);
      this.metrics.processed(done, failed);
      if (done + failed > 0) this.worked = true;
      const pauseMs = this.pace.pauseAfter(done);
      if (pauseMs > 0)
        await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      return turn;
    } catch (error) {
      this.log.error({ err: error, projectId }, 'due work of a project failed; it is tried again');
      return { isUnfinished: false, dueAtMs };
    }
  }
}
