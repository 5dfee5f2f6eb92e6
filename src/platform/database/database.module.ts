import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { DatabaseHealth } from './database-health.js';
import { NotificationListener } from './notification-listener.js';
import { PoolMetrics } from './pool-metrics.js';
import { ReportPool } from './report-pool.js';
import { Replicas } from './replicas.js';
import { withReplicas } from './replication.js';
import { StatementOutcomes } from './statement-outcomes.js';

/** Connects to the configured, migrated database. */
@Global()
@Module({})
export class DatabaseModule {
  static connect(): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config, Replicas],
          useFactory: (config: Config, replicas: Replicas) => {
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
        Database,
        DatabaseHealth,
        NotificationListener,
        Replicas,
        ReportPool,
        PoolMetrics,
        {
          provide: StatementOutcomes,
          // After the data source, which waits for a database that is starting.
          inject: [Config, Log, Registry, DataSource],
          useFactory: (config: Config, log: Log, registry: Registry) =>
            StatementOutcomes.of(config, log, registry),
        },
      ],
      // The data source's options need the replicas.
      exports: [Database, DatabaseHealth, NotificationListener, Replicas],
    };
  }
}
