import { Injectable } from '@nestjs/common';
import type { SubscriptionFacts } from '../../../libs/engine/index.js';
import { canonicalJson } from '../../../libs/kernel/index.js';
import { Database, type Reader, type Transaction } from '../../platform/database/database.js';
import {
  type LedgerRow,
  type MetricPeriod,
  metricPeriods,
  type PeriodChanges,
  planSpans,
} from './metric-periods.js';
import { type Movement, movementsOf } from './metric-series.js';
import {
  addToDays,
  subscriptionsOf,
  claimProject,
  deletePeriods,
  insertPeriods,
  ledgerOf,
  readMarks,
  registerProjects,
  storedPeriods,
  takeMarks,
} from './rollup.sql.js';

/** Marks that an answer takes into account by itself; more only pile up while much is imported. */
const MAX_TAIL = 5_000;

/** What is not rolled up yet. */
export interface Tail {
  changes: PeriodChanges;
  /** Changes since then are left out, because there are too many; null: nothing is left out. */
  behindSinceMs: number | null;
  /** Version of the catalog at the same moment. */
  catalogVersion: number;
}

/** Reads what purchases count for, and keeps it in the rollup. */
@Injectable()
export class RollupRepository {
  constructor(private readonly database: Database) {}

  /** Gives every project with marks its row to be claimed by. */
  async registerProjects(): Promise<void> {
    await this.database.query(registerProjects, []);
  }

  /** A project with marks, which is this transaction's alone until it ends; null when there is none to be had. */
  async claimProject(tx: Transaction): Promise<string | null> {
    return (await tx.query<{ projectId: string }>(claimProject, []))[0]?.projectId ?? null;
  }

  /** Removes up to `limit` marks of a claimed project and gives the purchases they name. */
  async takeMarks(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ purchaseId: string }>(takeMarks, [projectId, limit]);
    return [...new Set(rows.map(({ purchaseId }) => purchaseId))];
  }

  /** The changes that the rollup of a project lacks. `snapshot`: all reads must see the database as of one time. */
  async tail(snapshot: Reader, projectId: string): Promise<Tail> {
    const [marks] = await snapshot.query<Omit<Tail, 'changes'> & { purchaseIds: string[] }>(readMarks, [
      projectId,
      MAX_TAIL,
    ]);
    if (!marks) throw new Error('an aggregate without a group has one row');
    const { purchaseIds, behindSinceMs, catalogVersion } = marks;
    const changes = await this.changesOf(snapshot, projectId, purchaseIds);
    return { changes, behindSinceMs, catalogVersion };
  }

  /** How the rollup of purchases differs from what they count for now. */
  async changesOf(executor: Reader, projectId: string, purchaseIds: string[]): Promise<PeriodChanges> {
    if (purchaseIds.length === 0) return { removed: [], added: [] };
    const values = [projectId, purchaseIds];
    const ledger = await executor.query<LedgerRow>(ledgerOf, values);
    const subscriptions = await executor.query<{ id: string; facts: SubscriptionFacts }>(
      subscriptionsOf,
      values,
    );
    const stored = await executor.query<MetricPeriod>(storedPeriods, values);
    const spans = new Map(subscriptions.map(({ id, facts }) => [id, planSpans(facts)]));
    const current = metricPeriods(ledger, spans);
    const before = new Set(stored.map(canonicalJson));
    const after = new Set(current.map(canonicalJson));
    return {
      removed: stored.filter((period) => !after.has(canonicalJson(period))),
      added: current.filter((period) => !before.has(canonicalJson(period))),
    };
  }

  /** Writes changes of a claimed project. */
  async apply(tx: Transaction, projectId: string, { removed, added }: PeriodChanges): Promise<void> {
    if (removed.length === 0 && added.length === 0) return;
    const movements: (Movement & { environment: string })[] = [
      ...removed.flatMap((period) => withEnvironment(period, -1)),
      ...added.flatMap((period) => withEnvironment(period, 1)),
    ];
    await tx.query(deletePeriods, [
      projectId,
      removed.map(({ purchaseId }) => purchaseId),
      removed.map(({ periodKey }) => periodKey),
    ]);
    await tx.query(insertPeriods, [projectId, JSON.stringify(added)]);
    await tx.query(addToDays, [projectId, JSON.stringify(movements)]);
  }
}

function withEnvironment(period: MetricPeriod, sign: 1 | -1): (Movement & { environment: string })[] {
  return movementsOf(period, sign).map((movement) => ({ ...movement, environment: period.environment }));
}
