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

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const noDims = '00000000-0000-0000-0000-000000000000';

export type PurchaseDims = Record<PurchaseColumn, string>;
export type CustomerDims = Record<CustomerColumn, string>;

/**
 * The combinations of a batch of customers, few of whom have one of their own. The id follows from the values, so no
 * process has to ask another for it.
 */
export class DimsDictionary {
  private readonly known = new Map<string, Dims>();

  purchase(values: PurchaseDims): Dims {
    return this.named('purchase', purchaseColumns, values);
  }

  /** Of every payment with the same values, whichever it is. */
  sale(values: PurchaseDims): Dims {
    const kept = { ...values, subscription_type: '', transaction_type: '', renewal_cycle: '' };
    return this.named('sale', purchaseColumns, kept);
  }

  customer(values: CustomerDims): Dims {
    return this.named('customer', customerColumns, values);
  }

  all(): Dims[] {
    return [...this.known.values()];
  }

  private named<Column extends PurchaseColumn | CustomerColumn>(
    level: DimsLevel,
    columns: readonly Column[],
    values: Record<Column, string>,
  ): Dims {
    let text: string = level;
    for (const column of columns) text += SEPARATOR + values[column];
    let dims = this.known.get(text);
    if (!dims) {
      dims = { id: uuidOf(text), level, values };
      this.known.set(text, dims);
    }
    return dims;
  }
}
