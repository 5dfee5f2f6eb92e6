import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { type Dropped, dropReasons } from './sdk-event.policy.js';

@Injectable()
export class SdkEventsMetrics {
  private readonly counter: Counter;

  constructor(registry: Registry) {
    this.counter = new Counter({
      name: 'tenure_sdk_events_total',
      help: 'Events of SDKs by result: stored, or why they were dropped; malformed counts bodies. Repeats count again.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['stored', ...dropReasons]) this.counter.inc({ result }, 0);
  }

  stored(count: number): void {
    this.counter.inc({ result: 'stored' }, count);
  }

  dropped(dropped: Dropped): void {
    for (const [result, count] of dropped) this.counter.inc({ result }, count);
  }
}
