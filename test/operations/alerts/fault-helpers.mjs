import { receiptOf } from '../../chaos/load.mjs';
import { pause } from './stage.mjs';

/** Does something again and again until it is stopped. */
export function repeatedly(everyMs, work) {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work().catch(() => undefined);
      await pause(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

export const monthAfter = (date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);

/** An app of Amazon, and how its phones post a receipt. */
export async function openAmazonShop({ openShop, fleet }, name) {
  const type = { type: 'amazon', amazon: { package_name: `com.example.${name}`, shared_secret: 'secret' } };
  const { headers } = await openShop(name, type);
  let sent = 0;
  return () => {
    const body = {
      ...receiptOf(`amazon-${name}`, 'pro'),
      fetch_token: `receipt-${sent++}`,
      store_user_id: 'user',
    };
    return fetch(`${fleet.first}/v1/receipts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, 'x-platform': 'amazon' },
      body: JSON.stringify(body),
    }).then((answer) => answer.text());
  };
}

/** Ends connections of the servers: what a setting of the database says counts for new ones. */
export const endConnections = ({ sql, role }) =>
  sql.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
