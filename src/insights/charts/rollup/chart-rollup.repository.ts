import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { levels } from '../definitions/dimensions.js';
import { amountColumns, type ChartFact } from './chart-facts.js';
import type { DerivedCustomer } from './derive-customer.js';
import {
  buyerRows,
  cleanDay,
  closeDays,
  customerRows,
  deleteDay,
  deleteFacts,
  dirtyDays,
  insertDims,
  insertFacts,
  markDays,
  payerRows,
  runRows,
  storedFacts,
} from './figures.sql.js';
import { sumDay } from './sum-day.sql.js';

type StoredFact = Omit<ChartFact, 'amounts'> & { customerId: string } & Record<string, unknown>;

export interface DirtyDay {
  environment: string;
  day: string;
}

const levelIds = levels.map(({ id }) => id);

function flat(customerId: string, { amounts, ...fact }: ChartFact): StoredFact {
  return { customerId, ...fact, ...amounts };
}

const fields = [
  'environment',
  'atMs',
  'rateDay',
  'dimsId',
  'customerDimsId',
  'peerDimsId',
  'run',
  'move',
  ...amountColumns,
];
const keyOf = (fact: StoredFact): string => `${fact.customerId}\n${fact.purchaseId}\n${fact.factKey}`;
const contentOf = (fact: StoredFact): string =>
  fields.map((field) => JSON.stringify(fact[field] ?? null)).join('\n');
const contentOrNull = (fact: StoredFact | undefined): string | null => (fact ? contentOf(fact) : null);
const dayOf = ({ environment, atMs }: StoredFact): DirtyDay => ({
  environment,
  day: new Date(atMs).toISOString().slice(0, 10),
});

/** Writes what was derived of some customers. The project must be locked. */
@Injectable()
export class ChartRollupRepository {
  /** `customerIds`: also those of whom nothing is left. */
  async save(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: DerivedCustomer[],
    closedUntil: string | null,
  ): Promise<void> {
    const dims = new Map(derived.flatMap((customer) => customer.dims).map((entry) => [entry.id, entry]));
    const named = [...dims.values()].map(({ id, level, values }) => ({ id, level, ...values }));
    await tx.query(insertDims, [projectId, JSON.stringify(named)]);
    await this.saveFacts(tx, projectId, customerIds, derived, closedUntil);
    const withIds = <Row extends object>(rowsOf: (customer: DerivedCustomer) => Row[]): string =>
      JSON.stringify(
        derived.flatMap((customer) => {
          const { customerId, customerDimsId, cohortDayMs } = customer;
          return rowsOf(customer).map((row) => ({ ...row, customerId, customerDimsId, cohortDayMs }));
        }),
      );
    for (const [{ remove, save }, rows] of [
      [customerRows, withIds(() => [{}])],
      [buyerRows, withIds(({ buyers }) => buyers)],
      [payerRows, withIds(({ payers }) => payers)],
      [runRows, withIds(({ runs }) => runs)],
    ] as const) {
      await tx.query(remove, [projectId, customerIds, rows]);
      await tx.query(save, [projectId, rows]);
    }
  }

  /** Keys of stored facts that are not those derived, with both contents. */
  async differences(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: DerivedCustomer[],
  ): Promise<{ fact: string; stored: string | null; derived: string | null }[]> {
    const { before, after } = await this.compared(tx, projectId, customerIds, derived);
    return [...new Set([...before.keys(), ...after.keys()])]
      .map((fact) => ({
        fact,
        stored: contentOrNull(before.get(fact)),
        derived: contentOrNull(after.get(fact)),
      }))
      .filter((pair) => pair.stored !== pair.derived);
  }

  private async compared(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: DerivedCustomer[],
  ): Promise<{ before: Map<string, StoredFact>; after: Map<string, StoredFact> }> {
    const stored = await tx.query<StoredFact>(storedFacts, [projectId, customerIds]);
    const current = derived.flatMap(({ customerId, facts }) => facts.map((fact) => flat(customerId, fact)));
    const byKey = (facts: StoredFact[]): Map<string, StoredFact> =>
      new Map(facts.map((fact) => [keyOf(fact), fact]));
    return { before: byKey(stored), after: byKey(current) };
  }

  private async saveFacts(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: DerivedCustomer[],
    closedUntil: string | null,
  ): Promise<void> {
    const { before, after } = await this.compared(tx, projectId, customerIds, derived);
    const differ = (fact: StoredFact, other: StoredFact | undefined): boolean =>
      contentOf(fact) !== contentOrNull(other);
    const removed = [...before].filter(([key, fact]) => differ(fact, after.get(key))).map(([, fact]) => fact);
    const added = [...after].filter(([key, fact]) => differ(fact, before.get(key))).map(([, fact]) => fact);
    if (removed.length > 0) {
      await tx.query(deleteFacts, [
        projectId,
        removed.map(({ customerId }) => customerId),
        removed.map(({ purchaseId }) => purchaseId),
        removed.map(({ factKey }) => factKey),
      ]);
    }
    if (added.length > 0) await tx.query(insertFacts, [projectId, JSON.stringify(added)]);
    const days = [...removed, ...added]
      .map(dayOf)
      .filter(({ day }) => closedUntil !== null && day <= closedUntil);
    const distinct = [...new Map(days.map((entry) => [`${entry.environment}${entry.day}`, entry])).values()];
    if (distinct.length > 0) await tx.query(markDays, [projectId, JSON.stringify(distinct), closedUntil]);
  }

  async closeDays(tx: Transaction, projectId: string, until: string, before: string | null): Promise<void> {
    await tx.query(closeDays, [projectId, until, before]);
  }

  /** The newest ones first: they are the most asked for. */
  dirtyDays(tx: Transaction, projectId: string, limit: number): Promise<DirtyDay[]> {
    return tx.query<DirtyDay>(dirtyDays, [projectId, limit]);
  }

  async sumDay(tx: Transaction, projectId: string, { environment, day }: DirtyDay): Promise<void> {
    await tx.query(deleteDay, [projectId, environment, day, levelIds]);
    await tx.query(sumDay, [projectId, environment, day]);
    await tx.query(cleanDay, [projectId, environment, day]);
  }
}
