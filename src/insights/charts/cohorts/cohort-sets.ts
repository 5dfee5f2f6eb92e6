import { uuidOf } from '../facts/dims.js';
import { windows } from '../definitions/windows.js';
import { type CohortLevel, isOfCustomers } from './cohort-levels.js';
import type { CohortMember, MemberChange, MemberSales } from './cohort-member.js';

/**
 * A row of `chart_cohort_sums`, or its change. In each window, a customer belongs to exactly one set of values: those
 * with which they converted, or paid.
 */
export interface CohortSet {
  environment: string;
  level: CohortLevel;
  cohortDay: string;
  /** In the order of their bytes. */
  values: readonly string[];
  /** In sets of one value: customers with it (environment `any`), or who bought with it. */
  customers: number;
  /** Customers by window. */
  converts: number[];
  pays: number[];
  /** Micros by window, in sets of one value. */
  revenue: number[];
}

/** Finds the value of a dimension. */
export type ValueOf = (dimsId: string, level: CohortLevel) => string;

type Bought = Pick<MemberSales, 'converts' | 'pays' | 'revenue'>;

const places = windows.map((_, window) => window);
const bitAt = (bits: number, window: number): number => (bits >> window) & 1;

/** Returns the order of two texts in PostgreSQL's collation "C". */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Computes the same id as the statement that sums a level. */
export function hashOfValues(values: readonly string[]): string {
  return uuidOf(values.join('\u001f'));
}

function together(one: Bought, other: Bought): Bought {
  return {
    converts: one.converts | other.converts,
    pays: one.pays | other.pays,
    revenue: places.map((window) => (one.revenue[window] ?? 0) + (other.revenue[window] ?? 0)),
  };
}

interface Amount {
  column: 'converts' | 'pays' | 'revenue';
  window: number;
  amount: number;
}

/** Returns the amounts that differ. */
function amountsBetween(before: Bought, after: Bought): Amount[] {
  const amounts: Amount[] = [];
  for (const window of places) {
    for (const column of ['converts', 'pays'] as const) {
      const amount = bitAt(after[column], window) - bitAt(before[column], window);
      if (amount !== 0) amounts.push({ column, window, amount });
    }
    const amount = (after.revenue[window] ?? 0) - (before.revenue[window] ?? 0);
    if (amount !== 0) amounts.push({ column: 'revenue', window, amount });
  }
  return amounts;
}

/** The purchases of a customer in one environment. */
interface Buyer {
  environment: string;
  member: CohortMember;
  sales: readonly MemberSales[];
}

const buyerIn = (environment: string, member: CohortMember | null): Buyer | null => {
  const sales = member?.sales.filter((row) => row.environment === environment) ?? [];
  return member && sales.length > 0 ? { environment, member, sales } : null;
};

const boughtBy = (buyer: Buyer | null): Bought =>
  (buyer?.sales ?? []).reduce<Bought>(together, { converts: 0, pays: 0, revenue: [] });

class SetDifferences {
  private readonly rows = new Map<string, CohortSet>();

  constructor(
    private readonly levels: readonly CohortLevel[],
    private readonly valueOf: ValueOf,
  ) {}

  add([before, after]: MemberChange): void {
    for (const level of this.levels) if (isOfCustomers(level)) this.addCustomer(level, before, after);
    for (const environment of ['production', 'sandbox']) {
      this.addBuyer(buyerIn(environment, before), buyerIn(environment, after));
    }
  }

  changed(): CohortSet[] {
    return [...this.rows.values()].filter(
      ({ customers, converts, pays, revenue }) =>
        customers !== 0 || [converts, pays, revenue].some((column) => column.some((amount) => amount !== 0)),
    );
  }

  private addCustomer(level: CohortLevel, before: CohortMember | null, after: CohortMember | null): void {
    if (before?.customerDimsId === after?.customerDimsId && before?.cohortDay === after?.cohortDay) return;
    for (const [member, times] of [[before, -1] as const, [after, 1] as const]) {
      if (!member) continue;
      const values = [this.valueOf(member.customerDimsId, level)];
      this.rowOf('any', level, member.cohortDay, values).customers += times;
    }
  }

  private addBuyer(before: Buyer | null, after: Buyer | null): void {
    const buyer = after ?? before;
    if (!buyer) return;
    const staysInCohort = !before || !after || before.member.cohortDay === after.member.cohortDay;
    const amounts = staysInCohort ? amountsBetween(boughtBy(before), boughtBy(after)) : null;
    for (const level of this.levels) {
      // Most changes, such as renewals, change the same amounts of one value at each level.
      const value = amounts ? this.onlyValue(level, before, after) : null;
      if (value === null || !amounts) {
        if (before) this.addSales(level, before, -1);
        if (after) this.addSales(level, after, 1);
        continue;
      }
      if (before && after && amounts.length === 0) continue;
      const row = this.rowOf(buyer.environment, level, buyer.member.cohortDay, [value]);
      row.customers += Number(after !== null) - Number(before !== null);
      for (const { column, window, amount } of amounts)
        row[column][window] = (row[column][window] ?? 0) + amount;
    }
  }

  private valueOfSale(level: CohortLevel, { customerDimsId }: CohortMember, { dimsId }: MemberSales): string {
    return this.valueOf(isOfCustomers(level) ? customerDimsId : dimsId, level);
  }

  /** Returns null if the customer bought with several values, before or after. */
  private onlyValue(level: CohortLevel, ...buyers: (Buyer | null)[]): string | null {
    let value: string | null = null;
    for (const buyer of buyers) {
      if (!buyer) continue;
      for (const row of buyer.sales) {
        const other = this.valueOfSale(level, buyer.member, row);
        if (value !== null && value !== other) return null;
        value = other;
      }
    }
    return value;
  }

  private addSales(level: CohortLevel, { environment, member, sales }: Buyer, times: 1 | -1): void {
    const byValue = new Map<string, Bought>();
    for (const row of sales) {
      const value = this.valueOfSale(level, member, row);
      const known = byValue.get(value);
      byValue.set(value, known ? together(known, row) : row);
    }
    const rowOf = (values: readonly string[]): CohortSet =>
      this.rowOf(environment, level, member.cohortDay, values);
    for (const [value, { revenue }] of byValue) {
      const row = rowOf([value]);
      row.customers += times;
      for (const window of places)
        row.revenue[window] = (row.revenue[window] ?? 0) + times * (revenue[window] ?? 0);
    }
    const sorted = [...byValue].sort(([a], [b]) => byBytes(a, b));
    for (const column of ['converts', 'pays'] as const) {
      for (const window of places) {
        const values = sorted
          .filter(([, bought]) => bitAt(bought[column], window) === 1)
          .map(([value]) => value);
        if (values.length === 0) continue;
        const row = rowOf(values);
        row[column][window] = (row[column][window] ?? 0) + times;
      }
    }
  }

  private rowOf(
    environment: string,
    level: CohortLevel,
    cohortDay: string,
    values: readonly string[],
  ): CohortSet {
    const key = `${environment} ${level} ${cohortDay} ${values.join('\u001f')}`;
    let row = this.rows.get(key);
    if (!row) {
      const none = (): number[] => places.map(() => 0);
      row = {
        environment,
        level,
        cohortDay,
        values,
        customers: 0,
        converts: none(),
        pays: none(),
        revenue: none(),
      };
      this.rows.set(key, row);
    }
    return row;
  }
}

/** Returns the changes of the sums by sets of values, without unchanged rows. */
export function setDifferences(
  changes: readonly MemberChange[],
  levels: readonly CohortLevel[],
  valueOf: ValueOf,
): CohortSet[] {
  const differences = new SetDifferences(levels, valueOf);
  for (const change of changes) differences.add(change);
  return differences.changed();
}
