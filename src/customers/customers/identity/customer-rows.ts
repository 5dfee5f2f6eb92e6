import type { Statement } from '../../../platform/database/statement.js';

/**
 * Steps of the statement that merges customers, in their order. $1: project, $2: source, $3: target, $8: time of the
 * merge.
 */
const mergeSteps = [
  'origin',
  'subscriptions',
  'one_time',
  'subscription_money',
  'one_time_money',
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
 * Steps of the statement that erases a customer, in their order. $1: project, $2: customer, $3: whether to erase rows
 * that may be very many.
 */
const erasureSteps = [
  'subscriptions',
  'one_time',
  'subscription_money',
  'one_time_money',
  'bought',
  'records',
  'given',
  'taken',
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

/** SQL by step; other steps can read what it returns. A text says why the table needs no step. */
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

function composed(kind: keyof CustomerRows, names: readonly string[]): string {
  const steps = new Map<string, string>();
  for (const rows of registered.values()) {
    const own = rows[kind];
    if (typeof own !== 'string') for (const [name, sql] of Object.entries(own)) steps.set(name, sql);
  }
  const texts = names.map((name) => {
    const sql = steps.get(name);
    if (sql === undefined) throw new Error(`no table registered the step ${name} (${kind})`);
    return `${name} AS (\n     ${sql}\n   )`;
  });
  return `WITH ${texts.join(', ')}`;
}

/** The common table expressions of the merge. Throws if the owner of a step has not registered it. */
export function mergeOfCustomerRows(): string {
  return composed('merge', mergeSteps);
}

/** The common table expressions of an erasure. Throws if the owner of a step has not registered it. */
export function erasureOfCustomerRows(): string {
  return composed('erase', erasureSteps);
}

/** Composes a statement at its first use, when all owners have registered their rows. */
export function composedLater(compose: () => Statement): () => Statement {
  let statement: Statement | null = null;
  return () => (statement ??= compose());
}
