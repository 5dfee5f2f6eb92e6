import type { ImportPhase } from '../state/state.model.js';
import type { BuiltCustomer } from './build-customer.js';

/** Customers that are sent and saved together, whatever they were read from. */
export interface CustomerPage {
  customers: BuiltCustomer[];
  /** Customers of the page that no longer exist. */
  gone: number;
  /** When the source was read. */
  asOf: number;
  /** Where to go on after this page; null: nowhere, or from the beginning. */
  next: string | null;
  /** What follows this page. */
  phase?: ImportPhase;
  /** The list did not show them. */
  isCatchUp?: boolean;
  /** Ids that need not be read again in this pass, beside those of the customers. */
  done?: string[];
}
