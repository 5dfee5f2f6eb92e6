import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../config/config.js';
import { configureConnection } from './connection-settings.js';
import { boundedConnections, keptAlive, lostHosts } from './data-source.js';
import { NoFreeConnection } from './database-errors.js';

/** PostgreSQL cancels a report that takes too long; only a silent server is left to the client's own limit, this much (ms) later. */
const SILENCE_MS = 2_000;
/** Waiting reports leave most of the admitted requests of a process to others: one in so many may wait. */
const SHARE_OF_REQUESTS = 5;
/** Least time (ms) for a statement, however long its connection was waited for. */
const MIN_STATEMENT_MS = 100;

/**
 * Connections to the primary for reports: reads that may take long because a project is large. They are apart from the
 * connections that purchases use, so that no number of reports keeps a purchase waiting for one.
 */
@Injectable()
export class ReportPool implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(private readonly config: Config) {
    const { databaseUrl, reportConnections, reportTimeoutMs, databaseTimeoutMs } = config;
    const configured = {
      onConnect: (client: pg.ClientBase): Promise<void> => configureConnection(client, lostHosts),
    };
    this.pool = new pg.Pool({
      connectionString: databaseUrl ?? undefined,
      max: reportConnections,
      application_name: 'tenure-reports',
      connectionTimeoutMillis: Math.min(reportTimeoutMs, databaseTimeoutMs),
      idleTimeoutMillis: 60_000,
      ...keptAlive,
      ...boundedConnections(reportLimitMs(config)),
      ...configured,
    });
    // No read was using this idle connection.
    this.pool.on('error', () => undefined);
  }

  /**
   * Runs `work` on a connection of its own. `leftMs` is the time that is left for a statement.
   * @throws NoFreeConnection when too many reports wait already
   */
  async use<T>(work: (client: pg.PoolClient, leftMs: number) => Promise<T>): Promise<T> {
    const { maxRequestsInFlight, reportTimeoutMs } = this.config;
    if (this.pool.waitingCount >= Math.max(1, maxRequestsInFlight / SHARE_OF_REQUESTS))
      throw new NoFreeConnection('Too many reports wait for a connection');
    const startedAt = performance.now();
    const client = await this.pool.connect();
    let isBroken = false;
    try {
      const leftMs = reportTimeoutMs - (performance.now() - startedAt);
      return await work(client, Math.max(MIN_STATEMENT_MS, Math.ceil(leftMs)));
    } catch (error) {
      // A transaction may be open on it.
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}

/** The client's own limit (ms) for a statement of a report. */
export function reportLimitMs({ reportTimeoutMs }: Config): number {
  return reportTimeoutMs + SILENCE_MS;
}
