import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../../config/config.js';
import { configureConnection } from './connection-settings.js';
import { boundedConnections, keptAlive, lostHosts } from '../data-source.js';
import { NoFreeConnection } from '../database-errors.js';
import { ConnectionSlots } from './connection-slots.js';

/** PostgreSQL cancels a slow report; the client's limit, this much (ms) later, only covers an unresponsive server. */
const SILENCE_MS = 2_000;
/** At most one in this many of a process's admitted requests may wait as a report, to leave room for others. */
const SHARE_OF_REQUESTS = 5;
/** Minimum time (ms) for a statement, however long it waited for a connection. */
const MIN_STATEMENT_MS = 100;

/** Separate connections to the primary for reports, so that they never delay a purchase. */
@Injectable()
export class ReportPoolService implements OnApplicationShutdown {
  readonly pool: pg.Pool;
  /** For long reads: `pool`, or one more connection if that has a single one. */
  private readonly longPool: pg.Pool;
  private readonly longReads: ConnectionSlots;

  constructor(private readonly config: Config) {
    const { reportConnections } = config;
    this.pool = reportPool(config, reportConnections);
    this.longPool = reportConnections > 1 ? this.pool : reportPool(config, 1);
    this.longReads = new ConnectionSlots(Math.max(1, reportConnections - 1));
  }

  /** `leftMs`: the time left for a statement. @throws NoFreeConnection if too many reports already wait */
  async use<T>(work: (client: pg.PoolClient, leftMs: number) => Promise<T>): Promise<T> {
    const { maxRequestsInFlight, reportTimeoutMs } = this.config;
    if (this.pool.waitingCount >= Math.max(1, maxRequestsInFlight / SHARE_OF_REQUESTS))
      throw new NoFreeConnection('Too many reports are waiting for a connection');
    const startedAt = performance.now();
    const client = await this.pool.connect();
    let isBroken = false;
    try {
      const leftMs = reportTimeoutMs - (performance.now() - startedAt);
      return await work(client, Math.max(MIN_STATEMENT_MS, Math.ceil(leftMs)));
    } catch (error) {
      // It may have an open transaction.
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  /**
   * Lends a connection for longer than a report may take. Such reads leave at least one connection free for reports, and
   * wait for each other. @throws NoFreeConnection after `patienceMs`
   */
  async useLong<T>(patienceMs: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    await this.longReads.acquire(patienceMs);
    try {
      return await work(await this.longPool.connect());
    } finally {
      this.longReads.release();
    }
  }

  /** Returns up to `count` connections without waiting, and leaves at least one free. The caller releases them. */
  async takeFree(count: number): Promise<pg.PoolClient[]> {
    const { idleCount, totalCount, waitingCount, options } = this.pool;
    const free = waitingCount > 0 ? 0 : idleCount + options.max - totalCount - 1;
    const taken = await Promise.allSettled(
      Array.from({ length: Math.min(count, free) }, () => this.pool.connect()),
    );
    return taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...new Set([this.pool, this.longPool])].map((pool) => pool.end()));
  }
}

function reportPool(config: Config, max: number): pg.Pool {
  const { databaseUrl, reportTimeoutMs, databaseTimeoutMs } = config;
  const configured = {
    onConnect: (client: pg.ClientBase): Promise<void> => configureConnection(client, lostHosts),
  };
  const pool = new pg.Pool({
    connectionString: databaseUrl ?? undefined,
    max,
    application_name: 'tenure-reports',
    connectionTimeoutMillis: Math.min(reportTimeoutMs, databaseTimeoutMs),
    idleTimeoutMillis: 60_000,
    ...keptAlive,
    ...boundedConnections(reportLimitMs(config)),
    ...configured,
  });
  // No read was using this idle connection.
  pool.on('error', () => undefined);
  return pool;
}

export function reportLimitMs({ reportTimeoutMs }: Config): number {
  return reportTimeoutMs + SILENCE_MS;
}
