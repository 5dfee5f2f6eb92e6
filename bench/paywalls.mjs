import { call } from './world.mjs';

/** What phones ask of a project with a published paywall, beside customer info that has not changed. */
export async function paywallRows({ measure, log }, { pid, url, databaseUrl, world, etag }) {
  const { path, projectId, sdkHeaders, backendHeaders } = world;
  const backend = async (method, suffix, body) =>
    (await call(url, method, path + suffix, backendHeaders, body)).json;
  const offerings = await backend('GET', '/offerings');
  const paywall = await backend('POST', '/paywalls', {
    offering_id: offerings.items[0].id,
    template_id: 'plans_in_tabs',
  });
  await backend('POST', `/paywalls/${paywall.id}/actions/publish`);
  const headers = {
    ...sdkHeaders,
    'content-type': 'application/json',
    'accept-rc-element-encoding': 'br, gzip',
  };
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
  return [customerInfo, ...rows];
}
