import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Gauge, Registry } from 'prom-client';
import { Config } from '../../config/config.js';
import { tracedStatement } from '../../observability/tracing.js';
import { isRetryable, sqlState } from '../database-errors.js';
import type { Reader } from '../database.service.js';
import { ReplicasService } from '../replicas/replicas.service.js';
import type { Statement } from '../statement.js';
import { StatementOutcomes } from '../statement-outcomes.js';
import { configureTransaction } from './connection-settings.js';
import { ReportPoolService } from './report-pool.service.js';

/** A receiver of rows may pause the read for this long. */
const IDLE_LIMIT = '10min';
const MINUTE_MS = 60_000;

/** A long read of one state of the database. */
export interface ReportSnapshot extends Reader {
  /** The database's time at its start. It includes everything committed before. */
  readonly atMs: number;
  readonly isReplica: boolean;
  /** Returns each row as an array of PostgreSQL's text forms; times are in UTC. */
  readonly texts: (statement: Statement, values: unknown[]) => Promise<(string | null)[][]>;
}

export interface SnapshotOptions {
  /** Does not use a replica, for example because it canceled the read before. */
  isPrimaryOnly?: boolean;
  /** How long to wait for a connection. Default: any time. */
  patienceMs?: number;
  /** How long the snapshot may last. Default: `SERVICE_EXPORT_SNAPSHOT_MINUTES`. */
  limitMs?: number;
}

/** The snapshot lasted longer than its limit. */
export class SnapshotExpired extends Error {
  constructor(limitMs: number) {
    super(`Reading took longer than ${limitMs / MINUTE_MS} minutes`);
  }
}

/** The replica canceled the read or was lost. */
export class ReplicaConflict extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super('The read replica ended the read', { cause });
    this.code = sqlState(cause);
  }
}

/** Parameters keep their types; columns stay texts. */
const textTypes = { getTypeParser: () => String };

/**
 * Snapshots for exports, which read longer than a report may: each statement has the time limit of reports, and the
 * whole transaction has its own. They read from a replica that is up to date, or from a report connection that no
 * request needs.
 */
@Injectable()
export class ReportSnapshotsService {
  /** Start of each open snapshot (`performance.now()`). */
  private readonly startedAt = new Set<number>();

  constructor(
    private readonly config: Config,
    private readonly replicas: ReplicasService,
    private readonly pool: ReportPoolService,
    private readonly outcomes: StatementOutcomes,
    registry: Registry,
  ) {
    const seconds = (): number => (performance.now() - Math.min(performance.now(), ...this.startedAt)) / 1000;
    new Gauge({
      name: 'tenure_export_snapshot_seconds',
      aggregator: 'max',
      help: 'Age of the oldest snapshot that an export or a download reads. Vacuum removes no rows that it can see.',
      registers: [registry],
      collect() {
        this.set(seconds());
      },
    });
  }

  /**
   * Runs `work` once, on one snapshot.
   * @throws NoFreeConnection, SnapshotExpired, ReplicaConflict
   */
  async run<T>(
    { isPrimaryOnly = false, patienceMs = Infinity, limitMs }: SnapshotOptions,
    work: (snapshot: ReportSnapshot) => Promise<T>,
  ): Promise<T> {
    const lastsMs = limitMs ?? this.config.exportSnapshotMinutes * MINUTE_MS;
    const replica = isPrimaryOnly || this.replicas.count === 0 ? null : await this.replicas.takeFresh();
    if (replica) return this.inTransaction(replica, true, lastsMs, work);
    return this.pool.useLong(patienceMs, (client) => this.inTransaction(client, false, lastsMs, work));
  }

  private async inTransaction<T>(
    client: pg.PoolClient,
    isReplica: boolean,
    limitMs: number,
    work: (snapshot: ReportSnapshot) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    this.startedAt.add(startedAt);
    let isExpired = false;
    const timer = setTimeout(() => {
      isExpired = true;
      // Frees the snapshot even if no statement is running.
      void client.end().catch(() => undefined);
    }, limitMs);
    const guarded = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      try {
        const result = await run();
        this.outcomes.noteAnswer();
        return result;
      } catch (error) {
        if (isExpired) throw new SnapshotExpired(limitMs);
        this.outcomes.noteFailure(error);
        throw isReplica && isRetryable(error) ? new ReplicaConflict(error) : error;
      }
    };
    try {
      const atMs = await guarded(() => this.begin(client, limitMs));
      return await work({ atMs, isReplica, ...this.readerOn(client, guarded) });
    } finally {
      // Nothing was written.
      const isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      clearTimeout(timer);
      this.startedAt.delete(startedAt);
      client.release(isBroken);
    }
  }

  private async begin(client: pg.PoolClient, limitMs: number): Promise<number> {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await configureTransaction(client, {
      statement_timeout: `${this.config.reportTimeoutMs}ms`,
      idle_in_transaction_session_timeout: IDLE_LIMIT,
      transaction_timeout: `${limitMs}ms`,
      timezone: 'UTC',
      datestyle: 'ISO',
    });
    const { rows } = await client.query<{ ms: number }>(
      'SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS ms',
    );
    return rows[0]?.ms ?? 0;
  }

  private readerOn(
    client: pg.PoolClient,
    guarded: <Result>(run: () => Promise<Result>) => Promise<Result>,
  ): Pick<ReportSnapshot, 'query' | 'texts'> {
    const named = ({ name, text, limitMs, unnamed }: Statement, values: unknown[]) =>
      this.outcomes.usesNames && !unnamed ? { name, text, values, limitMs } : { text, values, limitMs };
    return {
      query: <Row>(command: Statement, values: unknown[]) =>
        guarded(async () => {
          const { rows } = await tracedStatement(command.name, () => client.query(named(command, values)));
          return rows as Row[];
        }),
      texts: (command, values) =>
        guarded(async () => {
          const query = { ...named(command, values), rowMode: 'array' as const, types: textTypes };
          const { rows } = await tracedStatement(command.name, () => client.query(query));
          return rows as (string | null)[][];
        }),
    };
  }
}
