import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

/** Whether requests wait for connections. */
@Injectable()
export class PoolMetrics {
  constructor(@Inject(Registry) registry: Registry, @Inject(DataSource) dataSource: DataSource) {
    const pool = (): pg.Pool => (dataSource.driver as unknown as { master: pg.Pool }).master;
    new Gauge({
      name: 'tenure_database_connections',
      help: 'Connections to the database: used by somebody, or idle. At most SERVICE_DATABASE_POOL_SIZE for each process.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        const { totalCount, idleCount } = pool();
        this.set({ state: 'used' }, totalCount - idleCount);
        this.set({ state: 'idle' }, idleCount);
      },
    });
    new Gauge({
      name: 'tenure_database_waiting',
      help: 'What waits for a connection to the database.',
      registers: [registry],
      collect() {
        this.set(pool().waitingCount);
      },
    });
  }
}
