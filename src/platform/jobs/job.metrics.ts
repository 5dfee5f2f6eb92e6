import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { DatabaseService } from '../database/database.service.js';
import { DueAges, type OldestDue } from './due-age.js';
import { type JobEvent, jobEvents, jobNames } from './job-events.js';
import { oldestDue } from './oldest-due.sql.js';

const BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];

@Injectable()
export class JobMetrics implements OnApplicationShutdown {
  private readonly duration: Histogram;
  private readonly started = new Set<string>();
  private readonly listener = (message: unknown): void => this.observe(message as JobEvent);

  constructor(registry: Registry, database: DatabaseService, @Inject(CLOCK) clock: Clock) {
    const start = (work: string): void => this.start(work);
    this.duration = new Histogram({
      name: 'tenure_job_duration_seconds',
      help: 'Pieces of background work: a claimed item, a failed claim, or a round of a job that works in rounds.',
      labelNames: ['work', 'result'],
      buckets: BUCKETS_S,
      registers: [registry],
      collect() {
        for (const work of jobNames) start(work);
      },
    });
    const readings = Object.values(oldestDue).map((statement) => async (): Promise<OldestDue> => {
      const [found] = await database.query<OldestDue>(statement, []);
      return found ?? { dueAt: null, queuesRead: 0 };
    });
    const ages = new DueAges(clock, readings);
    new Gauge({
      name: 'tenure_store_queue_oldest_due_seconds',
      aggregator: 'max',
      help: 'How long the oldest of what waits for stores has been due; NaN without the database.',
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const seconds = await ages.seconds();
        for (const [index, queue] of Object.keys(oldestDue).entries()) {
          this.set({ queue }, seconds[index] ?? Number.NaN);
        }
      },
    });
    jobEvents.subscribe(this.listener);
  }

  onApplicationShutdown(): void {
    jobEvents.unsubscribe(this.listener);
  }

  /** Starts a job's counters at 0, so that its first failure is an increase. */
  private start(work: string): void {
    if (this.started.has(work)) return;
    this.started.add(work);
    for (const result of ['done', 'failed']) this.duration.zero({ work, result });
  }

  private observe({ job, result, durationMs }: JobEvent): void {
    this.start(job);
    this.duration.observe({ work: job, result }, durationMs / 1000);
  }
}
