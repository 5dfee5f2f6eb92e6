import { amountColumns, type AmountColumn, type ChartFact } from './chart-facts.js';
import type { DerivedCustomer } from './derive-customer.js';

/** A row of `chart_facts`. */
export type StoredFact = Omit<ChartFact, 'amounts'> & { customerId: string } & Record<
    AmountColumn,
    number | null
  >;

export type OwnedFact = ChartFact & { customerId: string };

export interface FactChanges {
  removed: StoredFact[];
  added: OwnedFact[];
}

const fields = [
  'environment',
  'atMs',
  'rateDay',
  'dimsId',
  'customerDimsId',
  'peerDimsId',
  'run',
  'move',
] as const satisfies readonly (keyof ChartFact)[];

const keyOf = (
  customerId: string,
  { purchaseId, factKey }: Pick<ChartFact, 'purchaseId' | 'factKey'>,
): string => `${customerId}\n${purchaseId}\n${factKey}`;

function isSame(stored: StoredFact, { amounts, ...fact }: ChartFact): boolean {
  return (
    fields.every((field) => stored[field] === fact[field]) &&
    // Zeros are stored as null.
    amountColumns.every((column) => (stored[column] ?? 0) === (amounts[column] ?? 0))
  );
}

/** Returns the writes that bring the stored facts in line with the derived ones. */
export function factChanges(stored: StoredFact[], derived: DerivedCustomer[]): FactChanges {
  const before = new Map(stored.map((fact) => [keyOf(fact.customerId, fact), fact]));
  const after = new Map<string, OwnedFact>();
  for (const { customerId, facts } of derived) {
    for (const fact of facts) after.set(keyOf(customerId, fact), Object.assign(fact, { customerId }));
  }
  if (before.size === 0) return { removed: [], added: [...after.values()] };
  for (const [key, fact] of after) {
    const known = before.get(key);
    if (!known || !isSame(known, fact)) continue;
    before.delete(key);
    after.delete(key);
  }
  return { removed: [...before.values()], added: [...after.values()] };
}
