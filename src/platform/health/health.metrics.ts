import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { DatabaseHealthService } from '../database/database-health.service.js';
import { ownTables } from '../database/schema/own-tables.js';
import { ReadinessService } from '../observability/readiness.service.js';

/**
 * For alerts: once a load balancer has removed every process, no requests remain that could fail. Reports the worst
 * process.
 */
@Injectable()
export class HealthMetrics {
  constructor(registry: Registry, database: DatabaseHealthService, readiness: ReadinessService) {
    new Gauge({
      name: 'tenure_ready',
      aggregator: 'min',
      help: '1 while /readyz answers 200, else 0. Of several processes of a port: 1 while all of them do.',
      registers: [registry],
      async collect() {
        this.set(Number(!readiness.isLeaving && (await database.answers())));
      },
    });
    new Gauge({
      name: 'tenure_database_reachable',
      aggregator: 'min',
      help: '1 while the database answers, else 0. Of several processes of a port: 1 while it answers all of them.',
      registers: [registry],
      async collect() {
        this.set(Number(await database.isReachable()));
      },
    });
    new Gauge({
      name: 'tenure_unable',
      aggregator: 'max',
      help: '1 while the database refuses all writes, or to read or write a table. As of the last examination, 20 s ago at most.',
      labelNames: ['what', 'table'],
      registers: [registry],
      async collect() {
        const unable = await database.unable();
        this.set({ what: 'writes' }, Number(unable.some(({ what }) => what === 'writes')));
        for (const name of ownTables)
          this.set({ what: 'table', table: name }, Number(unable.some(({ table }) => table === name)));
      },
    });
  }
}
