import { createContext, use } from 'react';
import type { CustomerAction, Done } from './actions/action.js';

interface CustomerContextValue {
  projectId: string;
  /** Any id of the customer, as in the address. */
  id: string;
  /** Opens the dialog of an action. */
  open: (action: CustomerAction) => void;
  /** Reports a completed action, with a link to its audit entry. */
  done: (done: Done) => void;
  /** Reports a failed action, also on the page. */
  failed: (error: Error) => void;
}

export const CustomerContext = createContext<CustomerContextValue | null>(null);

/** The customer of the current page. */
export function useCustomer(): CustomerContextValue {
  const value = use(CustomerContext);
  if (!value) throw new Error('CustomerContext is missing');
  return value;
}
