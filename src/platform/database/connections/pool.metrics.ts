import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { ReportPoolService } from './report-pool.service.js';

@Injectable()
export class PoolMetrics {
  constructor(registry: Registry, dataSource: DataSource, reports: ReportPoolService) {
    const pools = (): Record<string, pg.Pool> => ({
      main: (dataSource.driver as unknown as { master: pg.Pool }).master,
      reports: reports.pool,
    });
    new Gauge({
      name: 'tenure_database_connections',
      help: 'Connections to the database, used or idle: `reports` are the SERVICE_DATABASE_REPORT_CONNECTIONS. At most SERVICE_DATABASE_POOL_SIZE for each process in all.',
      labelNames: ['pool', 'state'],
      registers: [registry],
      collect() {
        for (const [pool, { totalCount, idleCount }] of Object.entries(pools())) {
          this.set({ pool, state: 'used' }, totalCount - idleCount);
          this.set({ pool, state: 'idle' }, idleCount);
        }
      },
    });
    new Gauge({
      name: 'tenure_database_waiting',
      help: 'Waiters for a connection to the database.',
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, { waitingCount }] of Object.entries(pools())) this.set({ pool }, waitingCount);
      },
    });
  }
}
