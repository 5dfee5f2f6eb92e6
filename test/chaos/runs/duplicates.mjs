import { compileFakes } from '../../../bench/fakes.mjs';
import { percentile, Tally } from '../load.mjs';
import { startReceiver } from '../receiver.mjs';
import { few, untilSettled } from '../receipt-checks.mjs';
import { openShop, openStage } from '../stage.mjs';

export const about = 'each notification of a store 200 times at once, to 3 processes';
export const limitS = 600;
/** The end-to-end tests send notifications twice, too. */
export const isLong = true;

const COPIES = 200;
const clock = { nowMs: () => Date.now() };

/** Stripe as the tests know it. */
async function startStripe(folder) {
  const load = compileFakes(folder, ['patient-server.ts', 'fake-http.ts', 'fake-stripe']);
  const { FakeStripe } = await load('fake-stripe/fake-stripe.js');
  const { FakeStripeApi } = await load('fake-stripe/fake-stripe-api.js');
  const stripe = new FakeStripe(clock);
  const api = new FakeStripeApi(stripe);
  await api.start();
  return { stripe, api };
}

/** Customers that do not have exactly one event of each type. */
async function checkOnce(sql, customers) {
  const { rows } = await sql.query(
    `SELECT body ->> 'app_user_id' AS customer, type, count(*)::int AS count FROM events GROUP BY 1, 2`,
  );
  const wrong = customers.filter((customer) => {
    const own = rows.filter((row) => row.customer === customer);
    const recorded = own.map(({ type, count }) => `${type} ${count}`).sort();
    return recorded.join() !== 'CANCELLATION 1,INITIAL_PURCHASE 1';
  });
  return wrong.length > 0 ? [`customers without one event each: ${few(wrong)}`] : [];
}

export async function run({ cluster, short }) {
  const count = short ? 5 : 50;
  const { stripe, api } = await startStripe(cluster.folder);
  const receiver = await startReceiver(() => Promise.resolve(200));
  const stage = await openStage(cluster, 'duplicates', {
    environment: { SERVICE_TEST_STORES: 'true', SERVICE_STRIPE_API_URL: api.url },
  });
  const { fleet, sql, post } = stage;
  try {
    const fields = { stripe_secret_key: stripe.secretKey, stripe_webhook_secret: stripe.webhookSecret };
    const { appId, headers } = await openShop(stage, 'Stripe', { type: 'stripe', stripe: fields });
    await post('/products', {
      store_identifier: 'prod_pro',
      app_id: appId,
      type: 'subscription',
      subscription: { duration: 'P1M' },
    });
    await post('/integrations/webhooks', { name: 'events', url: `${receiver.url}/events`, app_id: appId });
    const customers = [];
    const answers = new Tally();
    const times = [];
    const notify = async ({ url }, { body }, signature) => {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/v1/notifications/stripe/${appId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      });
      await answer.arrayBuffer();
      answers.add(answer.status);
      times.push(performance.now() - startedAt);
    };
    for (let number = 0; number < count; number++) {
      const customer = `chaos-${number}`;
      const life = stripe.subscribe();
      const receipt = { app_user_id: customer, fetch_token: life.id };
      const bought = await fleet.call(
        'POST',
        '/v1/receipts',
        { ...headers, 'x-platform': 'stripe' },
        receipt,
      );
      if (bought.status !== 200) throw new Error(`the purchase was refused: ${JSON.stringify(bought.body)}`);
      customers.push(customer);
      const event = life.cancel();
      const signature = stripe.signature(event.body);
      await Promise.all(
        Array.from({ length: COPIES }, (_, copy) => notify(fleet.members[copy % 3], event, signature)),
      );
    }
    const settledS = await untilSettled(sql, 150);
    const { rows } = await sql.query('SELECT count(*)::int AS count FROM store_notifications');
    const recorded = new Set(receiver.requests.map(({ event }) => event.id));
    return {
      problems: [
        ...(answers.of(200) === count * COPIES ? [] : [`answers: ${answers}`]),
        ...(rows[0].count === count ? [] : [`${rows[0].count} notifications were kept instead of ${count}`]),
        ...(await checkOnce(sql, customers)),
        ...(recorded.size === 2 * count && receiver.requests.length === recorded.size
          ? []
          : [`${receiver.requests.length} webhooks told of ${recorded.size} events instead of ${2 * count}`]),
      ],
      figures: {
        notifications: `${count}, each sent ${COPIES} times at once`,
        answers: `${answers}`,
        'time to answer': `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
        'kept notifications': rows[0].count,
        'webhooks sent': `${receiver.requests.length} for ${recorded.size} events`,
        'settled after': `${settledS.toFixed(1)} s`,
      },
    };
  } finally {
    await stage.close();
    receiver.close();
    await api.close();
  }
}
