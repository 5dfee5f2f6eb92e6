import { createContext, use } from 'react';
import type { CustomerAction, Done } from './actions/action.js';

interface CustomerContextValue {
  projectId: string;
  /** As in the address: any id of the customer. */
  id: string;
  /** Opens the dialog of an action. */
  open: (action: CustomerAction) => void;
  /** Says what was done, with the way to its audit entry. */
  done: (done: Done) => void;
  /** Says why something was not done, on the page too. */
  failed: (error: Error) => void;
}

export const CustomerContext = createContext<CustomerContextValue | null>(null);

/** The customer whose page this is. */
export function useCustomer(): CustomerContextValue {
  const value = use(CustomerContext);
  if (!value) throw new Error('CustomerContext is missing');
  return value;
}
