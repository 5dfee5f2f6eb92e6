import { once } from 'node:events';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld } from './world.mjs';

const PORTS = { without: 18_793, with: 18_794 };
const SECONDS = 2;
const WARM_UP_SECONDS = 15;

/**
 * What something costs: two servers, one of which has it (`what`): by a setting (`env`), or by data of its own that
 * `prepare` makes; only then they have a database each, and `prepareWithout` may prepare the other one. `shared`:
 * settings of both. They are measured in
 * pairs of short runs, so that a machine which is faster at one time than at another does not matter. `plans` are of
 * load.mjs, by what the table calls them.
 */
export async function benchPairs({ nodeOn, until, cpuMs, log, loadOnce }, options) {
  const {
    what,
    env,
    plans,
    pairs,
    customers,
    webhookUrl = 'http://127.0.0.1:9/',
    start = () => {},
    prepare,
    prepareWithout = () => {},
    shared = {},
  } = options;
  const databases = { without: await startDatabase() };
  // The set-up of one server must not affect the other.
  databases.with = prepare ? await startDatabase() : databases.without;
  const servers = {};
  try {
    for (const [kind, port] of Object.entries(PORTS)) {
      servers[kind] = startServer(nodeOn, {
        database: databases[kind],
        port,
        core: 0,
        env: {
          SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
          SERVICE_ROLE: 'api',
          ...shared,
          ...(kind === 'with' && env),
        },
      });
      await until('the server', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    }
    const worlds = {};
    worlds.without = await buildWorld(`http://127.0.0.1:${PORTS.without}`, customers, webhookUrl);
    worlds.with = worlds.without;
    await prepareWithout(`http://127.0.0.1:${PORTS.without}`, worlds.without);
    if (prepare) {
      const url = `http://127.0.0.1:${PORTS.with}`;
      worlds.with = await buildWorld(url, customers, webhookUrl);
      await prepare(url, worlds.with);
    }
    const run = async (kind, plan) => {
      const { pid } = servers[kind];
      const before = cpuMs(pid);
      const url = `http://127.0.0.1:${PORTS[kind]}`;
      const headers = { ...worlds[kind].sdkHeaders, 'content-type': 'application/json' };
      const load = { headers, connections: 32, customers, seconds: SECONDS, url, ...plan };
      const { perSecond, failed } = await loadOnce(load);
      if (failed > 0) throw new Error(`${failed} requests failed`);
      return { perSecond, cpuMicros: ((cpuMs(pid) - before) * 1000) / (perSecond * load.seconds) };
    };
    // One server made the world, so it is warmer than the other one: both have to be hot.
    for (const plan of Object.values(plans)) {
      for (const kind of ['with', 'without', 'with']) await run(kind, { ...plan, seconds: WARM_UP_SECONDS });
    }
    start();
    const rows = [];
    for (const [name, plan] of Object.entries(plans)) {
      const ratios = { 'cpu us/req': [], 'req/s': [] };
      for (let pair = 0; pair < pairs; pair++) {
        const order = pair % 2 === 0 ? ['without', 'with'] : ['with', 'without'];
        const figures = {};
        for (const kind of order) figures[kind] = await run(kind, plan);
        ratios['cpu us/req'].push(figures.with.cpuMicros / figures.without.cpuMicros);
        ratios['req/s'].push(figures.with.perSecond / figures.without.perSecond);
        log(
          `${name}: ${Math.round(figures.without.cpuMicros)} us without, ${Math.round(figures.with.cpuMicros)} us with ` +
            `${what}; ${Math.round(figures.without.perSecond)}/s, ${Math.round(figures.with.perSecond)}/s`,
        );
      }
      for (const [figure, values] of Object.entries(ratios)) {
        const part = (of) => percentile(values, of).toFixed(3);
        rows.push({
          [`with / without ${what}`]: name,
          figure,
          median: part(0.5),
          'lower quartile': part(0.25),
          'upper quartile': part(0.75),
        });
      }
    }
    console.table(rows);
  } finally {
    for (const server of Object.values(servers)) server.kill('SIGTERM');
    await Promise.all(Object.values(servers).map((server) => once(server, 'close')));
    for (const database of new Set(Object.values(databases))) await database.stop();
  }
}
