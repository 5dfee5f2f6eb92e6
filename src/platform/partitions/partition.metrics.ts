import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { gaugeReading } from '../observability/gauge-reading.js';
import { monthsAhead } from './months.js';
import { partitionedTables } from './partitioned-tables.js';
import { PartitionsRepository } from './partitions.repository.js';

@Injectable()
export class PartitionMetrics {
  constructor(registry: Registry, repository: PartitionsRepository, @Inject(CLOCK) clock: Clock) {
    new Gauge({
      name: 'tenure_partition_months_ahead',
      aggregator: 'min',
      help: 'Months after this one that have a partition, without a gap; NaN without the database.',
      labelNames: ['table'],
      registers: [registry],
      async collect() {
        const all = await gaugeReading(() => repository.partitionsOf(partitionedTables));
        for (const table of partitionedTables) {
          const partitions = all?.get(table);
          this.set({ table: table.name }, partitions ? monthsAhead(partitions, clock.nowMs()) : Number.NaN);
        }
      },
    });
  }
}
