import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { NotificationListener } from './notification-listener.js';
import { PoolMetrics } from './pool-metrics.js';
import { Replicas } from './replicas.js';

/** Connects to the migrated database of the configuration. */
@Global()
@Module({})
export class DatabaseModule {
  static connect(): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => {
            if (config.databaseUrl === null)
              throw new Error('The database must be started before the application');
            return {
              ...dataSourceOptions({
                url: config.databaseUrl,
                poolSize: config.databasePoolSize,
                limitMs: config.databaseTimeoutMs,
              }),
              autoLoadEntities: true,
              retryAttempts: 5,
              retryDelay: 1000,
            };
          },
        }),
      ],
      providers: [Database, NotificationListener, Replicas, PoolMetrics],
      exports: [Database, NotificationListener],
    };
  }
}
