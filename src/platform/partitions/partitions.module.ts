import { Module } from '@nestjs/common';
import { PartitionMaintenanceJob } from './partition-maintenance.job.js';
import { PartitionMetrics } from './partition.metrics.js';
import { PartitionsRepository } from './partitions.repository.js';

@Module({ providers: [PartitionMaintenanceJob, PartitionMetrics, PartitionsRepository] })
export class PartitionsModule {}
