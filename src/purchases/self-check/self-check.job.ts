import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { Log } from '../../platform/observability/log.js';
import { type Difference, isOnlyPutOff } from './differences.js';
import { FactsComparison } from './facts-comparison.js';
import { type CheckedProject, SelfCheckRepository } from './self-check.repository.js';

const LOOK_EVERY_MS = 60_000;
const EVERY_MS = 86_400_000;
/** Customers of a project in a day: the next ones each time, so that all of them have their turn. */
const SAMPLE = 500;
const BATCH = 50;

/**
 * Compares what is stored of a sample of customers with what their facts say, once a day for each project, whichever
 * process comes first. What differs is a mistake of this server: it is counted and logged, and left as it is; what is only
 * left to tell is told by the clock. A process that dies leaves the rest of the sample to the next day.
 */
@Injectable()
export class SelfCheckJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly counter: Counter;

  constructor(
    private readonly repository: SelfCheckRepository,
    private readonly comparison: FactsComparison,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
    registry: Registry,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'customers could not be compared with their facts'),
      'self_check',
    );
    this.counter = new Counter({
      name: 'tenure_self_check_customers_total',
      help: 'Customers whose stored state was compared with their facts: same, different, or with events still to tell.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['same', 'different', 'put_off']) this.counter.inc({ result }, 0);
  }

  /** Checks the projects whose turn it is; comes back when that is done. */
  @Interval('self-check', LOOK_EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    await this.repository.register(new Date(this.clock.nowMs()), EVERY_MS);
    while (!this.loop.isStopping) {
      const nowMs = this.clock.nowMs();
      const project = await this.repository.claim(new Date(nowMs), new Date(nowMs + EVERY_MS));
      if (!project) return;
      try {
        await this.check(project);
      } catch (error) {
        const { projectId } = project;
        this.log.error(
          { err: error, projectId },
          'customers of a project could not be compared with their facts',
        );
      }
    }
  }

  private async check(project: CheckedProject): Promise<void> {
    const place = { ...project };
    for (let left = SAMPLE; left > 0 && !this.loop.isStopping; left -= BATCH) {
      const ids = await this.repository.idsBehind(place, BATCH);
      const found = await this.comparison.differing(place.projectId, ids);
      this.counter.inc({ result: 'same' }, ids.length - found.size);
      for (const [customerId, differences] of found)
        await this.report(place.projectId, customerId, differences);
      const isLast = ids.length < BATCH;
      place.afterCustomerId = isLast ? '' : (ids.at(-1) as string);
      await this.repository.goOnBehind(place);
      if (isLast) return;
    }
  }

  private async report(projectId: string, customerId: string, differences: Difference[]): Promise<void> {
    if (isOnlyPutOff(differences)) {
      this.counter.inc({ result: 'put_off' });
      const ids = differences.map(({ purchaseId }) => purchaseId);
      return this.repository.makeDue(projectId, ids, new Date(this.clock.nowMs()));
    }
    this.counter.inc({ result: 'different' });
    this.log.error({ projectId, customerId, differences }, 'what is stored differs from what the facts say');
  }
}
