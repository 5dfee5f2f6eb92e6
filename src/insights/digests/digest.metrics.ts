import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/**
 * Outcomes of a digest at its time.
 * - `sent`: to its channel or to at least one member
 * - `delayed`: its figures are still computed
 * - `empty`: nothing to report, and not wanted then
 * - `paused`: its destination is paused
 * - `no_recipient`: its destination is deleted, or none of its members may read charts
 * - `repeated`: this period had been sent
 */
export const digestResults = ['sent', 'delayed', 'empty', 'paused', 'no_recipient', 'repeated'] as const;
export type DigestResult = (typeof digestResults)[number];

@Injectable()
export class DigestMetrics {
  private readonly counter: Counter;

  constructor(registry: Registry) {
    this.counter = new Counter({
      name: 'tenure_digests_total',
      help: 'Digests at their time, by what became of them.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of digestResults) this.counter.inc({ result }, 0);
  }

  count(result: DigestResult): void {
    this.counter.inc({ result });
  }
}
