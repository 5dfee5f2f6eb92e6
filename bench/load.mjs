import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { percentile } from './percentile.mjs';
import { senderOver } from './sender.mjs';
import { steadily } from './steady.mjs';

/**
 * One load run: `node load.mjs '<json>'` with {url, kind, headers, customers, connections, seconds, signing, rate, keys, countries}. Prints
 * requests per second, how many were sent, percentiles (ms) and how many failed: not 200, 201 or 304, or no answer for 10 s.
 */
const plan = JSON.parse(process.argv[2]);

const good = [200, 201, 204, 304];

const { tokens, idTokens } = plan.tokens ? JSON.parse(readFileSync(plan.tokens, 'utf8')) : {};

const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const anyAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
const pick = () => `customer-${Math.floor(Math.random() * plan.customers)}`;

/** What a request to be signed carries: a nonce, and with a body the hash of some of its fields. */
function withNonce(request, fields = null) {
  if (!plan.signing) return request;
  const names = fields && Object.keys(fields).join();
  const hash = fields && createHash('sha256').update(Object.values(fields).join('\0')).digest('hex');
  return {
    ...request,
    headers: {
      ...request.headers,
      'x-nonce': randomBytes(12).toString('base64'),
      ...(fields && { 'x-post-params-hash': `${names}:sha256:${hash}` }),
    },
  };
}

/** The receipt of a purchase in the Test Store. */
const receiptOf = (appUserId) => ({
  method: 'POST',
  path: '/v1/receipts',
  setupRequest: (request) => {
    const fields = { app_user_id: appUserId(), fetch_token: `test_${Date.now()}_${randomUUID()}` };
    const body = JSON.stringify({
      ...fields,
      product_id: plan.productId,
      currency: 'USD',
      presented_offering_identifier: 'default',
      initiation_source: 'purchase',
    });
    return withNonce({ ...request, body }, fields);
  },
});

const SEEN = {
  type: 'paywall_impression',
  offering_id: 'default',
  display_mode: 'full_screen',
  dark_mode: false,
};

/** A batch of events, as a phone sends after some paywalls. */
const eventsOf = (count) =>
  JSON.stringify({
    events: Array.from({ length: count }, () => ({
      ...SEEN,
      ...{ id: randomUUID(), app_user_id: pick(), session_id: randomUUID(), locale: 'en_US' },
      ...{ paywall_id: plan.paywallId, paywall_revision: 1, timestamp: Date.now() },
    })),
  });

const requests = {
  fixed: { method: 'GET', path: plan.path },
  fixed_post: { method: 'POST', path: plan.path, body: plan.body },
  customer_info: {
    method: 'GET',
    setupRequest: (request) => withNonce({ ...request, path: `/v1/subscribers/${pick()}` }),
  },
  own_customer_info: {
    method: 'GET',
    path: '/v1/customer',
    setupRequest: (request) =>
      withNonce({ ...request, headers: { ...request.headers, authorization: `Bearer ${oneOf(tokens)}` } }),
  },
  logins: {
    method: 'POST',
    path: '/v1/auth/login',
    setupRequest: (request) => ({
      ...request,
      headers: { ...request.headers, 'x-forwarded-for': anyAddress() },
      body: JSON.stringify({ method: 'oidc', id_token: oneOf(idTokens) }),
    }),
  },
  same_customer_info: {
    method: 'GET',
    path: '/v1/subscribers/customer-1',
    setupRequest: (request) => withNonce(request),
  },
  offerings: {
    method: 'GET',
    setupRequest: (request) => ({ ...request, path: `/v1/subscribers/${pick()}/offerings` }),
  },
  newcomers: {
    method: 'GET',
    setupRequest: (request) => ({ ...request, path: `/v1/subscribers/${randomUUID()}/offerings` }),
  },
  outcomes: {
    method: 'GET',
    setupRequest: (request) => ({
      ...request,
      path: `/v1/subscribers/${pick()}/offerings`,
      headers: {
        ...request.headers,
        authorization: `Bearer ${oneOf(plan.keys)}`,
        'x-storefront': oneOf(plan.countries),
      },
    }),
  },
  events: {
    method: 'POST',
    path: '/v1/events',
    setupRequest: (request) => ({ ...request, body: eventsOf(plan.events) }),
  },
  receipts: receiptOf(pick),
  first_receipts: receiptOf(() => `new-${randomUUID()}`),
};

/** Sends at the rate of the plan, whatever the server does. Autocannon would send all requests of a second at once. */
async function steadyLoad({ setupRequest = (request) => request, ...request }) {
  const sender = senderOver(plan.connections);
  const sendOne = async () => {
    const { path, ...sent } = setupRequest({ ...request, headers: plan.headers });
    const { status } = await sender.send(plan.url + path, sent);
    if (!good.includes(status)) throw new Error(`status ${status}`);
  };
  const limitMs = plan.seconds * 1_000;
  const { times, ...rest } = await steadily(plan.rate, (elapsedMs) => elapsedMs < limitMs, sendOne);
  sender.close();
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => Number(percentile(times, share).toFixed(1)));
  return { perSecond: times.length / plan.seconds, sent: times.length + rest.failed, p50, p95, p99, ...rest };
}

async function fullLoad(request) {
  const { statusCodeStats, latency, requests, errors } = await autocannon({
    url: plan.url,
    connections: plan.connections,
    duration: plan.seconds,
    headers: plan.headers,
    requests: [request],
  });
  const count = (code) => statusCodeStats[code]?.count ?? 0;
  const answered = Object.keys(statusCodeStats).reduce((sum, code) => sum + count(code), 0);
  const failed = answered - good.reduce((sum, code) => sum + count(code), 0) + errors;
  const { p50, p99 } = latency;
  return { perSecond: requests.average, sent: requests.sent, p50, p99, failed };
}

const request = requests[plan.kind];
process.stdout.write(JSON.stringify(await (plan.rate ? steadyLoad(request) : fullLoad(request))));
