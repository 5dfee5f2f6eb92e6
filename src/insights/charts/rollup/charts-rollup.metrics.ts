import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DueAges } from '../../../platform/jobs/due-age.js';
import { ChartSourceRepository } from './chart-source.repository.js';

@Injectable()
export class ChartsRollupMetrics {
  constructor(registry: Registry, source: ChartSourceRepository, @Inject(CLOCK) clock: Clock) {
    const ages = new DueAges(clock, [() => source.oldestMark()]);
    new Gauge({
      name: 'tenure_charts_oldest_change_seconds',
      aggregator: 'max',
      help: 'Age of the oldest change that the charts do not include yet; NaN without the database.',
      registers: [registry],
      async collect() {
        const [seconds = Number.NaN] = await ages.seconds();
        this.set(seconds);
      },
    });
  }
}
