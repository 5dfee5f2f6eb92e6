import type { Transaction } from '../../../platform/database/database.service.js';
import { longStatement, type Statement, statement } from '../../../platform/database/statement.js';

/** Statements that merge customers, in their order. $1: project, $2: source, $3: target, $4: time of the merge. */
const mergeSteps = [
  'origin',
  'subscription_money',
  'one_time_money',
  'subscriptions',
  'one_time',
  'history',
  'givers',
  'takers',
  'waiting_events',
  'aliases',
  'currencies',
  'currency_history',
  'twins',
  'enrollments',
  'days',
  'notes',
  'accounts',
  'external_tokens',
  'refund_requests',
  'redemption',
  'answer',
] as const;

/**
 * Statements that erase a customer, in their order. $1: project, $2: customer, $3: whether to erase rows that may be very
 * many.
 */
const erasureSteps = [
  'subscription_money',
  'one_time_money',
  'records',
  'given',
  'taken',
  'subscriptions',
  'one_time',
  'balances',
  'currencies',
  'attributes',
  'days',
  'notes',
  'enrollments',
  'accounts',
  'links',
  'external_tokens',
  'refund_requests',
  'redeemed',
  'answer',
  'identities',
  'sessions',
  'sdk_events',
  'paywall_views',
  'aliases',
  'customer',
] as const;

/** SQL by step. A text says why the table needs no step. */
type Steps<Name extends string> = Partial<Record<Name, string>> | string;

/** SQL that changes a table's rows when customers merge, and when a customer is erased. */
export interface CustomerRows {
  merge: Steps<(typeof mergeSteps)[number]>;
  erase: Steps<(typeof erasureSteps)[number]>;
}

const registered = new Map<string, CustomerRows>();

/** Registers a table's rows. Called beside the table, so that only its owner writes SQL about it. */
export function customerRows(table: string, rows: CustomerRows): void {
  registered.set(table, rows);
}

export function registeredCustomerRows(): ReadonlyMap<string, CustomerRows> {
  return registered;
}

interface Step {
  name: string;
  command: Statement;
  /** How many of the values its text names. */
  parameters: number;
}

const order = { merge: mergeSteps, erase: erasureSteps };
const composed = new Map<keyof CustomerRows, Step[]>();

/** Steps in their order, when all owners have registered theirs. @throws Error if an owner has not */
export function customerRowSteps(kind: keyof CustomerRows): Step[] {
  const known = composed.get(kind);
  if (known) return known;
  const texts = new Map<string, string>();
  for (const rows of registered.values()) {
    const own = rows[kind];
    if (typeof own !== 'string') for (const [name, sql] of Object.entries(own)) texts.set(name, sql);
  }
  const steps = order[kind].map((name): Step => {
    const sql = texts.get(name);
    if (sql === undefined) throw new Error(`no table registered the step ${name} (${kind})`);
    const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
    const make = kind === 'erase' ? longStatement : statement;
    const command = make(`customers.${kind}.${name}`, sql);
    return { name, command, parameters: Math.max(...numbers) };
  });
  composed.set(kind, steps);
  return steps;
}

/** Runs all steps, which are sent together. Returns the number of rows that each returned. */
export async function changeCustomerRows(
  tx: Transaction,
  kind: keyof CustomerRows,
  values: readonly unknown[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(
    customerRowSteps(kind).map(async ({ name, command, parameters }): Promise<[string, number]> => {
      const rows = await tx.query(command, values.slice(0, parameters));
      return [name, rows.length];
    }),
  );
  return new Map(counts);
}
