import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { type EndReason, endReasons } from './sql-sessions.policy.js';

@Injectable()
export class SqlUsersMetrics {
  private readonly open: Gauge;
  private readonly ended: Counter;

  constructor(registry: Registry) {
    this.open = new Gauge({
      name: 'tenure_sql_sessions',
      // Every process sees the sessions of all servers.
      aggregator: 'max',
      help: 'Sessions of SQL users on the database and its replicas.',
      registers: [registry],
    });
    this.ended = new Counter({
      name: 'tenure_sql_sessions_ended_total',
      help: 'Sessions of SQL users that the server ended, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of endReasons) this.ended.inc({ reason }, 0);
  }

  setOpen(count: number): void {
    this.open.set(count);
  }

  countEnded(reason: EndReason): void {
    this.ended.inc({ reason });
  }
}
