import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import type { ChangeSet } from './change-set.js';

/** What comes of observations: changes that were written, and the events they made. */
@Injectable()
export class EngineMetrics {
  private readonly events: Counter;
  private readonly writes: Histogram;

  constructor(@Inject(Registry) registry: Registry) {
    this.events = new Counter({
      name: 'tenure_engine_events_total',
      help: 'Events that changes of purchases and customers made, once they are committed.',
      labelNames: ['type'],
      registers: [registry],
    });
    this.writes = new Histogram({
      name: 'tenure_engine_change_duration_seconds',
      help: 'Writing one change: state, money, events and deliveries; committed changes only.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers: [registry],
    });
  }

  committed({ events }: ChangeSet, durationMs: number): void {
    this.writes.observe(durationMs / 1000);
    for (const { type } of events) this.events.inc({ type });
  }
}
