import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import {
  addCohortCounts,
  addCohortMoney,
  cohortCountsOf,
  cohortMoneyOf,
  deleteCohortCounts,
  deleteCohortMoney,
  deleteEmptyCohortCounts,
  deleteEmptyCohortMoney,
  haveCohorts,
  sumCohortCounts,
  sumCohortMoney,
} from './cohort-sums.sql.js';
import { numberColumn, textColumn } from './sql-columns.js';

interface Cohort {
  environment: string;
  cohortDay: string;
  timeWindow: number;
}

interface Counts extends Cohort {
  customers: number;
  converts: number;
  pays: number;
}

interface Money extends Cohort {
  rateDay: string;
  revenue: number;
}

/** The share of some customers in the sums of cohorts. */
interface Contribution {
  counts: Counts[];
  money: Money[];
}

/** Returns the differences between two lists of rows, without unchanged rows. */
function differences<Row extends object, Amount extends keyof Row>(
  before: Row[],
  after: Row[],
  keyOf: (row: Row) => string,
  amounts: readonly Amount[],
): Row[] {
  const rows = new Map(after.map((row) => [keyOf(row), { ...row }]));
  const numbers = (row: Row): Record<Amount, number> => row as Record<Amount, number>;
  for (const row of before) {
    const key = keyOf(row);
    const sum = rows.get(key) ?? { ...row, ...Object.fromEntries(amounts.map((amount) => [amount, 0])) };
    for (const amount of amounts) numbers(sum)[amount] -= numbers(row)[amount];
    rows.set(key, sum);
  }
  return [...rows.values()].filter((row) => amounts.some((amount) => numbers(row)[amount] !== 0));
}

const cohortKey = ({ environment, cohortDay, timeWindow }: Cohort): string =>
  `${environment} ${cohortDay} ${timeWindow}`;

/**
 * Sums over all customers of a cohort. They are updated by difference, because a renewal can change old cohorts, so
 * sums that are recomputed per cohort would never be complete. The project must be locked.
 */
@Injectable()
export class ChartCohortsRepository {
  /** Runs a change to some customers, and adds the difference to the sums. */
  async replaceContributions(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    change: () => Promise<void>,
  ): Promise<void> {
    const before = await this.contribution(tx, projectId, customerIds);
    await change();
    const after = await this.contribution(tx, projectId, customerIds);
    await this.addCounts(
      tx,
      projectId,
      differences(before.counts, after.counts, cohortKey, ['customers', 'converts', 'pays']),
    );
    const moneyKey = (row: Money): string => `${cohortKey(row)} ${row.rateDay}`;
    await this.addMoney(tx, projectId, differences(before.money, after.money, moneyKey, ['revenue']));
  }

  /** Recomputes all sums. */
  async sum(tx: Transaction, projectId: string): Promise<void> {
    for (const step of [
      deleteCohortCounts,
      deleteCohortMoney,
      sumCohortCounts,
      sumCohortMoney,
      haveCohorts,
    ]) {
      await tx.query(step, [projectId]);
    }
  }

  private async contribution(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
  ): Promise<Contribution> {
    const values = [projectId, customerIds];
    return {
      counts: await tx.query<Counts>(cohortCountsOf, values),
      money: await tx.query<Money>(cohortMoneyOf, values),
    };
  }

  private async addCounts(tx: Transaction, projectId: string, rows: Counts[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(addCohortCounts, [
      projectId,
      rows.map(({ environment }) => environment),
      rows.map(({ cohortDay }) => cohortDay),
      rows.map(({ timeWindow }) => timeWindow),
      rows.map(({ customers }) => customers),
      rows.map(({ converts }) => converts),
      rows.map(({ pays }) => pays),
    ]);
    // Deletes rows that are empty after the change.
    const fallen = rows.filter(({ customers, converts, pays }) => Math.min(customers, converts, pays) < 0);
    const days = [...new Set(fallen.map(({ cohortDay }) => cohortDay))];
    if (days.length > 0) await tx.query(deleteEmptyCohortCounts, [projectId, days]);
  }

  private async addMoney(tx: Transaction, projectId: string, rows: Money[]): Promise<void> {
    if (rows.length === 0) return;
    const keys = [
      projectId,
      textColumn(rows.map(({ environment }) => environment)),
      textColumn(rows.map(({ cohortDay }) => cohortDay)),
      numberColumn(rows.map(({ timeWindow }) => timeWindow)),
      textColumn(rows.map(({ rateDay }) => rateDay)),
    ];
    await tx.query(addCohortMoney, [...keys, numberColumn(rows.map(({ revenue }) => revenue))]);
    await tx.query(deleteEmptyCohortMoney, keys);
  }
}
