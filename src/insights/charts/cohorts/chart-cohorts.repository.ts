import { Injectable } from '@nestjs/common';
import type { Reader, Transaction } from '../../../platform/database/database.service.js';
import type { Dims } from '../facts/dims.js';
import { numberColumn, textColumn } from '../rollup/sql-columns.js';
import {
  type CohortCounts,
  type CohortMoney,
  countDifferences,
  type MemberFacts,
  moneyDifferences,
} from './cohort-counts.js';
import {
  addCohortCounts,
  addCohortMoney,
  deleteCohortCounts,
  deleteCohortMoney,
  deleteEmptyCohortCounts,
  deleteEmptyCohortMoney,
  haveCohorts,
  sumCohortCounts,
  sumCohortMoney,
} from './cohort-counts.sql.js';
import { type CohortLevel, MAX_SETS } from './cohort-levels.js';
import { type CohortMembers, type MemberChange, memberChanges, type StoredSales } from './cohort-member.js';
import { type CohortSet, hashOfValues, setDifferences, type ValueOf } from './cohort-sets.js';
import {
  addCohortSums,
  deleteEmptyCohortSums,
  deleteLevel,
  dimsOf,
  fillLevel,
  largeLevels,
  levelIsRight,
  sampleCohortDay,
  setLevels,
  storedCohorts,
  storedSales,
} from './cohort-sums.sql.js';

/** Which sums of cohorts a project has. */
export interface StoredCohorts {
  hasCohorts: boolean;
  /** Levels whose sums by sets of values are stored. */
  levels: CohortLevel[];
  /** Levels that are to be filled. */
  missing: CohortLevel[];
}

/** Customers before and after a change. */
export interface CohortChange {
  before: CohortMembers;
  after: CohortMembers;
  facts: MemberFacts;
  /** The combinations of the customers after the change. */
  dims: readonly Dims[];
}

type LevelValues = { id: string } & Record<CohortLevel, string>;

/**
 * Sums over all customers of a cohort. They are updated by difference, because a renewal can change old cohorts, so
 * sums that are recomputed per cohort would never be complete. The project must be locked.
 */
@Injectable()
export class ChartCohortsRepository {
  maxSets = MAX_SETS;

  storedSales(tx: Transaction, projectId: string, customerIds: string[]): Promise<StoredSales[]> {
    return tx.query<StoredSales>(storedSales, [projectId, customerIds]);
  }

  async find(reader: Reader, projectId: string): Promise<StoredCohorts> {
    const [row] = await reader.query<StoredCohorts>(storedCohorts, [projectId]);
    return row ?? { hasCohorts: false, levels: [], missing: [] };
  }

  /** Adds the difference that a change of some customers makes. */
  async addDifferences(
    tx: Transaction,
    projectId: string,
    change: CohortChange,
    { hasCohorts, cohortLevels: levels }: { hasCohorts: boolean; cohortLevels: CohortLevel[] },
  ): Promise<void> {
    const { before, after, facts, dims } = change;
    const changes = memberChanges(before, after);
    if (hasCohorts) {
      await this.addCounts(tx, projectId, countDifferences(changes));
      await this.addMoney(tx, projectId, moneyDifferences(before, after, facts));
    }
    if (levels.length === 0 || changes.length === 0) return;
    const valueOf = await this.valueFinder(tx, projectId, changes, dims);
    await this.addSets(tx, projectId, setDifferences(changes, levels, valueOf));
  }

  /** Recomputes the sums of whole cohorts. */
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

  /** Sums the next missing level. Returns false if none is missing. */
  async fillNextLevel(tx: Transaction, projectId: string): Promise<boolean> {
    const { levels, missing } = await this.find(tx, projectId);
    const [level, ...rest] = missing;
    if (level === undefined) return false;
    await tx.query(deleteLevel, [projectId, level]);
    await tx.query(fillLevel[level], [projectId]);
    await tx.query(setLevels, [projectId, [...levels, level], rest]);
    await this.dropLargeLevels(tx, projectId);
    return true;
  }

  /** Drops levels with too many different sets of values. */
  async dropLargeLevels(tx: Transaction, projectId: string): Promise<void> {
    const rows = await tx.query<{ level: CohortLevel }>(largeLevels, [projectId, this.maxSets]);
    if (rows.length === 0) return;
    const large = rows.map(({ level }) => level);
    const { levels, missing } = await this.find(tx, projectId);
    await tx.query(setLevels, [projectId, levels.filter((level) => !large.includes(level)), missing]);
    for (const level of large) await tx.query(deleteLevel, [projectId, level]);
  }

  /** Compares the sums of a random cohort with its customers. Returns the levels that differ, which become missing. */
  async findDifferences(tx: Transaction, projectId: string): Promise<CohortLevel[]> {
    const { levels, missing } = await this.find(tx, projectId);
    const [sample] = await tx.query<{ day: string }>(sampleCohortDay, [projectId]);
    if (!sample) return [];
    const wrong: CohortLevel[] = [];
    for (const level of levels) {
      const [row] = await tx.query<{ isRight: boolean }>(levelIsRight[level], [projectId, sample.day]);
      if (row?.isRight === false) wrong.push(level);
    }
    if (wrong.length > 0) {
      const right = levels.filter((level) => !wrong.includes(level));
      await tx.query(setLevels, [projectId, right, [...missing, ...wrong]]);
    }
    return wrong;
  }

  /** Reads the dimensions that only the customers before the change have. */
  private async valueFinder(
    tx: Transaction,
    projectId: string,
    changes: readonly MemberChange[],
    dims: readonly Dims[],
  ): Promise<ValueOf> {
    const known = new Map(
      dims.map(({ id, values }): [string, Partial<Record<string, string>>] => [id, values]),
    );
    const used = changes.flatMap(([before]) =>
      before ? [before.customerDimsId, ...before.sales.map(({ dimsId }) => dimsId)] : [],
    );
    const unknown = [...new Set(used)].filter((id) => !known.has(id));
    if (unknown.length > 0) {
      const rows = await tx.query<LevelValues>(dimsOf, [projectId, unknown]);
      for (const { id, ...values } of rows) known.set(id, values);
    }
    return (id, level) => known.get(id)?.[level] ?? '';
  }

  private async addCounts(tx: Transaction, projectId: string, rows: CohortCounts[]): Promise<void> {
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

  private async addMoney(tx: Transaction, projectId: string, rows: CohortMoney[]): Promise<void> {
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

  private async addSets(tx: Transaction, projectId: string, rows: CohortSet[]): Promise<void> {
    if (rows.length === 0) return;
    const hashes = new Map<string, string>();
    const hashOf = (values: readonly string[]): string => {
      const key = values.join('\n');
      const hash = hashes.get(key) ?? hashOfValues(values);
      hashes.set(key, hash);
      return hash;
    };
    const keysOf = (list: readonly CohortSet[]): string[] => [
      projectId,
      textColumn(list.map(({ environment }) => environment)),
      textColumn(list.map(({ level }) => level)),
      textColumn(list.map(({ values }) => hashOf(values))),
      textColumn(list.map(({ cohortDay }) => cohortDay)),
    ];
    await tx.query(addCohortSums, [
      ...keysOf(rows),
      textColumn(rows.map(({ values }) => textColumn(values))),
      numberColumn(rows.map(({ customers }) => customers)),
      ...(['converts', 'pays', 'revenue'] as const).map((column) =>
        textColumn(rows.map((row) => numberColumn(row[column]))),
      ),
    ]);
    // Deletes rows that are empty after the change.
    const fallen = rows.filter(
      ({ customers, converts, pays, revenue }) => Math.min(customers, ...converts, ...pays, ...revenue) < 0,
    );
    if (fallen.length > 0) await tx.query(deleteEmptyCohortSums, keysOf(fallen));
  }
}
