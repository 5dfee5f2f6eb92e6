import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { ImportNotes } from './import-notes.js';
import type { Resolutions } from './import-resolver.js';

export interface ImportScope {
  catalog: Catalog;
  resolutions: Resolutions;
  asOfMs: number;
  holdDays: number;
  /** Whether to ask stores for keys that the import lacks. */
  asksStores: boolean;
  emits: boolean;
  nowMs: number;
}

export interface ItemTarget {
  customer: CustomerRow;
  path: string;
  notes: ImportNotes;
}

/** A stored purchase and its owner. */
export interface Found<Row> {
  row: Row;
  owner: CustomerRow;
}
