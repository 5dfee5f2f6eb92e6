import type { Customer } from './customers.queries.js';

export interface CustomerNames {
  /** The display name or else the email; null if the customer has neither. */
  name: string | null;
  /** The email if it is not the name. */
  email: string | null;
}

/** Names that people know a customer by, from reserved attributes. */
export function namesOf(customer: Customer | undefined): CustomerNames {
  const valueOf = (wanted: string) =>
    customer?.attributes?.items.find(({ name }) => name === wanted)?.value?.trim() || null;
  const [displayName, email] = [valueOf('$displayName'), valueOf('$email')];
  return { name: displayName ?? email, email: displayName === null ? null : email };
}
