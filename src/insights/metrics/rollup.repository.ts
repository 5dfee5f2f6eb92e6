import { Injectable } from '@nestjs/common';
import type { SubscriptionFacts } from '../../../libs/engine/index.js';
import { canonicalJson } from '../../../libs/kernel/index.js';
import { DatabaseService, type Reader, type Transaction } from '../../platform/database/database.service.js';
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
  soldProducts,
  storedPeriods,
  takeMarks,
} from './rollup.sql.js';

/** Maximum number of marks that an answer adds itself. Only large imports exceed it. */
const MAX_TAIL = 5_000;

export interface Tail {
  changes: PeriodChanges;
  /** Changes after this time are excluded because there are too many; null if none are. */
  behindSinceMs: number | null;
  /** Version of the catalog in the same snapshot. */
  catalogVersion: number;
}

/** Purchases and renewals of a store's product that are rolled up, in both environments. */
export interface SoldProduct {
  appId: string;
  storeProductId: string;
  transactions: number;
  sinceMs: number;
}

@Injectable()
export class RollupRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Adds the lockable row of every project with marks. */
  async registerProjects(): Promise<void> {
    await this.database.query(registerProjects, []);
  }

  /** Locks a project with marks until the transaction ends. Returns null if none is available. */
  async claimProject(tx: Transaction): Promise<string | null> {
    return (await tx.query<{ projectId: string }>(claimProject, []))[0]?.projectId ?? null;
  }

  /** Deletes up to `limit` marks of a locked project and returns their purchases. */
  async takeMarks(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ purchaseId: string }>(takeMarks, [projectId, limit]);
    return [...new Set(rows.map(({ purchaseId }) => purchaseId))];
  }

  /**
   * Returns the changes that the rollup of a project lacks. `snapshot`: all reads must see the same state of the
   * database.
   */
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

  soldProducts(snapshot: Reader, projectId: string): Promise<SoldProduct[]> {
    return snapshot.query<SoldProduct>(soldProducts, [projectId]);
  }

  /** Compares the rollup of purchases with their current figures. */
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

  /** Writes changes of a locked project. */
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
