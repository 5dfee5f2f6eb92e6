import { utcDay } from '../../../../libs/kernel/index.js';
import type { CustomerStart } from '../facts/customer-starts.js';
import type { DerivedCustomer } from '../facts/derive-customer.js';

/** First days as stored, with the dimensions of a customer (null for a buyer). */
export interface StoredStart extends CustomerStart {
  customerDimsId: string | null;
}

/** A customer's purchases of one kind, by window after the cohort day. */
export interface MemberSales {
  environment: string;
  dimsId: string;
  /** Bit w is set if a trial or payment counts in window w. */
  converts: number;
  /** Bit w is set if a payment counts in window w. */
  pays: number;
  /** Micros by window. */
  revenue: readonly number[];
}

export interface StoredSales extends MemberSales {
  customerId: string;
}

interface MemberStart {
  environment: string;
  first: string;
  firstPaying: string | null;
}

/** Everything that the sums of cohorts include of a customer, except for payments by the day of their rate. */
export interface CohortMember {
  cohortDay: string;
  customerDimsId: string;
  /** The first conversion and payment, by environment. */
  starts: MemberStart[];
  sales: MemberSales[];
}

/** Customers by id. */
export type CohortMembers = ReadonlyMap<string, CohortMember>;

/** Returns customers as they are stored. */
export function storedMembers(starts: readonly StoredStart[], sales: readonly StoredSales[]): CohortMembers {
  const members = new Map<string, CohortMember>();
  for (const { customerId, first, customerDimsId } of starts) {
    if (customerDimsId !== null)
      members.set(customerId, { cohortDay: first, customerDimsId, starts: [], sales: [] });
  }
  for (const { customerId, environment, first, firstPaying, customerDimsId } of starts) {
    if (customerDimsId === null) members.get(customerId)?.starts.push({ environment, first, firstPaying });
  }
  for (const { customerId, ...row } of sales) members.get(customerId)?.sales.push(row);
  return members;
}

/** Returns customers as they are derived. */
export function derivedMembers(customers: readonly DerivedCustomer[]): CohortMembers {
  return new Map(
    customers.map(({ customerId, cohortDayMs, customerDimsId, buyers, payers }) => [
      customerId,
      {
        cohortDay: utcDay(cohortDayMs),
        customerDimsId,
        starts: buyers.map(({ environment, firstConversionDayMs, firstPayingDayMs }) => ({
          environment,
          first: utcDay(firstConversionDayMs),
          firstPaying: firstPayingDayMs === null ? null : utcDay(firstPayingDayMs),
        })),
        sales: payers,
      },
    ]),
  );
}

const textOf = (parts: readonly (string | number | null)[]): string => parts.join(' ');

function isSame(one: CohortMember, other: CohortMember): boolean {
  if (one.cohortDay !== other.cohortDay || one.customerDimsId !== other.customerDimsId) return false;
  if (one.starts.length !== other.starts.length || one.sales.length !== other.sales.length) return false;
  const texts = ({ starts, sales }: CohortMember): string =>
    [
      ...starts.map(({ environment, first, firstPaying }) => textOf([environment, first, firstPaying])),
      ...sales.map(({ environment, dimsId, converts, pays, revenue }) =>
        textOf([environment, dimsId, converts, pays, ...revenue]),
      ),
    ]
      .sort()
      .join('\n');
  return texts(one) === texts(other);
}

/** A customer before and after a change; null if there is none. */
export type MemberChange = [before: CohortMember | null, after: CohortMember | null];

/** Returns the customers who differ. */
export function memberChanges(before: CohortMembers, after: CohortMembers): MemberChange[] {
  const changes: MemberChange[] = [];
  for (const [id, is] of after) {
    const was = before.get(id) ?? null;
    if (was === null || !isSame(was, is)) changes.push([was, is]);
  }
  for (const [id, was] of before) if (!after.has(id)) changes.push([was, null]);
  return changes;
}
