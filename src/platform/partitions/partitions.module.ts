import { Module } from '@nestjs/common';
import { PartitionMaintenance } from './partition-maintenance.js';
import { PartitionMetrics } from './partition-metrics.js';
import { PartitionsRepository } from './partitions.repository.js';

/** Maintains the tables partitioned by month. */
@Module({ providers: [PartitionMaintenance, PartitionMetrics, PartitionsRepository] })
export class PartitionsModule {}
