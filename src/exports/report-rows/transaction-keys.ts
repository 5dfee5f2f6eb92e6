import { grouped } from '../../../libs/kernel/index.js';
import type { TransactionRow } from './report-rows.model.js';

type Place = Pick<
  TransactionRow,
  'purchaseId' | 'periodKey' | 'product' | 'store' | 'isSandbox' | 'storeTransactionId' | 'renewalNumber'
>;

/** A row whose key may be shared with another purchase. */
export interface ContestedRow extends Place {
  /** The store's id, without the number of a conflict. */
  baseId: string;
}

const CONFLICT = /#[2-9]$|#[1-9]\d+$/;

/** The store's id of a stored row. Stores' ids do not end so. */
export function baseIdOf(storeTransactionId: string): string {
  return storeTransactionId.replace(CONFLICT, '');
}

/** The key that rows of one project must not share. */
export function keyOf({ store, isSandbox, renewalNumber }: Place, storeTransactionId: string): string {
  return JSON.stringify([store, isSandbox, storeTransactionId, renewalNumber]);
}

function inOrder(a: Place, b: Place): number {
  const [x, y] = [a, b].map(({ purchaseId, periodKey, product }) => [purchaseId, periodKey, product]);
  const index = x?.findIndex((part, place) => part !== y?.[place]) ?? -1;
  return index === -1 ? 0 : (x?.[index] ?? '') < (y?.[index] ?? '') ? -1 : 1;
}

/**
 * Numbers rows that share a key: the earliest purchase keeps the store's id, later ones get `#2`, `#3` and so on.
 * Returns the rows whose id this changes, with the new id.
 */
export function numberedRows<Row extends ContestedRow>(rows: readonly Row[]): Map<Row, string> {
  const changed = new Map<Row, string>();
  for (const group of grouped(rows, (row) => keyOf(row, row.baseId)).values()) {
    group.sort(inOrder).forEach((row, index) => {
      const id = index === 0 ? row.baseId : `${row.baseId}#${index + 1}`;
      if (id !== row.storeTransactionId) changed.set(row, id);
    });
  }
  return changed;
}
