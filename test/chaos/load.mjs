import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 10;
/** Where faults are looked for and not an overload, a machine that cannot keep up gets fewer requests. */
export const MAX_WAITING = 100;

/**
 * Sends so many requests a second, whether or not the ones before were answered, until `isOver`; ends with the last
 * answer. With `maxOpen` none are sent while so many wait. `send` gets the number of the request and must not reject.
 * Gives how many were sent, and how many a second.
 */
export async function steadily(perSecond, isOver, send, maxOpen = Infinity) {
  const startedAt = performance.now();
  const open = new Set();
  let sent = 0;
  let skipped = 0;
  while (!isOver()) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent + skipped < due; sent++) {
      if (open.size >= maxOpen) {
        skipped = due - sent;
        break;
      }
      const answer = send(sent);
      open.add(answer);
      void answer.then(() => open.delete(answer));
    }
    await pause(TICK_MS);
  }
  const rate = sent / ((performance.now() - startedAt) / 1000);
  await Promise.all(open);
  return { sent, rate };
}

/** Over after so many seconds. */
export function after(seconds) {
  const until = performance.now() + seconds * 1000;
  return () => performance.now() >= until;
}

/** The receipt that an app posts after a purchase in the Test Store. */
export function receiptOf(appUserId, productId) {
  return {
    app_user_id: appUserId,
    product_id: productId,
    fetch_token: `test_${Date.now()}_${randomUUID()}`,
    currency: 'USD',
  };
}

export const percentile = (values, share) =>
  values.length === 0 ? 0 : values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** Counts by key. */
export class Tally {
  #counts = new Map();

  add(key) {
    this.#counts.set(key, this.of(key) + 1);
  }

  of(key) {
    return this.#counts.get(key) ?? 0;
  }

  keys() {
    return [...this.#counts.keys()];
  }

  toString() {
    const entries = [...this.#counts].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    return entries.map(([key, count]) => `${key}: ${count}`).join(', ') || 'none';
  }
}
