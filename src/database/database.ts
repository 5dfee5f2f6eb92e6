import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { isRetryable, violatedUnique } from './database-errors.js';
import type { Statement } from './statement.js';

/** What a repository runs its queries on: the pool, or the transaction it was handed. */
export interface Executor {
  readonly manager: EntityManager;
  /** Rows of one statement. */
  query<Row>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

/** An open transaction. */
export interface Transaction extends Executor {
  /** Runs `work` once the transaction is durable; its failure does not reach the caller. */
  afterCommit(work: () => void): void;
}

export interface TransactionOptions {
  /**
   * Also start again when a unique key was violated: for writers that read first, where a violation
   * means somebody else wrote the same row meanwhile. Otherwise it reaches the caller (a 409).
   */
  retryUniqueViolation?: boolean;
}

const MAX_ATTEMPTS = 6;

/** The one way to PostgreSQL: plain reads on the pool, writes in a transaction that is retried as a whole. */
@Injectable()
export class Database implements Executor {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Config) private readonly config: Config,
  ) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  async query<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const result = await this.pool.query(this.prepared(statement, values));
    return result.rows as Row[];
  }

  /**
   * Runs `work` in one READ COMMITTED transaction and commits it. On deadlock, serialization failure or
   * a lost connection the whole of `work` runs again (up to 6 times, with growing random pauses), so it
   * must have no effect outside the transaction; use `afterCommit` for those.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runOnce(work);
      } catch (error) {
        const retry =
          isRetryable(error) || (options.retryUniqueViolation === true && violatedUnique(error) !== null);
        if (!retry || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  private async runOnce<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: (() => void)[] = [];
    try {
      const client = (await runner.connect()) as pg.PoolClient;
      await runner.startTransaction();
      const result = await work({
        manager: runner.manager,
        query: async <Row>(statement: Statement, values: unknown[]) =>
          (await client.query(this.prepared(statement, values))).rows as Row[],
        afterCommit: (callback) => afterCommit.push(callback),
      });
      await runner.commitTransaction();
      for (const callback of afterCommit) callback();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private prepared(statement: Statement, values: unknown[]): pg.QueryConfig {
    return this.config.namedStatements
      ? { name: statement.name, text: statement.text, values }
      : { text: statement.text, values };
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}
