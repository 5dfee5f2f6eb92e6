import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Histogram, Registry } from 'prom-client';
import { type JobEvent, jobEvents, jobNames } from './job-events.js';

const BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];

@Injectable()
export class JobMetrics implements OnApplicationShutdown {
  private readonly duration: Histogram;
  private readonly started = new Set<string>();
  private readonly listener = (message: unknown): void => this.observe(message as JobEvent);

  constructor(registry: Registry) {
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
