import { once } from 'node:events';
import { createServer } from 'node:http';
import { benchPairs } from './pairs.mjs';
import { call } from './world.mjs';

const key = (character) => character.repeat(32);

/** Destinations that receive the purchases of the Test Store, which are in the sandbox. */
const destinations = [
  { type: 'segment', settings: { write_key: key('a'), send_sandbox: true } },
  { type: 'amplitude', settings: { api_key: key('a'), sandbox_api_key: key('b') } },
  { type: 'mixpanel', settings: { project_token: key('a'), sandbox_project_token: key('b') } },
  {
    type: 'posthog',
    settings: {
      host: 'https://us.i.posthog.com',
      api_key: `phc_${key('a')}`,
      sandbox_api_key: `phc_${key('b')}`,
    },
  },
  {
    type: 'customerio',
    settings: {
      ...{ site_id: key('a'), api_key: key('a') },
      ...{ sandbox_site_id: key('b'), sandbox_api_key: key('b') },
    },
  },
];

/** Purchases of new customers with as many destinations as webhooks; both are sent while they are measured. */
export async function benchDestinations(tools, { pairs, customers }) {
  // Mixpanel reads the status of its profiles.
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"status":1}'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const receiverUrl = `http://127.0.0.1:${receiver.address().port}`;
  const post = (url, { path, backendHeaders }, suffix, body) =>
    call(url, 'POST', path + suffix, backendHeaders, body);
  try {
    await benchPairs(tools, {
      what: `${destinations.length} destinations in place of webhooks`,
      shared: { SERVICE_ROLE: 'all', SERVICE_TEST_STORES: 'true', SERVICE_DESTINATIONS_URL: receiverUrl },
      webhookUrl: null,
      prepare: async (url, world) => {
        for (const one of destinations) await post(url, world, '/integrations/destinations', one);
      },
      prepareWithout: async (url, world) => {
        for (const { type: name } of destinations)
          await post(url, world, '/integrations/webhooks', { name, url: receiverUrl });
      },
      plans: { 'POST receipts, new customer': { kind: 'first_receipts', productId: 'pro_monthly' } },
      pairs,
      customers,
    });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
