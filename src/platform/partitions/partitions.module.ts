import { Module } from '@nestjs/common';
import { PartitionMaintenance } from './partition-maintenance.js';
import { PartitionMetrics } from './partition-metrics.js';
import { PartitionsRepository } from './partitions.repository.js';

/** Upkeep of the tables that are partitioned by month. */
@Module({ providers: [PartitionMaintenance, PartitionMetrics, PartitionsRepository] })
export class PartitionsModule {}
