import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../support/patient-server.js';

/** The published bundle of the stock web SDK, byte for byte. */
const bundle = readFileSync(
  new URL('../../node_modules/@revenuecat/purchases-js/dist/Purchases.es.js', import.meta.url),
);

const page = `<!doctype html><meta charset="utf-8"><title>shop</title><div id="app"></div>
<script type="module">
  import * as sdk from '/purchases.js';
  window.sdk = sdk;
  document.title = 'ready';
</script>`;

export interface SdkPage {
  url: string;
  close(): Promise<void>;
}

/** A plain page of an app that has loaded the SDK; its own origin, so that every call is a cross-origin one. */
export async function serveSdkPage(): Promise<SdkPage> {
  const server = createServer(patientServer, (request, response) => {
    const isBundle = request.url === '/purchases.js';
    response.setHeader('content-type', isBundle ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isBundle ? bundle : page);
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
