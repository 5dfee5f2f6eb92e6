import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import type { CustomerRow, ReportRows, SubscriptionRow, TransactionRow } from './report-rows.model.js';
import {
  deleteCustomers,
  deleteSubscriptions,
  deleteTransactions,
  freeIds,
  insertDeletions,
  insertSubscriptions,
  insertTransactions,
  nextSeq,
  saveCustomers,
  setIds,
  storedCustomers,
  storedSubscriptions,
  storedTransactions,
  transactionsWithKeys,
} from './report-rows.sql.js';
import { rowHash } from './row-hash.js';
import { baseIdOf, type ContestedRow, keyOf, numberedRows } from './transaction-keys.js';

type Hashed<Row> = Row & { hash: string };

interface StoredTransaction extends Omit<ContestedRow, 'baseId'> {
  hash: string;
}

interface KnownTransaction extends StoredTransaction {
  baseId: string;
}

/** The row's `storeTransactionId` is the one to store; its hash covers the store's id, which conflicts do not change. */
type DerivedTransaction = Hashed<TransactionRow> & { baseId: string };

interface Tombstone {
  dataset: 'transactions' | 'customers' | 'subscriptions';
  key: object;
}

/** Changes of a batch. */
interface TransactionChanges {
  removed: KnownTransaction[];
  written: DerivedTransaction[];
  /** Rows of other customers that get another number. */
  renumbered: Map<KnownTransaction, string>;
  /** Number of rows that now share a key with an earlier purchase. */
  conflicts: number;
}

const placeOf = ({ purchaseId, periodKey, product }: StoredTransaction | TransactionRow): string =>
  JSON.stringify([purchaseId, periodKey, product]);

const ownKey = (row: KnownTransaction | DerivedTransaction): string => keyOf(row, row.storeTransactionId);
const baseKey = (row: KnownTransaction | DerivedTransaction): string => keyOf(row, row.baseId);

function deletionOf(row: StoredTransaction): Tombstone {
  const { store, storeTransactionId, renewalNumber, isSandbox } = row;
  return {
    dataset: 'transactions',
    key: {
      store,
      store_transaction_id: storeTransactionId,
      renewal_number: renewalNumber,
      is_sandbox: isSandbox,
    },
  };
}

const withHash = <Row extends object>(row: Row): Hashed<Row> => ({ ...row, hash: rowHash(row) });

/** The columns of transactions 1, 2, 35 to 39 and 43. */
function transactionsPart(row: CustomerRow): object {
  const { originalAppUserId, lastSeenAppUserId, firstSeenAt, lastSeenPlatform } = row;
  const { reservedAttributes, customAttributes, experimentId, experimentVariant } = row;
  return [
    ...[originalAppUserId, lastSeenAppUserId, firstSeenAt, lastSeenPlatform],
    ...[reservedAttributes, customAttributes, experimentId, experimentVariant],
  ];
}

/** The times and versions at which a customer was seen change too often to count. */
function countedPart(row: CustomerRow): object {
  return { ...row, lastSeenAt: null, lastSeenAppVersion: null };
}

/** Names that may follow, tried until none of them exists. */
function namesFrom(baseId: string, number: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    number + index === 1 ? baseId : `${baseId}#${number + index}`,
  );
}

const columnsOf = (rows: readonly (StoredTransaction | TransactionRow)[]): string[][] => [
  rows.map(({ purchaseId }) => purchaseId),
  rows.map(({ periodKey }) => periodKey),
  rows.map(({ product }) => product),
];

/** Writes the report rows of some customers. The project must be locked. */
@Injectable()
export class ReportRowsRepository {
  /**
   * `customerIds` includes customers without any remaining data. Writes nothing if every row is as stored. Returns the
   * number of rows that now share a key with an earlier purchase.
   */
  async save(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    derived: readonly ReportRows[],
  ): Promise<number> {
    const purchaseIds = derived.flatMap(({ subscriptions }) => subscriptions.map(({ id }) => id));
    const values = [projectId, customerIds, purchaseIds];
    const transactions = await this.transactionChanges(
      tx,
      projectId,
      await tx.query<StoredTransaction>(storedTransactions, values),
      derived.flatMap((rows) => rows.transactions),
    );
    const subscriptions = new Map(
      (await tx.query<Hashed<{ id: string }>>(storedSubscriptions, values)).map((row) => [row.id, row.hash]),
    );
    const wantedSubscriptions = derived.flatMap((rows) => rows.subscriptions.map(withHash<SubscriptionRow>));
    const newSubscriptions = wantedSubscriptions.filter(({ id, hash }) => subscriptions.get(id) !== hash);
    const presentIds = new Set(purchaseIds);
    const lostSubscriptions = [...subscriptions.keys()].filter((id) => !presentIds.has(id));
    const customers = new Map(
      (await tx.query<Hashed<{ id: string }>>(storedCustomers, [projectId, customerIds])).map((row) => [
        row.id,
        row.hash,
      ]),
    );
    const newCustomers = derived
      .map(({ customer }) => ({
        ...customer,
        hash: rowHash(countedPart(customer)),
        txHash: rowHash(transactionsPart(customer)),
      }))
      .filter(({ customerId, hash }) => customers.get(customerId) !== hash);
    const presentCustomers = new Set(derived.map(({ customer }) => customer.customerId));
    const lostCustomers = [...customers.keys()].filter((id) => !presentCustomers.has(id));
    const { removed, written, renumbered, conflicts } = transactions;
    const sizes = [
      ...[removed, written, newSubscriptions, lostSubscriptions, newCustomers, lostCustomers].map(
        ({ length }) => length,
      ),
      renumbered.size,
    ];
    if (sizes.every((size) => size === 0)) return conflicts;

    const [next] = await tx.query<{ seq: number; changedAt: Date }>(nextSeq, [projectId]);
    if (!next) throw new Error('a locked project has a row');
    const { seq, changedAt } = next;
    const tombstones = await this.saveTransactions(tx, projectId, transactions, next);
    await this.replace(tx, deleteSubscriptions, projectId, [
      ...lostSubscriptions,
      ...newSubscriptions.filter(({ id }) => subscriptions.has(id)).map(({ id }) => id),
    ]);
    if (newSubscriptions.length > 0) {
      await tx.query(insertSubscriptions, [projectId, JSON.stringify(newSubscriptions), seq, changedAt]);
    }
    await this.replace(tx, deleteCustomers, projectId, lostCustomers);
    if (newCustomers.length > 0) {
      await tx.query(saveCustomers, [projectId, JSON.stringify(newCustomers), seq, changedAt]);
    }
    tombstones.push(
      ...lostSubscriptions.map((id): Tombstone => ({ dataset: 'subscriptions', key: { id } })),
      ...lostCustomers.map((id): Tombstone => ({ dataset: 'customers', key: { id } })),
    );
    if (tombstones.length > 0) {
      await tx.query(insertDeletions, [projectId, seq, changedAt, JSON.stringify(tombstones)]);
    }
    return conflicts;
  }

  private async replace(
    tx: Transaction,
    remove: typeof deleteCustomers,
    projectId: string,
    ids: string[],
  ): Promise<void> {
    if (ids.length > 0) await tx.query(remove, [projectId, ids]);
  }

  private async transactionChanges(
    tx: Transaction,
    projectId: string,
    found: readonly StoredTransaction[],
    rows: readonly TransactionRow[],
  ): Promise<TransactionChanges> {
    const stored = new Map(
      found.map((row) => [placeOf(row), { ...row, baseId: baseIdOf(row.storeTransactionId) }]),
    );
    const touched = new Map<string, KnownTransaction | DerivedTransaction>();
    const derived = rows.map((row): DerivedTransaction => {
      const one = { ...withHash(row), baseId: row.storeTransactionId };
      const known = stored.get(placeOf(row));
      if (known && baseKey(known) === baseKey(one)) one.storeTransactionId = known.storeTransactionId;
      else touched.set(baseKey(one), one);
      return one;
    });
    const byPlace = new Map(derived.map((row) => [placeOf(row), row]));
    const removed: KnownTransaction[] = [];
    for (const [place, row] of stored) {
      const one = byPlace.get(place);
      if (!one) removed.push(row);
      if (!one || baseKey(one) !== baseKey(row)) touched.set(baseKey(row), row);
    }
    const others = await this.othersWith(tx, projectId, [...touched.values()], stored);
    const own = derived.filter((row) => touched.has(baseKey(row)));
    let conflicts = 0;
    const renumbered = new Map<KnownTransaction, string>();
    for (const [row, id] of numberedRows<KnownTransaction | DerivedTransaction>([...own, ...others])) {
      if (id !== row.baseId) conflicts += 1;
      if ('customerId' in row) row.storeTransactionId = id;
      else renumbered.set(row, id);
    }
    const written = derived.filter((row) => {
      const known = stored.get(placeOf(row));
      return known?.hash !== row.hash || known.storeTransactionId !== row.storeTransactionId;
    });
    const rewritten = written.flatMap((row) => stored.get(placeOf(row)) ?? []);
    return { removed: [...removed, ...rewritten], written, renumbered, conflicts };
  }

  /** Rows of other purchases with the store's id of one of these, numbered or not. */
  private async othersWith(
    tx: Transaction,
    projectId: string,
    rows: readonly (KnownTransaction | DerivedTransaction)[],
    stored: ReadonlyMap<string, KnownTransaction>,
  ): Promise<KnownTransaction[]> {
    const others: KnownTransaction[] = [];
    let open = rows;
    for (let number = 1, count = 2; open.length > 0; number += count, count *= 8) {
      const keys = open.flatMap(({ store, isSandbox, renewalNumber, baseId }) =>
        namesFrom(baseId, number, count).map((storeTransactionId) => ({
          ...{ store, isSandbox, storeTransactionId, renewalNumber },
        })),
      );
      const found = (
        await tx.query<StoredTransaction>(transactionsWithKeys, [projectId, JSON.stringify(keys)])
      ).map((row) => ({ ...row, baseId: baseIdOf(row.storeTransactionId) }));
      others.push(...found.filter((row) => !stored.has(placeOf(row))));
      const last = new Set(
        open.map((row) => keyOf(row, namesFrom(row.baseId, number + count - 1, 1)[0] ?? '')),
      );
      const full = new Set(found.filter((row) => last.has(ownKey(row))).map(baseKey));
      open = open.filter((row) => full.has(baseKey(row)));
    }
    return others;
  }

  /** Returns the keys that no row has any more. */
  private async saveTransactions(
    tx: Transaction,
    projectId: string,
    { removed, written, renumbered }: TransactionChanges,
    { seq, changedAt }: { seq: number; changedAt: Date },
  ): Promise<Tombstone[]> {
    const moved = [...renumbered.keys()];
    if (moved.length > 0) await tx.query(freeIds, [projectId, ...columnsOf(moved)]);
    if (removed.length > 0) await tx.query(deleteTransactions, [projectId, ...columnsOf(removed)]);
    if (written.length > 0) {
      await tx.query(insertTransactions, [projectId, JSON.stringify(written), seq, changedAt]);
    }
    if (moved.length > 0) {
      const ids = [...renumbered.values()];
      await tx.query(setIds, [projectId, ...columnsOf(moved), ids, seq, changedAt]);
    }
    const present = new Set([...written.map(ownKey), ...[...renumbered].map(([row, id]) => keyOf(row, id))]);
    return [...removed, ...moved].filter((row) => !present.has(ownKey(row))).map(deletionOf);
  }
}
