import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../libs/kernel/index.js';
import {
  type CustomerColumn,
  customerColumns,
  type PurchaseColumn,
  purchaseColumns,
} from '../definitions/dimensions.js';

/** `sale` omits the columns that differ between payments of one customer. */
export type DimsLevel = 'purchase' | 'sale' | 'customer';

export interface Dims {
  id: string;
  level: DimsLevel;
  values: Partial<Record<PurchaseColumn | CustomerColumn, string>>;
  /** Values of the attributes that the project chose, by name; null if there are none. */
  attributes: Record<string, string> | null;
}

const SEPARATOR = '\u001f';

/** The MD5 hash of a text. */
export function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const noDims = '00000000-0000-0000-0000-000000000000';

export type PurchaseDims = Record<PurchaseColumn, string>;
export type CustomerDims = Record<CustomerColumn, string>;

/**
 * The combinations of a batch of customers, most of which are shared. Ids are derived from the values, so processes
 * need no coordination.
 */
export class DimsDictionary {
  private readonly known = new Map<string, Dims>();

  purchase(values: PurchaseDims): Dims {
    return this.named('purchase', purchaseColumns, values);
  }

  /** One combination for all payments with otherwise equal values. */
  sale(values: PurchaseDims): Dims {
    const kept = { ...values, subscription_type: '', transaction_type: '', renewal_cycle: '' };
    return this.named('sale', purchaseColumns, kept);
  }

  /** `chosen` contains the attributes that the project chose. The id includes them only if there are any. */
  customer(values: CustomerDims, chosen: Readonly<Record<string, string>> = {}): Dims {
    return this.named('customer', customerColumns, values, chosen);
  }

  all(): Dims[] {
    return [...this.known.values()];
  }

  private named<Column extends PurchaseColumn | CustomerColumn>(
    level: DimsLevel,
    columns: readonly Column[],
    values: Record<Column, string>,
    chosen: Readonly<Record<string, string>> = {},
  ): Dims {
    const hasChosen = Object.keys(chosen).length > 0;
    let text: string = level;
    for (const column of columns) text += SEPARATOR + values[column];
    if (hasChosen) text += SEPARATOR + canonicalJson(chosen);
    let dims = this.known.get(text);
    if (!dims) {
      dims = { id: uuidOf(text), level, values, attributes: hasChosen ? { ...chosen } : null };
      this.known.set(text, dims);
    }
    return dims;
  }
}
