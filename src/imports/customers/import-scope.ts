import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import type { ImportNotes } from './import-notes.js';
import type { Resolutions } from './import-resolver.js';

export interface ImportScope {
  catalog: Catalog;
  resolutions: Resolutions;
  asOfMs: number;
  holdDays: number;
  /** Whether stores are asked for keys that the import does not know. */
  asksStores: boolean;
  emits: boolean;
  nowMs: number;
}

export interface ItemTarget {
  customer: CustomerRow;
  path: string;
  notes: ImportNotes;
}

/** A stored purchase and the customer who has it. */
export interface Found<Row> {
  row: Row;
  owner: CustomerRow;
}
