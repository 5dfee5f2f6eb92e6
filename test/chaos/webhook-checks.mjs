import { few } from './receipt-checks.mjs';

/**
 * Allowed delay (ms) on a busy machine until the consumer notices the end of a connection, and until the
 * waiting process has stored an answer.
 */
const NOTICED_MS = 2_000;
const RECORDED_MS = 3_000;

function grouped(entries, keyOf) {
  const groups = new Map();
  for (const entry of entries) {
    const key = keyOf(entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return groups;
}

/**
 * Requests that were repeated although their process did not die before it could have recorded the answer. A killed
 * process loses its connections, which tells whose death it was.
 */
function unexplained(requests, kills, lagMs) {
  return requests
    .slice(0, -1)
    .filter(({ endedAt, lostAt }) => {
      const inFlight = lostAt !== null && lostAt <= (endedAt ?? Infinity) + RECORDED_MS + lagMs;
      return !inFlight || !kills.some((at) => at <= lostAt && at >= lostAt - NOTICED_MS - lagMs);
    })
    .map(({ event, startedAt, endedAt, lostAt }) => ({ event: event.id, startedAt, endedAt, lostAt, kills }));
}

/**
 * Checks events that were sent while processes died, and returns the problems. `lagMs` is the allowed extra
 * delay of this process.
 */
export async function checkChaos({ sql, receiver, bought, stale, kills, lagMs = 0, log }) {
  const problems = [];
  const requests = receiver.requests.filter(({ path }) => path.startsWith('/chaos'));
  const { rows: events } = await sql.query(
    `SELECT e.id, e.body ->> 'app_user_id' AS customer FROM events e WHERE e.body ->> 'product_id' LIKE 'chaos%'`,
  );
  const perCustomer = grouped(events, ({ customer }) => customer);
  const buyers = grouped(bought, (customer) => customer);
  const unrecorded = [...buyers].filter(
    ([customer, list]) => (perCustomer.get(customer)?.length ?? 0) < list.length,
  );
  if (unrecorded.length > 0) problems.push(`purchases without an event: ${few(unrecorded)}`);
  const surplus = [...buyers].filter(
    ([customer, list]) => (perCustomer.get(customer)?.length ?? 0) > list.length,
  );
  if (surplus.length > 0) problems.push(`events of one purchase with several ids: ${few(surplus)}`);
  for (const path of ['/chaos/plain', '/chaos/ordered']) {
    const byEvent = grouped(
      requests.filter((request) => request.path === path),
      ({ event }) => event.id,
    );
    const lost = events.filter(({ id }) => !byEvent.has(id));
    if (lost.length > 0) problems.push(`${path}: events lost: ${few(lost)}`);
    const known = new Set(events.map(({ id }) => id));
    const strange = [...byEvent.keys()].filter((id) => !known.has(id));
    if (strange.length > 0) problems.push(`${path}: events that were never recorded: ${few(strange)}`);
    const again = [...byEvent.values()].flatMap((list) => unexplained(list, kills, lagMs));
    if (again.length > 0) problems.push(`${path}: sent again without a kill in flight: ${few(again)}`);
    const repeated = [...byEvent.values()].filter((list) => list.length > 1).length;
    log(`${path}: ${byEvent.size} events, ${repeated} of them sent again after a kill`);
  }
  const ordered = requests.filter(({ path }) => path === '/chaos/ordered');
  const disordered = [...grouped(ordered, ({ event }) => event.app_user_id)].filter(([, list]) =>
    list.some(({ event }, index) => index > 0 && event.sequence < list[index - 1].event.sequence),
  );
  if (disordered.length > 0) problems.push(`customers whose events came out of order: ${few(disordered)}`);
  if (stale.length > 0) problems.push(`read back without the new state: ${few(stale)}`);
  return problems;
}

/** Checks events that were sent without disturbance: one request for each slot. */
export function checkQuiet({ receiver, customers, endpoints, failedOnce, log }) {
  const problems = [];
  const requests = receiver.requests.filter(({ path }) => path.startsWith('/quiet'));
  const byDelivery = grouped(requests, ({ path, event }) => `${path} ${event.id}`);
  if (byDelivery.size !== customers * endpoints) {
    problems.push(`${byDelivery.size} deliveries were attempted instead of ${customers * endpoints}`);
  }
  const wrong = [...byDelivery].filter(([key, list]) => list.length !== (failedOnce.has(key) ? 2 : 1));
  if (wrong.length > 0)
    problems.push(`deliveries not attempted once for each slot: ${few(wrong.map(([key]) => key))}`);
  const waits = [...byDelivery.values()]
    .filter((list) => list.length === 2)
    .map(([first, second]) => (second.startedAt - first.startedAt) / 60_000);
  const early = waits.filter((minutes) => minutes < 5);
  if (early.length > 0) problems.push(`second attempts came too early: ${few(early)}`);
  log(`${byDelivery.size} deliveries without faults, ${failedOnce.size} of them in a second slot`);
  return problems;
}
