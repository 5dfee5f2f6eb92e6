import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { LogService } from '../observability/log.service.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseService } from './database.service.js';
import { DatabaseHealthService } from './database-health.service.js';
import { NotificationListenerService } from './connections/notification-listener.service.js';
import { PoolMetrics } from './connections/pool.metrics.js';
import { ReportPoolService } from './connections/report-pool.service.js';
import { ReplicasService } from './replicas/replicas.service.js';
import { withReplicas } from './replicas/replication.js';
import { ReportSnapshotsService } from './connections/report-snapshots.service.js';
import { StatementOutcomes } from './statement-outcomes.js';

@Global()
@Module({})
export class DatabaseModule {
  static connect(): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config, ReplicasService],
          useFactory: (config: Config, replicas: ReplicasService) => {
            if (config.databaseUrl === null)
              throw new Error('The database must be started before the application');
            const options = dataSourceOptions({
              url: config.databaseUrl,
              poolSize: config.mainConnections,
              limitMs: config.databaseTimeoutMs,
            });
            return {
              ...withReplicas(options, replicas),
              autoLoadEntities: true,
              retryAttempts: 5,
              retryDelay: 1000,
            };
          },
        }),
      ],
      providers: [
        DatabaseService,
        DatabaseHealthService,
        NotificationListenerService,
        ReplicasService,
        ReportPoolService,
        ReportSnapshotsService,
        PoolMetrics,
        {
          provide: StatementOutcomes,
          // Depends on the data source, which waits while the database is starting.
          inject: [Config, LogService, Registry, DataSource],
          useFactory: (config: Config, log: LogService, registry: Registry) =>
            StatementOutcomes.of(config, log, registry),
        },
      ],
      // The data source's options need the replicas.
      exports: [
        DatabaseService,
        DatabaseHealthService,
        NotificationListenerService,
        ReplicasService,
        ReportSnapshotsService,
      ],
    };
  }
}
