import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

// bigint columns hold micros and counters far below 2^53; as text they would be added as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export interface DataSourceSettings {
  url: string;
  poolSize: number;
}

/** Options of the one TypeORM data source. The schema only changes through migrations. */
export function dataSourceOptions({ url, poolSize }: DataSourceSettings): PostgresOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    applicationName: 'tenure',
    connectTimeoutMS: 10_000,
    extra: { idleTimeoutMillis: 60_000, keepAlive: true },
  };
}
