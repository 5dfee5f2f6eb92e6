import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { traced } from '../observability/tracing.js';
import type { BoundedQuery } from './bounded-client.js';
import {
  ConcurrentChange,
  isConnectionLoss,
  isDemoted,
  isRetryable,
  violatedUnique,
} from './database-errors.js';
import { NotificationListener } from './notification-listener.js';
import { Replicas } from './replicas.js';
import { NoFreshReplica } from './replication.js';
import { type Statement, statement } from './statement.js';

/** What only reads. */
export interface Reader {
  /** Rows of one statement. */
  readonly query: <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;
}

/** What a repository runs its queries on: the pool, or the transaction it was handed. */
export interface Executor extends Reader {
  readonly manager: EntityManager;
}

/** An open transaction. */
export interface Transaction extends Executor {
  /** Runs `work` once the transaction is durable. It must not throw. */
  afterCommit(work: () => void): void;
  /**
   * Tells every replica when the transaction commits: this process before the caller goes on, the others
   * through LISTEN.
   */
  notify(channel: string, payload: string): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Also start again when a unique key was violated: for writers that read first, where a violation
   * means somebody else wrote the same row meanwhile. Otherwise it reaches the caller (a 409).
   */
  retryUniqueViolation?: boolean;
  /** Gives up waiting for a locked row after this time, with an error; it is not tried again. */
  lockTimeoutMs?: number;
  /** All statements see the database as of the first one. Only for reading. */
  snapshot?: boolean;
}

const MAX_ATTEMPTS = 6;
/** Each of these failures is the success of another transaction: whoever is many times too late still gets there. */
const MAX_ATTEMPTS_AFTER_CHANGES = 20;
const MAX_PAUSE_MS = 640;
/** Of the spans of statements. */
const DATABASE = { 'db.system.name': 'postgresql' };

const setLockTimeout = statement('database.lock_timeout', `SELECT set_config('lock_timeout', $1, true)`);
const setStatementTimeout = statement(
  'database.statement_timeout',
  `SELECT set_config('statement_timeout', $1, true)`,
);
const beginSnapshot = statement('database.begin_snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const commit = statement('database.commit', 'COMMIT');
/** What only reads keeps nobody waiting, and may itself wait for a slow reader. */
const readOnly = statement(
  'database.read_only',
  `SELECT set_config('transaction_read_only', 'on', true),
     set_config('idle_in_transaction_session_timeout', '0', true)`,
);
const notify = statement('database.notify', 'SELECT pg_notify($1, $2)');

/** The pool keeps no connection that has ended. */
async function drop(client: pg.PoolClient): Promise<void> {
  await client.end().catch(() => undefined);
}

/** The one way to PostgreSQL: plain reads on the pool, writes in a transaction that is retried as a whole. */
@Injectable()
export class Database implements Executor {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Config) private readonly config: Config,
    @Inject(NotificationListener) private readonly listener: NotificationListener,
    @Inject(Replicas) private readonly replicas: Replicas,
  ) {}

  /**
   * For statements whose result somebody looks at: a replica answers them when it holds everything that was
   * committed before the call. Never for what decides a write or fills a cache.
   */
  readonly forReading: Reader = {
    query: (command, values) =>
      this.fromReplica(
        (replica) => replica.query(command, values),
        () => this.query(command, values),
      ),
  };

  /**
   * Several reads as of one moment; as with `forReading`, of a replica that is not behind the call. They may be
   * run again from their start, on the primary.
   */
  snapshotForReading<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.fromReplica(
      async (replica) => {
        await replica.query(beginSnapshot, []);
        const result = await work(replica);
        await replica.query(commit, []);
        return result;
      },
      () =>
        this.transaction(
          async (tx) => {
            await tx.query(readOnly, []);
            return work(tx);
          },
          { snapshot: true },
        ),
    );
  }

  private async fromReplica<T>(
    onReplica: (replica: Reader) => Promise<T>,
    onPrimary: () => Promise<T>,
  ): Promise<T> {
    if (!this.dataSource.driver.isReplicated) return onPrimary();
    const runner = this.dataSource.createQueryRunner('slave');
    let client: pg.PoolClient | null = null;
    try {
      client = (await runner.connect()) as pg.PoolClient;
      return await onReplica(this.readerOn(client));
    } catch (error) {
      if (!(error instanceof NoFreshReplica)) {
        // A transaction may be open on it.
        if (client) void drop(client);
        // The replica went away, or its replay cancelled the read.
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
      query: async <Row>(command: Statement, values: unknown[]): Promise<Row[]> =>
        (await traced(command.name, DATABASE, () => client.query(this.prepared(command, values))))
          .rows as Row[],
    };
  }

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  async query<Row>(command: Statement, values: unknown[]): Promise<Row[]> {
    if (command.limitMs !== undefined) return this.runOnce((tx) => tx.query<Row>(command, values), {});
    const result = await traced(command.name, DATABASE, () =>
      this.pool.query(this.prepared(command, values)),
    );
    return result.rows as Row[];
  }

  /**
   * Runs `work` in one READ COMMITTED transaction and commits it. On deadlock, serialization failure or
   * a lost connection the whole of `work` runs again (up to 6 times, 20 when somebody else changed what it had
   * found; with growing random pauses), so it must have no effect outside the transaction; use `afterCommit` for those.
   * A database that took as long to be lost as a statement may take is not asked again.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runOnce(work, options);
      } catch (error) {
        const retry =
          isRetryable(error) || (options.retryUniqueViolation === true && violatedUnique(error) !== null);
        const isOverdue = performance.now() - startedAt >= this.config.databaseTimeoutMs;
        if (isOverdue && isConnectionLoss(error)) throw error;
        const attempts = error instanceof ConcurrentChange ? MAX_ATTEMPTS_AFTER_CHANGES : MAX_ATTEMPTS;
        if (!retry || attempt >= attempts) throw error;
        await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 10 * 2 ** attempt));
      }
    }
  }

  private async runOnce<T>(
    work: (tx: Transaction) => Promise<T>,
    { lockTimeoutMs, snapshot = false }: TransactionOptions,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: (() => void)[] = [];
    let client: pg.PoolClient | null = null;
    try {
      client = (await runner.connect()) as pg.PoolClient;
      await runner.startTransaction(snapshot ? 'REPEATABLE READ' : undefined);
      const reader = this.readerOn(client);
      if (lockTimeoutMs !== undefined) await reader.query(setLockTimeout, [`${lockTimeoutMs}ms`]);
      const result = await work({
        manager: runner.manager,
        query: async (command, values) => {
          // Its own limit is longer than what the server may be set to.
          if (command.limitMs !== undefined)
            await reader.query(setStatementTimeout, [`${command.limitMs}ms`]);
          return reader.query(command, values);
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
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      // The next connection finds the server that leads now.
      if (client && isDemoted(error)) await drop(client);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private prepared({ name, text, limitMs }: Statement, values: unknown[]): BoundedQuery {
    return this.config.namedStatements ? { name, text, values, limitMs } : { text, values, limitMs };
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}
