import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../../../../libs/kernel/index.js';
import { Config } from '../../config/config.js';
import { gaugeReading } from '../../observability/gauge-reading.js';
import { LogService } from '../../observability/log.service.js';
import { Batcher } from '../batcher.js';
import { type Position, POSITION } from './replica-position.js';
import type { BoundedQuery } from '../connections/bounded-client.js';
import { configureConnection } from '../connections/connection-settings.js';
import { boundedConnections, keptAlive, lostHosts } from '../data-source.js';
import { reportLimitMs } from '../connections/report-pool.service.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** Time limit for the queries that decide whether a server may be read. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Even without a wait for replay, a server must respond within this time. */
const ANSWER_WITHIN_MS = 100;
/** Time for which an unreachable or lagging replica is skipped. */
const REST_MS = { down: 5_000, behind: 1_000 };
const FIRST_PAUSE_MS = 2;

/** Null if the server is no longer a replica: it would miss later writes of the primary. */
const PROGRESS = `SELECT CASE WHEN pg_is_in_recovery() AND current_database()::text = $3
    AND (SELECT system_identifier::text FROM pg_control_system()) = $2
  THEN pg_last_wal_replay_lsn() >= $1::pg_lsn END AS caught_up`;
/** The received log is only complete while the receiver runs. */
const LAG = `SELECT CASE WHEN NOT pg_is_in_recovery() THEN 'NaN'
  WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN 0
  ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::float8 AS seconds`;

/** The pool awaits it, although its type does not say so. */
const configured = { onConnect: (client: pg.ClientBase) => configureConnection(client, lostHosts) };

type Trouble = 'behind' | 'down';

interface Replica {
  pool: pg.Pool;
  restsUntil: number;
  /** The reason for skipping it, now or last time. */
  trouble: Trouble;
}

/**
 * Connections to replicas that have replayed everything committed before the request, so readers see the same data as
 * on the primary.
 */
@Injectable()
export class ReplicasService {
  private replicas: Replica[] = [];
  private readonly positions: Batcher<null, Position | null>;
  private readonly reads: Counter;
  private readonly waits: Histogram;
  private primary: pg.Pool | null = null;
  private nextIndex = 0;

  constructor(
    private readonly config: Config,
    private readonly log: LogService,
    registry: Registry,
  ) {
    const position = async (): Promise<Position | null> => {
      const answer = await this.primary?.query<Position>(POSITION).catch(() => null);
      return answer?.rows[0] ?? null;
    };
    this.positions = new Batcher(
      async (items) => {
        const now = await position();
        return items.map(() => now);
      },
      { maxRunning: 1, maxItems: 1_000 },
    );
    this.reads = new Counter({
      name: 'tenure_replica_reads_total',
      help: 'Reads that a replica could answer: by a replica, or by the primary because none was there or all were behind.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['replica', 'behind', 'down']) this.reads.inc({ result }, 0);
    this.waits = new Histogram({
      name: 'tenure_replica_wait_seconds',
      help: 'How long such reads waited for a replica to catch up.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers: [registry],
    });
    this.exposeLag(registry);
  }

  get count(): number {
    return this.config.replicaUrls.length;
  }

  /** Sets the primary's pool, which replicas are compared with, and returns it. */
  follow(primary: pg.Pool): pg.Pool {
    return (this.primary = primary);
  }

  /** Returns an idle connection to an up-to-date replica, which the caller releases; null to use the primary. */
  async takeFresh(): Promise<pg.PoolClient | null> {
    const startedAt = performance.now();
    const usable = this.replicas.filter(({ restsUntil }) => restsUntil <= startedAt);
    const first = this.nextIndex++ % Math.max(usable.length, 1);
    const ordered = [...usable.slice(first), ...usable.slice(0, first)];
    const patienceMs = Math.max(this.config.replicaWaitMs, ANSWER_WITHIN_MS);
    const position = ordered.length > 0 ? await within(this.positions.submit(null), patienceMs, null) : null;
    for (const replica of ordered) {
      if (position === null) break;
      const client = await this.inTime(replica, position, startedAt + this.config.replicaWaitMs);
      if (client === null) continue;
      this.reads.inc({ result: 'replica' });
      this.waits.observe((performance.now() - startedAt) / 1000);
      return client;
    }
    this.reads.inc({ result: this.replicas.some(({ trouble }) => trouble === 'behind') ? 'behind' : 'down' });
    return null;
  }

  /**
   * Runs a statement on one replica, by its place in SERVICE_DATABASE_REPLICA_URLS, however far behind it is. Null if it
   * cannot be reached.
   */
  async queryAt<Row extends object>(place: number, text: string, values: unknown[]): Promise<Row[] | null> {
    const question: BoundedQuery = { text, values, limitMs: ANSWER_TIMEOUT_MS };
    const pool = this.replicas[place]?.pool;
    const answer = pool ? await gaugeReading(() => pool.query<Row>(question)) : null;
    return answer?.rows ?? null;
  }

  /** Counts a read that failed on a replica and moves to the primary. */
  noteFailure(): void {
    this.reads.inc({ result: 'down' });
  }

  /** Creates the pools. A data source that fails to start closes them; the next one creates new ones. */
  open(): void {
    void this.end();
    this.replicas = this.config.replicaUrls.map((url) => ({
      pool: this.poolOf(url),
      restsUntil: 0,
      trouble: 'down',
    }));
  }

  async end(): Promise<void> {
    const { replicas } = this;
    this.replicas = [];
    await Promise.all(replicas.map(({ pool }) => pool.end()));
  }

  private poolOf(url: string): pg.Pool {
    const pool = new pg.Pool({
      connectionString: url,
      max: this.config.databasePoolSize,
      application_name: 'tenure-replica',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      ...keptAlive,
      ...boundedConnections(reportLimitMs(this.config)),
      ...configured,
    });
    // No read was using this idle connection.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Like `caughtUp`, but a replica that does not respond in time counts as down. */
  private async inTime(
    replica: Replica,
    position: Position,
    deadline: number,
  ): Promise<pg.PoolClient | null> {
    const asked = this.caughtUp(replica, position, deadline);
    const isLate = Symbol();
    const leftMs = Math.max(deadline - performance.now(), 0);
    const client = await within(asked, leftMs + ANSWER_WITHIN_MS, isLate);
    if (typeof client !== 'symbol') return client;
    this.rest(replica, 'down');
    // A connection that arrives too late is reused by the next read.
    void asked.then((late) => late?.release());
    return null;
  }

  private async caughtUp(
    replica: Replica,
    { position, system, database }: Position,
    deadline: number,
  ): Promise<pg.PoolClient | null> {
    let client: pg.PoolClient | undefined;
    try {
      client = await replica.pool.connect();
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
        const { rows } = await client.query<{ caught_up: boolean | null }>({
          text: PROGRESS,
          values: [position, system, database],
          limitMs: ANSWER_TIMEOUT_MS,
        } as BoundedQuery);
        const isCaughtUp = rows[0]?.caught_up ?? null;
        if (isCaughtUp === true) return client;
        if (isCaughtUp === null) throw new Error('it is not a replica of the database');
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) break;
        await sleep(Math.min(pauseMs, leftMs));
      }
      client.release();
      this.rest(replica, 'behind');
    } catch (error) {
      client?.release(true);
      this.rest(replica, 'down');
      this.log.warn(
        { err: error, replica: this.replicas.indexOf(replica) + 1 },
        'a read replica cannot be used',
      );
    }
    return null;
  }

  private rest(replica: Replica, trouble: Trouble): void {
    replica.trouble = trouble;
    replica.restsUntil = performance.now() + REST_MS[trouble];
  }

  private exposeLag(registry: Registry): void {
    const pools = (): pg.Pool[] => this.replicas.map(({ pool }) => pool);
    new Gauge({
      name: 'tenure_replica_lag_seconds',
      aggregator: 'max',
      help: 'How far a replica is behind, by its place in SERVICE_DATABASE_REPLICA_URLS; NaN when it cannot be reached.',
      labelNames: ['replica'],
      registers: [registry],
      async collect() {
        const question: BoundedQuery = { text: LAG, limitMs: ANSWER_TIMEOUT_MS };
        const lags = pools().map((pool) => gaugeReading(() => pool.query<{ seconds: number }>(question)));
        (await Promise.all(lags)).forEach((answer, index) =>
          this.set({ replica: index + 1 }, answer?.rows[0]?.seconds ?? Number.NaN),
        );
      },
    });
  }
}
