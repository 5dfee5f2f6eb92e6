import { Injectable } from '@nestjs/common';
import { utcDayMs } from '../../../../libs/kernel/index.js';
import type { Reader, Transaction } from '../../../platform/database/database.service.js';
import { ChartCohortsRepository, type StoredCohorts } from '../cohorts/chart-cohorts.repository.js';
import { derivedMembers, type StoredStart, storedMembers } from '../cohorts/cohort-member.js';
import { levels } from '../definitions/dimensions.js';
import { amountColumns } from '../facts/chart-facts.js';
import { ChartCohortDaysRepository } from './chart-cohort-days.repository.js';
import type { Derived, RollupPlace } from './chart-source.repository.js';
import { movedDays } from '../facts/customer-starts.js';
import type { DerivedCustomer } from '../facts/derive-customer.js';
import type { Dims } from '../facts/dims.js';
import { type FactChanges, factChanges, type OwnedFact, type StoredFact } from '../facts/fact-changes.js';
import {
  buyerRows,
  cleanDays,
  closeDays,
  customerRows,
  deleteDays,
  deleteFacts,
  dirtyDays,
  insertDims,
  insertFacts,
  markClosedDays,
  markDays,
  payerRows,
  runRows,
  storedDays,
  storedFacts,
} from './figures.sql.js';
import { amountColumn, numberColumn, textColumn } from './sql-columns.js';
import { insertDimsOfDays, sumDays } from './sum-days.sql.js';

export interface DirtyDay {
  environment: string;
  day: string;
}

/** Days with usable stored sums. */
export interface StoredDays {
  /** `YYYY-MM-DD`; null if no days are stored. */
  closedUntil: string | null;
  dirty: readonly string[];
  /** Whether all these days, and the sizes of cohorts, are summed by the first days of customers. */
  hasCohortDays: boolean;
}

const DAY_MS = 86_400_000;
const levelIds = levels.map(({ id }) => id);

/** Columns in the order of the parameters of `insertFacts`. */
function factColumns(facts: OwnedFact[]): string[] {
  return [
    textColumn(facts.map(({ customerId }) => customerId)),
    textColumn(facts.map(({ purchaseId }) => purchaseId)),
    textColumn(facts.map(({ factKey }) => factKey)),
    textColumn(facts.map(({ environment }) => environment)),
    numberColumn(facts.map(({ atMs }) => atMs)),
    textColumn(facts.map(({ rateDay }) => rateDay)),
    textColumn(facts.map(({ dimsId }) => dimsId)),
    textColumn(facts.map(({ customerDimsId }) => customerDimsId)),
    textColumn(facts.map(({ peerDimsId }) => peerDimsId)),
    numberColumn(facts.map(({ run }) => run)),
    numberColumn(facts.map(({ move }) => move)),
    ...amountColumns.map((column) => amountColumn(facts.map(({ amounts }) => amounts[column]))),
  ];
}

/** Returns the days, until `lastMs`, of facts that changed. */
function daysOf({ removed, added }: FactChanges, lastMs: number): DirtyDay[] {
  const days = new Map<string, DirtyDay>();
  for (const { environment, atMs } of [...removed, ...added]) {
    if (atMs >= lastMs) continue;
    const key = environment + Math.floor(atMs / DAY_MS);
    if (!days.has(key)) days.set(key, { environment, day: new Date(atMs).toISOString().slice(0, 10) });
  }
  return [...days.values()];
}

/** Writes the derived data of some customers. The project must be locked. */
@Injectable()
export class ChartRollupRepository {
  constructor(
    private readonly cohorts: ChartCohortsRepository,
    private readonly cohortDays: ChartCohortDaysRepository,
  ) {}

  /** Recomputes the sums of whole cohorts. */
  sumCohorts(tx: Transaction, projectId: string): Promise<void> {
    return this.cohorts.sum(tx, projectId);
  }

  /** Sums the next missing level of cohorts. Returns false if none is missing. */
  fillNextLevel(tx: Transaction, projectId: string): Promise<boolean> {
    return this.cohorts.fillNextLevel(tx, projectId);
  }

  /** Returns levels whose sums of a random cohort are not those of its customers. Drops levels that are too large. */
  async checkCohorts(tx: Transaction, projectId: string): Promise<string[]> {
    await this.cohorts.dropLargeLevels(tx, projectId);
    return this.cohorts.findDifferences(tx, projectId);
  }

  /** `customerIds` includes customers without any remaining data. */
  async save(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: Derived,
    place: RollupPlace,
  ): Promise<void> {
    const { customers, dims } = derived;
    const sumsCohorts = place.hasCohorts || place.cohortLevels.length > 0;
    const stored = await tx.query<StoredFact>(storedFacts, [projectId, customerIds]);
    const needsStarts = sumsCohorts || place.closedUntil !== null;
    const starts = needsStarts ? await this.cohortDays.startsOf(tx, projectId, customerIds) : [];
    const sales = sumsCohorts ? await this.cohorts.storedSales(tx, projectId, customerIds) : [];
    const changes = factChanges(stored, customers);
    await this.write(tx, projectId, customerIds, derived);
    await this.saveFacts(tx, projectId, changes);
    if (place.closedUntil !== null)
      await this.markDays(tx, projectId, changes, starts, customers, place.closedUntil);
    if (!sumsCohorts) return;
    const change = {
      before: storedMembers(starts, sales),
      after: derivedMembers(customers),
      facts: { stored, derived: customers, changes },
      dims,
    };
    await this.cohorts.addDifferences(tx, projectId, change, place);
  }

  private async write(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    { customers, dims }: Derived,
  ): Promise<void> {
    await this.saveDims(tx, projectId, dims);
    const withIds = (rowsOf: (customer: DerivedCustomer) => { environment?: string }[]): string =>
      JSON.stringify(
        customers.flatMap((customer) => {
          const { customerId, sandboxDimsId, cohortDayMs } = customer;
          return rowsOf(customer).map((row) => {
            const isSandbox = row.environment === 'sandbox';
            const customerDimsId = (isSandbox ? sandboxDimsId : null) ?? customer.customerDimsId;
            return { ...row, customerId, customerDimsId, sandboxDimsId, cohortDayMs };
          });
        }),
      );
    for (const [{ remove, save }, rows] of [
      [customerRows, withIds(() => [{}])],
      [buyerRows, withIds(({ buyers }) => buyers)],
      [payerRows, withIds(({ payers }) => payers)],
      [runRows, withIds(({ runs }) => runs)],
    ] as const) {
      await tx.query(remove, [projectId, customerIds, rows]);
      if (rows !== '[]') await tx.query(save, [projectId, rows]);
    }
  }

  /** Facts that differ from the derived ones, are missing, or are stored only. */
  async differences(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    { customers }: Derived,
  ): Promise<FactChanges> {
    return factChanges(await tx.query<StoredFact>(storedFacts, [projectId, customerIds]), customers);
  }

  private async saveDims(tx: Transaction, projectId: string, dims: Dims[]): Promise<void> {
    if (dims.length === 0) return;
    const named = dims.map(({ id, level, values, attributes }) => ({ id, level, ...values, attributes }));
    await tx.query(insertDims, [projectId, JSON.stringify(named)]);
  }

  private async saveFacts(
    tx: Transaction,
    projectId: string,
    { removed, added }: FactChanges,
  ): Promise<void> {
    if (removed.length > 0) {
      await tx.query(deleteFacts, [
        projectId,
        removed.map(({ customerId }) => customerId),
        removed.map(({ purchaseId }) => purchaseId),
        removed.map(({ factKey }) => factKey),
      ]);
    }
    if (added.length > 0) await tx.query(insertFacts, [projectId, ...factColumns(added)]);
  }

  private async markDays(
    tx: Transaction,
    projectId: string,
    changes: FactChanges,
    starts: StoredStart[],
    customers: DerivedCustomer[],
    closedUntil: string,
  ): Promise<void> {
    const lastMs = utcDayMs(closedUntil) + DAY_MS;
    const days = [...daysOf(changes, lastMs), ...movedDays(starts, customers, lastMs)];
    if (days.length > 0) await tx.query(markDays, [projectId, JSON.stringify(days), closedUntil]);
  }

  async closeDays(tx: Transaction, projectId: string, until: string, before: string | null): Promise<void> {
    const moved = await tx.query(closeDays, [projectId, until]);
    if (moved.length > 0) await tx.query(markClosedDays, [projectId, until, before]);
  }

  /**
   * Returns the newest days first, because they are queried most. Returns at least one day, and more while their facts
   * are at most `facts`.
   */
  dirtyDays(tx: Transaction, projectId: string, limit: number, facts: number): Promise<DirtyDay[]> {
    return tx.query<DirtyDay>(dirtyDays, [projectId, limit, facts]);
  }

  async sumDays(tx: Transaction, projectId: string, days: DirtyDay[]): Promise<void> {
    const values = [projectId, days.map(({ environment }) => environment), days.map(({ day }) => day)];
    await tx.query(deleteDays, [...values, levelIds]);
    await tx.query(insertDimsOfDays, values);
    await tx.query(sumDays, values);
    await this.cohortDays.replace(tx, projectId, days);
    await tx.query(cleanDays, values);
  }

  noteAllDaysSummed(tx: Transaction, projectId: string): Promise<void> {
    return this.cohortDays.noteAllSummed(tx, projectId);
  }

  /** Returns a hash of a day's sums by cohort. */
  cohortDaysHash(tx: Transaction, projectId: string, day: DirtyDay): Promise<string> {
    return this.cohortDays.hashOf(tx, projectId, day);
  }

  /** Returns which sums of the project's cohorts are stored. */
  storedCohorts(snapshot: Reader, projectId: string): Promise<StoredCohorts> {
    return this.cohorts.find(snapshot, projectId);
  }

  async storedDays(snapshot: Reader, projectId: string, environment: string): Promise<StoredDays> {
    const [row] = await snapshot.query<StoredDays>(storedDays, [projectId, environment]);
    return row ?? { closedUntil: null, dirty: [], hasCohortDays: false };
  }
}
