import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { tracedStatement } from '../observability/tracing.js';
import type { BoundedClient, BoundedQuery } from './connections/bounded-client.js';
import {
  ConcurrentChange,
  hasLostName,
  isConnectionLoss,
  isDemoted,
  isRetryable,
  NoFreeConnection,
  violatedUnique,
} from './database-errors.js';
import { ReachableProjects } from './citus/reachable-projects.js';
import { localSettings } from './local-settings.js';
import { NotificationListenerService } from './connections/notification-listener.service.js';
import { ReportPoolService } from './connections/report-pool.service.js';
import { ReplicasService } from './replicas/replicas.service.js';
import { StatementOutcomes } from './statement-outcomes.js';
import { NoFreshReplica } from './replicas/replication.js';
import { type Statement, statement } from './statement.js';

export interface Reader {
  readonly query: <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;
}

/** Runs the queries of repositories: the pool, or a transaction. */
export interface Executor extends Reader {
  readonly manager: EntityManager;
}

export interface Transaction extends Executor {
  /** Runs `work` after the commit. It must not throw. */
  afterCommit(work: () => void): void;
  /** Notifies every replica on commit: this process before the caller continues, the others through LISTEN. */
  notify(channel: string, payload: string): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Also retries after a unique violation. For writers that read first: the violation means that another request wrote
   * the row in between. Otherwise the caller gets the error (a 409).
   */
  retryUniqueViolation?: boolean;
  /** Fails, without a retry, if a row lock takes longer than this. */
  lockTimeoutMs?: number;
  /** All statements see the same snapshot of the database. Only for reads. */
  snapshot?: boolean;
  /** When the caller started to wait (`performance.now()`), if not now. Statements get only the remaining time. */
  since?: number;
}

const MAX_ATTEMPTS = 6;
/** Each of these failures means that another transaction succeeded, so frequent retries still make progress. */
const MAX_ATTEMPTS_AFTER_CHANGES = 20;
const MAX_PAUSE_MS = 640;
/** Minimum share of the usual limit for a statement, however long it waited for a connection. */
const MIN_SHARE = 0.05;

type Isolation = 'READ COMMITTED' | 'REPEATABLE READ';

/** A report blocks no writer and may itself wait for a slow reader. */
const beginReport = (isolation: Isolation, timeoutMs: number): string =>
  `BEGIN ISOLATION LEVEL ${isolation} READ ONLY; SET LOCAL statement_timeout = ${timeoutMs};
   SET LOCAL idle_in_transaction_session_timeout = 0`;

/** Joins the snapshot that another connection exported. */
function beginOnSnapshot(id: string, timeoutMs: number): string {
  if (!/^[0-9A-F-]+$/.test(id)) throw new Error('not the id of a snapshot');
  return `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '${id}';
   SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL idle_in_transaction_session_timeout = 0`;
}

const exportSnapshot = statement('database.export_snapshot', 'SELECT pg_export_snapshot() AS id');
const notify = statement('database.notify', 'SELECT pg_notify($1, $2)');

/** A closed connection does not return to the pool. */
async function drop(client: pg.PoolClient): Promise<void> {
  await client.end().catch(() => undefined);
}

/** The only access to PostgreSQL: plain reads on the pool, and writes in transactions that are retried as a whole. */
@Injectable()
export class DatabaseService implements Executor {
  private readonly reachable = new ReachableProjects();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly listener: NotificationListenerService,
    private readonly replicas: ReplicasService,
    private readonly reports: ReportPoolService,
    private readonly outcomes: StatementOutcomes,
  ) {}

  /**
   * For reports that are only displayed. They use separate connections, so that purchases do not wait for them, and a
   * replica that has replayed everything committed before the call. Never use it for reads that decide a write or fill
   * a cache.
   */
  readonly forReading: Reader = {
    query: (command, values) => this.report('READ COMMITTED', (reader) => reader.query(command, values)),
  };

  /** Runs several reads on one snapshot, otherwise like `forReading`. They may be repeated on the primary. */
  snapshotForReading<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.report('REPEATABLE READ', work);
  }

  /**
   * Like `snapshotForReading`, but with further connections to the same snapshot, at most `more`, while at least one
   * stays free for other reports. A replica has one connection only.
   */
  parallelForReading<T>(more: number, work: (readers: [Reader, ...Reader[]]) => Promise<T>): Promise<T> {
    return this.fromReplica(
      (client) =>
        this.inReport('REPEATABLE READ', client, this.config.reportTimeoutMs, (first) => work([first])),
      () =>
        this.retried(
          () =>
            this.reports.use((client, leftMs) =>
              this.inReport('REPEATABLE READ', client, leftMs, (first) =>
                this.withMore(first, more, leftMs, work),
              ),
            ),
          {},
        ),
    );
  }

  private async withMore<T>(
    first: Reader,
    more: number,
    leftMs: number,
    work: (readers: [Reader, ...Reader[]]) => Promise<T>,
  ): Promise<T> {
    const others = more > 0 ? await this.reports.takeFree(more) : [];
    let isBroken = true;
    try {
      if (others.length > 0) {
        const [row] = await first.query<{ id: string }>(exportSnapshot, []);
        for (const other of others) await other.query(beginOnSnapshot(row?.id ?? '', leftMs));
      }
      const result = await work([first, ...others.map((other) => this.readerOn(other))]);
      for (const other of others) await other.query('COMMIT');
      isBroken = false;
      return result;
    } finally {
      for (const other of others) other.release(isBroken);
    }
  }

  private report<T>(isolation: Isolation, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.fromReplica(
      (client) => this.inReport(isolation, client, this.config.reportTimeoutMs, work),
      () =>
        this.retried(
          () => this.reports.use((client, leftMs) => this.inReport(isolation, client, leftMs, work)),
          {},
        ),
    );
  }

  private async inReport<T>(
    isolation: Isolation,
    client: pg.PoolClient,
    leftMs: number,
    work: (reader: Reader) => Promise<T>,
  ): Promise<T> {
    await client.query(beginReport(isolation, leftMs));
    const result = await work(this.readerOn(client));
    await client.query('COMMIT');
    return result;
  }

  private async fromReplica<T>(
    onReplica: (replica: pg.PoolClient) => Promise<T>,
    onPrimary: () => Promise<T>,
  ): Promise<T> {
    if (!this.dataSource.driver.isReplicated) return onPrimary();
    const runner = this.dataSource.createQueryRunner('slave');
    let client: pg.PoolClient | null = null;
    try {
      client = (await runner.connect()) as pg.PoolClient;
      return await onReplica(client);
    } catch (error) {
      if (!(error instanceof NoFreshReplica)) {
        // It may have an open transaction.
        if (client) void drop(client);
        // The replica is gone, or replay canceled the read.
        if (!isRetryable(error)) throw error;
        this.replicas.noteFailure();
      }
    } finally {
      await runner.release();
    }
    return onPrimary();
  }

  private readerOn(client: pg.PoolClient): Reader {
    return {
      query: async <Row>(command: Statement, values: unknown[]): Promise<Row[]> => {
        const run = () => client.query(this.prepared(command, values));
        try {
          const { rows } = await tracedStatement(command.name, run);
          this.outcomes.noteAnswer();
          return rows as Row[];
        } catch (error) {
          this.outcomes.noteFailure(error);
          throw error;
        }
      },
    };
  }

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  query<Row>(command: Statement, values: unknown[], since = performance.now()): Promise<Row[]> {
    if (!command.acrossProjects) return this.queryNamed(command, values, since);
    return this.reachable.query(command, values, (one, its) => this.queryNamed(one, its, since));
  }

  private async queryNamed<Row>(command: Statement, values: unknown[], since: number): Promise<Row[]> {
    try {
      return await this.queryOnce<Row>(command, values, since);
    } catch (error) {
      if (!hasLostName(error)) throw error;
      // Named statements are turned off now.
      return this.queryOnce(command, values, since);
    }
  }

  private async queryOnce<Row>(command: Statement, values: unknown[], since: number): Promise<Row[]> {
    if (command.limitMs !== undefined) return this.runOnce((tx) => tx.query<Row>(command, values), {}, since);
    const client = await this.connected(this.pool.connect(), since, (late) => late?.release());
    try {
      this.shorten(client, since);
      return await this.readerOn(client).query<Row>(command, values);
    } catch (error) {
      if (isDemoted(error)) await drop(client);
      throw error;
    } finally {
      this.giveBack(client);
    }
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. After a deadlock, serialization failure or lost connection, all of
   * `work` runs again (up to 6 times, 20 after concurrent changes, with growing random pauses), so it must have no
   * effects outside the transaction; use `afterCommit` for those. If the database was lost only after a full statement
   * timeout, there is no retry.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.retried((startedAt) => this.runOnce(work, options, startedAt), options);
  }

  private async retried<T>(
    attempt: (startedAt: number) => Promise<T>,
    { retryUniqueViolation = false, since: startedAt = performance.now() }: TransactionOptions,
  ): Promise<T> {
    for (let made = 1; ; made++) {
      try {
        return await attempt(startedAt);
      } catch (error) {
        const retry = isRetryable(error) || (retryUniqueViolation && violatedUnique(error) !== null);
        const isOverdue = performance.now() - startedAt >= this.config.databaseTimeoutMs;
        if (isOverdue && isConnectionLoss(error)) throw error;
        const attempts = error instanceof ConcurrentChange ? MAX_ATTEMPTS_AFTER_CHANGES : MAX_ATTEMPTS;
        if (!retry || made >= attempts) throw error;
        await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 10 * 2 ** made));
      }
    }
  }

  /** Deducts the time spent on waiting for a connection and on earlier attempts from the statements' limit. */
  private shorten(client: pg.PoolClient, startedAt: number): void {
    (client as unknown as BoundedClient).shorten(this.leftMs(startedAt));
  }

  private leftMs(startedAt: number): number {
    const { databaseTimeoutMs } = this.config;
    const leftMs = databaseTimeoutMs - (performance.now() - startedAt);
    return Math.ceil(Math.max(leftMs, databaseTimeoutMs * MIN_SHARE));
  }

  /** Returns a connection that arrives too late to the pool. @throws NoFreeConnection after the remaining time */
  private async connected<C>(
    connecting: Promise<C>,
    startedAt: number,
    giveBack: (late?: C) => unknown,
  ): Promise<C> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      const giveUp = (): void => reject(new NoFreeConnection('No connection became free in time'));
      timer = setTimeout(giveUp, this.leftMs(startedAt));
    });
    try {
      return await Promise.race([connecting, overdue]);
    } catch (error) {
      void connecting.then(giveBack, () => giveBack());
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private giveBack(client: pg.PoolClient): void {
    (client as unknown as BoundedClient).shorten(Infinity);
    client.release();
  }

  private async runOnce<T>(
    work: (tx: Transaction) => Promise<T>,
    { lockTimeoutMs, snapshot = false }: TransactionOptions,
    startedAt: number,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: (() => void)[] = [];
    const connecting = runner.connect() as Promise<pg.PoolClient>;
    const client = await this.connected(connecting, startedAt, () => runner.release());
    try {
      this.shorten(client, startedAt);
      await runner.startTransaction(snapshot ? 'REPEATABLE READ' : undefined);
      const reader = this.readerOn(client);
      if (lockTimeoutMs !== undefined) await reader.query(localSettings({ lock_timeout: lockTimeoutMs }), []);
      let failure: unknown;
      const result = await work({
        manager: runner.manager,
        query: async <Row>(command: Statement, values: unknown[]): Promise<Row[]> => {
          const { limitMs } = command;
          try {
            // A limit of its own is longer than a limit set on the server.
            const limited = limitMs && reader.query(localSettings({ statement_timeout: limitMs }), []);
            const [, rows] = await Promise.all([limited, reader.query<Row>(command, values)]);
            return rows;
          } catch (error) {
            // Statements sent together after a failed one fail too, without the reason.
            throw (failure ??= error);
          }
        },
        afterCommit: (callback) => afterCommit.push(callback),
        notify: async (channel, payload) => {
          await reader.query(notify, [channel, payload]);
          afterCommit.push(() => this.listener.dispatch(channel, payload));
        },
      });
      await runner.commitTransaction();
      for (const callback of afterCommit) callback();
      return result;
    } catch (error) {
      // Covers TypeORM statements and the commit too.
      this.outcomes.noteFailure(error);
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      // A new connection reaches the new primary.
      if (isDemoted(error)) await drop(client);
      throw error;
    } finally {
      (client as unknown as BoundedClient).shorten(Infinity);
      await runner.release();
    }
  }

  private prepared({ name, text, limitMs, unnamed }: Statement, values: unknown[]): BoundedQuery {
    return this.outcomes.usesNames && !unnamed ? { name, text, values, limitMs } : { text, values, limitMs };
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}
