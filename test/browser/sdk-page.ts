import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../support/patient-server.js';

/** The published files of a stock web SDK, byte for byte. */
function bundleOf(packageName: string): Map<string, Buffer> {
  const folder = new URL(`../../node_modules/${packageName}/dist/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [`/${name}`, readFileSync(new URL(name, folder))]));
}

const page = `<!doctype html><meta charset="utf-8"><title>shop</title><div id="app"></div>
<script type="module">
  import * as sdk from '/Purchases.es.js';
  window.sdk = sdk;
  document.title = 'ready';
</script>`;

export interface SdkPage {
  url: string;
  close(): Promise<void>;
}

/** A plain page of an app that has loaded the SDK; its own origin, so that every call is a cross-origin one. */
export async function serveSdkPage(packageName = '@revenuecat/purchases-js'): Promise<SdkPage> {
  const bundle = bundleOf(packageName);
  const server = createServer(patientServer, (request, response) => {
    const file = bundle.get(request.url ?? '');
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(file ?? page);
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
