import { call } from './world.mjs';

/** Events of a request. */
const EVENTS = 10;
/** Events for each receipt that the server can take. */
const EVENTS_PER_RECEIPT = 5;
const BESIDE = { requests: 500, connections: 16, seconds: 60 };

/**
 * What phones ask of a project with a published paywall, beside customer info that has not changed, and the events that
 * they report, beside receipts.
 */
export async function paywallRows(tools, plan) {
  const { measure, log } = tools;
  const { pid, url, databaseUrl, world, etag } = plan;
  const { path, projectId, sdkHeaders, backendHeaders } = world;
  const backend = async (method, suffix, body) =>
    (await call(url, method, path + suffix, backendHeaders, body)).json;
  const headers = {
    ...sdkHeaders,
    'content-type': 'application/json',
    'accept-rc-element-encoding': 'br, gzip',
  };
  const phone = {
    ...{ url, databaseUrl, kind: 'offerings' },
    headers: { ...headers, 'x-platform': 'iOS', 'x-version': '5.86.0' },
  };
  const before = await measure('GET offerings of a phone, no paywall', pid, phone);
  const offerings = await backend('GET', '/offerings');
  const paywall = await backend('POST', '/paywalls', {
    offering_id: offerings.items[0].id,
    template_id: 'plans_in_tabs',
  });
  await backend('POST', `/paywalls/${paywall.id}/actions/publish`);
  const after = await measure('GET offerings of a phone, a paywall', pid, phone);
  const answer = await fetch(`${url}/v1/config/app`, { method: 'POST', headers, body: '{}' });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const config = JSON.parse(bytes.subarray(40, 40 + bytes.readUInt32LE(32)).toString());
  const post = { url, databaseUrl, headers, kind: 'fixed_post', path: '/v1/config/app' };
  const customerInfo = await measure('GET customer info, 304', pid, {
    ...{ url, databaseUrl, kind: 'same_customer_info' },
    headers: { ...headers, 'x-revenuecat-etag': etag },
  });
  const rows = [
    await measure('POST config, 204', pid, { ...post, body: JSON.stringify({ manifest: config.manifest }) }),
    await measure('POST config, new', pid, { ...post, body: '{}' }),
    await measure('GET blob', pid, {
      ...{ url, databaseUrl, headers: {}, kind: 'fixed' },
      path: `/v1/blobs/${projectId}/${config.prefetch_blobs[0]}`,
    }),
    await measure('GET offerings with a paywall', pid, { url, databaseUrl, headers, kind: 'offerings' }),
  ];
  for (const { name, perSecond } of rows)
    log(`${name}: ${(perSecond / customerInfo.perSecond).toFixed(2)} x customer info with 304`);
  log(`offerings of a phone: ${(after.perSecond / before.perSecond).toFixed(2)} x those without a paywall`);
  const events = await eventRows(tools, plan, { headers, paywallId: paywall.id });
  return [before, after, customerInfo, ...rows, ...events];
}

async function eventRows({ measure, loadOnce, log }, { pid, url, databaseUrl }, { headers, paywallId }) {
  const plan = { url, databaseUrl, headers };
  const receipts = await measure('POST receipts', pid, {
    ...plan,
    kind: 'receipts',
    productId: 'pro_monthly',
  });
  const batch = { ...plan, kind: 'events', events: EVENTS, paywallId };
  const events = await measure(`POST events, ${EVENTS} each`, pid, batch);
  const perReceipt = (events.perSecond * EVENTS) / receipts.perSecond;
  log(`events: ${Math.round(events.perSecond * EVENTS)}/s, ${perReceipt.toFixed(1)} x receipts`);

  const steady = { ...plan, kind: 'customer_info', rate: BESIDE.requests };
  const name = `GET customer info at ${BESIDE.requests}/s`;
  const alone = await measure(name, pid, steady);
  const perSecond = Math.round(receipts.perSecond * EVENTS_PER_RECEIPT);
  const { connections, seconds } = BESIDE;
  const sending = loadOnce({ ...batch, rate: perSecond / EVENTS, customers: 100, connections, seconds });
  const beside = await measure(`${name} beside ${perSecond} events/s`, pid, steady);
  const { perSecond: sent, failed } = await sending;
  log(`95th percentile beside events: ${(beside.p95 / alone.p95).toFixed(2)} x alone (${alone.p95} ms)`);
  log(`${Math.round(sent * EVENTS)} events/s were stored, ${failed} requests failed`);
  return [receipts, events, alone, beside];
}
