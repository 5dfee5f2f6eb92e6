import { createHash } from 'node:crypto';
import {
  type CustomerColumn,
  customerColumns,
  type PurchaseColumn,
  purchaseColumns,
} from '../definitions/dimensions.js';

/** `sale`: without what tells the payments of one customer apart. */
export type DimsLevel = 'purchase' | 'sale' | 'customer';

export interface Dims {
  id: string;
  level: DimsLevel;
  values: Partial<Record<PurchaseColumn | CustomerColumn, string>>;
}

const SEPARATOR = '\u001f';

/** The id follows from the values, so no process has to ask another for it. */
export function dimsId(level: string, values: readonly string[]): string {
  const hex = createHash('md5')
    .update([level, ...values].join(SEPARATOR))
    .digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const noDims = '00000000-0000-0000-0000-000000000000';

export type PurchaseDims = Record<PurchaseColumn, string>;
export type CustomerDims = Record<CustomerColumn, string>;

export function purchaseDims(values: PurchaseDims): Dims {
  const id = dimsId(
    'purchase',
    purchaseColumns.map((column) => values[column]),
  );
  return { id, level: 'purchase', values };
}

/** Of every payment with the same values, whichever it is. */
export function saleDims(values: PurchaseDims): Dims {
  const kept = { ...values, subscription_type: '', transaction_type: '', renewal_cycle: '' };
  const id = dimsId(
    'sale',
    purchaseColumns.map((column) => kept[column]),
  );
  return { id, level: 'sale', values: kept };
}

export function customerDims(values: CustomerDims): Dims {
  const id = dimsId(
    'customer',
    customerColumns.map((column) => values[column]),
  );
  return { id, level: 'customer', values };
}
