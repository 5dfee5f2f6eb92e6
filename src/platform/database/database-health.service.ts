import { Inject, Injectable } from '@nestjs/common';
import { type Clock, within } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { DatabaseService } from './database.service.js';
import { sqlState } from './database-errors.js';
import { DISK_PROBE } from './disk-probe.js';
import { ownTables, TABLE_PRIVILEGES, type TablePrivileges } from './schema/own-tables.js';
import { statement } from './statement.js';
import { StatementOutcomes } from './statement-outcomes.js';

/** Load balancer probes wait about two seconds. */
const ANSWER_WITHIN_MS = 1_500;
/** Minimum time between two examinations. A random part is added so that processes do not run them simultaneously. */
const EXAMINE_EVERY_MS = 10_000;
/** A probe waits at most this long for an examination, then reports the previous result. */
const EXAMINED_WITHIN_MS = 300;

export const unableReasons = ['read_only', 'replica', 'disk_full', 'may_not_read', 'may_not_write'] as const;

/** An operation that the database refuses to this process. */
export interface Unable {
  what: 'writes' | 'table';
  table?: string;
  reason: (typeof unableReasons)[number];
}

const ping = statement('health.ping', 'SELECT 1', ANSWER_WITHIN_MS);
const mode = statement(
  'health.mode',
  `SELECT pg_is_in_recovery() AS "isReplica", current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
);
const privileges = statement('health.privileges', TABLE_PRIVILEGES);
const diskProbe = DISK_PROBE.map((text, index) => statement(`health.disk_probe.${index}`, text));

/** Detects what the database refuses to this process. Runs only when a probe or scrape asks. */
@Injectable()
export class DatabaseHealthService {
  private found: Unable[] = [];
  private dueAtMs = -Infinity;
  private pinging: Promise<boolean> | null = null;
  private examining: Promise<void> | null = null;

  constructor(
    private readonly database: DatabaseService,
    private readonly outcomes: StatementOutcomes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether a statement completes in time, including the wait for a connection. Concurrent callers share one. */
  answers(): Promise<boolean> {
    this.pinging ??= this.ping().finally(() => (this.pinging = null));
    return this.pinging;
  }

  /** Whether the database responds at all, even if all connections are in use. */
  async isReachable(): Promise<boolean> {
    const askedAt = performance.now();
    return (await this.answers()) || this.outcomes.answeredAt > askedAt;
  }

  /** Returns the result of the last examination; runs one first if it is due. */
  async unable(): Promise<readonly Unable[]> {
    if (this.outcomes.isRefused || this.clock.nowMs() >= this.dueAtMs)
      this.examining ??= this.examine().finally(() => (this.examining = null));
    if (this.examining) await within(this.examining, EXAMINED_WITHIN_MS, undefined);
    return this.found;
  }

  private async ping(): Promise<boolean> {
    const answer = this.database.query(ping, []).catch(() => null);
    return (await within(answer, ANSWER_WITHIN_MS, null)) !== null;
  }

  private async examine(): Promise<void> {
    this.outcomes.isRefused = false;
    this.dueAtMs = this.clock.nowMs() + EXAMINE_EVERY_MS * (1 + Math.random());
    try {
      const writes = await this.whyNoWrites();
      const tables = await this.closedTables();
      this.found = [...(writes === null ? [] : [{ what: 'writes' as const, reason: writes }]), ...tables];
    } catch {
      // Keep the last result until the database responds again.
    }
  }

  private async whyNoWrites(): Promise<Unable['reason'] | null> {
    const [found] = await this.database.query<{ isReplica: boolean; isReadOnly: boolean }>(mode, []);
    if (found?.isReplica) return 'replica';
    if (found?.isReadOnly) return 'read_only';
    if (!this.outcomes.isDiskFull) return null;
    this.outcomes.isDiskFull = await this.isDiskFull();
    return this.outcomes.isDiskFull ? 'disk_full' : null;
  }

  private async closedTables(): Promise<Unable[]> {
    const rows = await this.database.query<TablePrivileges>(privileges, [ownTables]);
    return rows
      .filter(({ mayRead, mayWrite }) => !mayRead || !mayWrite)
      .map(({ table, mayRead }) => ({
        what: 'table',
        table,
        reason: mayRead ? 'may_not_write' : 'may_not_read',
      }));
  }

  private async isDiskFull(): Promise<boolean> {
    try {
      await this.database.transaction(async (tx) => {
        for (const command of diskProbe) await tx.query(command, []);
      });
      return false;
    } catch (error) {
      // Other errors say nothing about the disk; the next write that finds it full is noted anyway.
      return sqlState(error) === '53100';
    }
  }
}
