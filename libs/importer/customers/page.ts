import type { ImportPhase } from '../state/state.model.js';
import type { BuiltCustomer } from './build-customer.js';

/** Customers that are sent and saved together, whatever their source. */
export interface CustomerPage {
  customers: BuiltCustomer[];
  /** Customers of the page that no longer exist. */
  gone: number;
  /** When the source was read. */
  asOf: number;
  /** The page to continue with after this one; null means none, or from the start. */
  next: string | null;
  /** The phase after this page. */
  phase?: ImportPhase;
  /** The list did not contain these customers. */
  isCatchUp?: boolean;
  /** Ids not to be read again in this pass, in addition to those of the customers. */
  done?: string[];
}
