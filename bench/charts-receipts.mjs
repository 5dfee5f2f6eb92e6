import pg from 'pg';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld } from './world.mjs';

const PORT = 18_798;
const SECONDS = 2;
const CUSTOMERS = 500;
/** Triggers that mark customers for the charts. Purchases are marked by the statement that saves them. */
const triggersOfMarks = `SELECT t.tgrelid::regclass::text AS "table", t.tgname AS name FROM pg_trigger t
  JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal AND p.prosrc LIKE '%chart_changes%'`;

/**
 * What charts cost a receipt: with and without their marks, in pairs of short runs on one server, so that a machine which
 * is faster at one time than at another does not matter.
 */
export async function benchChartReceipts({ nodeOn, until, cpuMs, loadOnce, pairs }) {
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, {
    database,
    port: PORT,
    core: 0,
    env: {
      // The rollup has its own line; it runs when there is time.
      SERVICE_ROLE: 'api',
    },
  });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const { sdkHeaders } = await buildWorld(url, CUSTOMERS, null);
    await client.connect();
    const { rows: triggers } = await client.query(triggersOfMarks);
    const run = async (kind) => {
      for (const { table, name } of triggers) {
        await client.query(`ALTER TABLE ${table} ${kind === 'with' ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
      }
      const used = () => cpuMs(server.pid) + cpuMs(database.pid);
      const before = used();
      const plan = {
        kind: 'receipts',
        headers: { ...sdkHeaders, 'content-type': 'application/json' },
        productId: 'pro_monthly',
        connections: 16,
        customers: CUSTOMERS,
      };
      const { perSecond, failed } = await loadOnce({ ...plan, url, seconds: SECONDS });
      if (failed > 0) throw new Error(`${failed} requests failed`);
      return { perSecond, cpuMicros: ((used() - before) * 1000) / (perSecond * SECONDS) };
    };
    for (const kind of ['without', 'with']) await run(kind);
    const more = { cpuMicros: [], perSecond: [] };
    for (let pair = 0; pair < pairs; pair++) {
      // Which comes first alternates, too.
      const kinds = pair % 2 === 0 ? ['without', 'with'] : ['with', 'without'];
      const runs = {};
      for (const kind of kinds) runs[kind] = await run(kind);
      for (const figure of Object.keys(more)) more[figure].push(runs.with[figure] / runs.without[figure]);
    }
    const share = (list) => ((percentile(list, 0.5) - 1) * 100).toFixed(1);
    console.log(
      `receipts with the marks of charts, ${pairs} pairs: ${share(more.cpuMicros)} % processor time, ${share(more.perSecond)} % receipts a second`,
    );
  } finally {
    await client.end().catch(() => undefined);
    server.kill();
    await database.stop();
  }
}
