import { once } from 'node:events';
import { createServer } from 'node:http';
import { benchPairs } from './pairs.mjs';

/** What tracing costs customer info, with a collector that answers. */
export async function benchTracing(tools, { pairs, customers }) {
  let collected = 0;
  const collector = createServer((request, response) => {
    request.on('data', (data) => (collected += data.length));
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const address = `http://127.0.0.1:${collector.address().port}`;
  try {
    await benchPairs(tools, {
      what: 'traces',
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: address },
      plans: { 'GET customer info': { kind: 'customer_info' } },
      pairs,
      customers,
      webhookUrl: `${address}/`,
      start: () => (collected = 0),
    });
    console.log(`${pairs} pairs; ${Math.round(collected / 1000)} kB of traces`);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}
