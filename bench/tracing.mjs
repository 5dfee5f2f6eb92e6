import { once } from 'node:events';
import { createServer } from 'node:http';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { serverArgs } from './server.mjs';
import { buildWorld } from './world.mjs';

const PORTS = { without: 18_793, with: 18_794 };
const SECONDS = 2;

/**
 * What tracing costs customer info: two servers on one database, one of which sends traces to a collector that answers.
 * They are measured in pairs of short runs, so that a machine which is faster at one time than at another does not matter.
 */
export async function benchTracing({ nodeOn, until, cpuMs, log, loadOnce, pairs, customers }) {
  const database = await startDatabase();
  let collected = 0;
  const collector = createServer((request, response) => {
    request.on('data', (data) => (collected += data.length));
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const servers = {};
  try {
    for (const [kind, port] of Object.entries(PORTS)) {
      servers[kind] = nodeOn(0, serverArgs, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          DATABASE_URL: database.url,
          SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
          SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
          SERVICE_DEMO: 'false',
          SERVICE_ROLE: 'api',
          PORT: String(port),
          ...(kind === 'with' && {
            OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
          }),
        },
      });
      await until('the server', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    }
    const url = `http://127.0.0.1:${PORTS.without}`;
    const { sdkHeaders } = await buildWorld(url, customers, `http://127.0.0.1:${collector.address().port}/`);
    const run = async (kind) => {
      const { pid } = servers[kind];
      const before = cpuMs(pid);
      const plan = {
        kind: 'customer_info',
        headers: sdkHeaders,
        connections: 32,
        customers,
        seconds: SECONDS,
      };
      const { perSecond, failed } = await loadOnce({ ...plan, url: `http://127.0.0.1:${PORTS[kind]}` });
      if (failed > 0) throw new Error(`${failed} requests failed`);
      return { perSecond, cpuMicros: ((cpuMs(pid) - before) * 1000) / (perSecond * SECONDS) };
    };
    for (const kind of ['without', 'with', 'without', 'with']) await run(kind);
    collected = 0;
    const ratios = { cpu: [], throughput: [] };
    for (let pair = 0; pair < pairs; pair++) {
      const order = pair % 2 === 0 ? ['without', 'with'] : ['with', 'without'];
      const figures = {};
      for (const kind of order) figures[kind] = await run(kind);
      ratios.cpu.push(figures.with.cpuMicros / figures.without.cpuMicros);
      ratios.throughput.push(figures.with.perSecond / figures.without.perSecond);
      log(
        `${Math.round(figures.without.cpuMicros)} us without, ${Math.round(figures.with.cpuMicros)} us with traces; ` +
          `${Math.round(figures.without.perSecond)}/s, ${Math.round(figures.with.perSecond)}/s`,
      );
    }
    const part = (values, of) => percentile(values, of).toFixed(3);
    console.table(
      Object.entries(ratios).map(([figure, values]) => ({
        'with / without traces': figure === 'cpu' ? 'cpu us/req' : 'req/s',
        median: part(values, 0.5),
        'lower quartile': part(values, 0.25),
        'upper quartile': part(values, 0.75),
      })),
    );
    console.log(`${pairs} pairs; ${Math.round(collected / 1000)} kB of traces`);
  } finally {
    for (const server of Object.values(servers)) server.kill('SIGTERM');
    await Promise.all(Object.values(servers).map((server) => once(server, 'close')));
    collector.closeAllConnections();
    collector.close();
    await database.stop();
  }
}
