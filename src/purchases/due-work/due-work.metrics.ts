import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DueAges } from '../../platform/jobs/due-age.js';
import { DueWorkRepository } from './due-work.repository.js';

@Injectable()
export class DueWorkMetrics {
  private readonly counter: Counter;

  constructor(registry: Registry, repository: DueWorkRepository, @Inject(CLOCK) clock: Clock) {
    this.counter = new Counter({
      name: 'tenure_due_work_total',
      help: 'Due subscriptions brought up to date (done), and customers postponed after an error (failed).',
      labelNames: ['result'],
      registers: [registry],
    });
    this.processed(0, 0);
    const ages = new DueAges(clock, [() => repository.oldestDue(new Date(clock.nowMs()))]);
    new Gauge({
      name: 'tenure_due_work_oldest_seconds',
      aggregator: 'max',
      help: 'How long the subscription that has waited longest has been due; NaN without the database.',
      registers: [registry],
      async collect() {
        const [seconds = Number.NaN] = await ages.seconds();
        this.set(seconds);
      },
    });
  }

  processed(done: number, failed: number): void {
    this.counter.inc({ result: 'done' }, done);
    this.counter.inc({ result: 'failed' }, failed);
  }
}
