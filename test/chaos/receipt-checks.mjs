import { setTimeout as pause } from 'node:timers/promises';

const READERS = 32;

/** The first ones of a list of faults, for a message. */
export const few = (list) => `${list.length}, such as ${JSON.stringify(list[0])}`;

/**
 * Reads every acknowledged purchase back as the app would. `acknowledged` has {customer, productId}, each customer
 * once. Gives the problems.
 */
export async function readBackAll(fleet, headers, acknowledged) {
  const lost = [];
  const doubled = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      while (next < acknowledged.length) {
        const { customer, productId } = acknowledged[next++];
        const { body } = await fleet.call('GET', `/v1/subscribers/${customer}`, headers);
        const { subscriptions, non_subscriptions: others } = body.subscriber;
        const found = (subscriptions[productId] ? 1 : 0) + (others[productId]?.length ?? 0);
        if (found === 0) lost.push(customer);
        if (found > 1) doubled.push(customer);
      }
    }),
  );
  return [
    ...(lost.length > 0 ? [`acknowledged receipts that are lost: ${few(lost)}`] : []),
    ...(doubled.length > 0 ? [`receipts that were recorded twice: ${few(doubled)}`] : []),
  ];
}

/** Customers that do not have exactly one event of their purchase. */
export async function checkEvents(sql, acknowledged) {
  const { rows } = await sql.query(
    `SELECT body ->> 'app_user_id' AS customer, count(*)::int AS count FROM events
     WHERE type IN ('INITIAL_PURCHASE', 'NON_RENEWING_PURCHASE') AND body ->> 'store' <> 'PROMOTIONAL' GROUP BY 1`,
  );
  const counts = new Map(rows.map(({ customer, count }) => [customer, count]));
  const wrong = acknowledged.filter(({ customer }) => counts.get(customer) !== 1);
  return wrong.length > 0 ? [`purchases without exactly one event: ${few(wrong)}`] : [];
}

/** Finds work that is overdue by some seconds; a dead process may have left it. */
const unsettled = {
  tasks: `SELECT count(*)::int AS count FROM store_tasks WHERE due_at < now() - interval '5 seconds'`,
  notifications: `SELECT count(*)::int AS count FROM store_notifications WHERE due_at IS NOT NULL`,
  'due work': `SELECT count(*)::int AS count FROM subscriptions WHERE next_due_at < now() - interval '5 seconds'`,
  // Last: what is above may leave some.
  deliveries: `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending'`,
};

/**
 * Waits until nothing is stuck; gives the seconds that it took.
 * @throws Error that says what is stuck after `withinS` seconds
 */
export async function untilSettled(sql, withinS) {
  const startedAt = performance.now();
  for (;;) {
    const left = [];
    for (const [what, query] of Object.entries(unsettled)) {
      const { rows } = await sql.query(query);
      if (rows[0].count > 0) left.push(`${rows[0].count} ${what}`);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    if (left.length === 0) return seconds;
    if (seconds > withinS) throw new Error(`stuck after ${withinS} s: ${left.join(', ')}`);
    await pause(250);
  }
}

/** Customers whose prepared answer is missing or of an older state. */
export async function checkPreparedAnswers(sql) {
  const { rows } = await sql.query(
    `SELECT count(*)::int AS count FROM customers c LEFT JOIN customer_snapshots s
       ON s.project_id = c.project_id AND s.customer_id = c.id AND s.customer_version = c.version
     WHERE s.customer_id IS NULL`,
  );
  return rows[0].count > 0 ? [`${rows[0].count} prepared answers are missing or stale`] : [];
}
