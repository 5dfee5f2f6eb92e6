import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { waitForRollup } from './charts.mjs';
import { startChartsWorld } from './charts-world.mjs';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld } from './world.mjs';

const PORT = 18_796;
const SECONDS = 2;
const CUSTOMERS = 500;

/** Triggers that mark customers for report rows. */
const triggersOfMarks = `SELECT t.tgrelid::regclass::text AS "table", t.tgname AS name FROM pg_trigger t
  JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal
    AND p.prosrc ~ 'report_(changes|projects|customer|product)' AND t.tgrelid <> 'projects'::regclass`;

/**
 * What report rows cost a receipt: without their triggers, with triggers in a project that has no rows, and with rows. In
 * short runs on one server, so that a machine which is faster at one time than at another does not matter.
 */
async function benchReceipts({ nodeOn, until, cpuMs, loadOnce, pairs }) {
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
    const { path, sdkHeaders } = await buildWorld(url, CUSTOMERS, null);
    await client.connect();
    await client.query(`INSERT INTO report_projects (project_id, enabled) VALUES ($1, false)`, [
      path.split('/').at(-1),
    ]);
    const { rows: triggers } = await client.query(triggersOfMarks);
    if (triggers.length < 10) throw new Error('the triggers have other names');
    const run = async (kind) => {
      for (const { table, name } of triggers) {
        await client.query(`ALTER TABLE ${table} ${kind === 'none' ? 'DISABLE' : 'ENABLE'} TRIGGER ${name}`);
      }
      await client.query('UPDATE report_projects SET enabled = $1', [kind === 'enabled']);
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
    const kinds = ['none', 'disabled', 'enabled'];
    for (const kind of kinds) await run(kind);
    const ratios = { disabled: [], enabled: [] };
    for (let pair = 0; pair < pairs; pair++) {
      const runs = {};
      // Which comes first alternates.
      for (const kind of pair % 2 === 0 ? kinds : kinds.toReversed()) runs[kind] = await run(kind);
      for (const kind of Object.keys(ratios)) {
        ratios[kind].push({
          perSecond: runs[kind].perSecond / runs.none.perSecond,
          cpuMicros: runs[kind].cpuMicros / runs.none.cpuMicros,
        });
      }
    }
    for (const [kind, list] of Object.entries(ratios)) {
      const middle = (figure) =>
        [0.25, 0.5, 0.75].map((share) =>
          percentile(
            list.map((one) => one[figure]),
            share,
          ).toFixed(3),
        );
      console.log(
        `receipts, report rows ${kind}, ${pairs} pairs (quartiles): rate ${middle('perSecond').join(' ')}, processor time ${middle('cpuMicros').join(' ')}`,
      );
    }
  } finally {
    await client.end().catch(() => undefined);
    server.kill();
    await database.stop();
  }
}

/** Customers a second of processor time, by the rollups of charts and of report rows. */
async function benchRollups({ nodeOn, until, cpuMs, log, count }) {
  const world = await startChartsWorld({ nodeOn, until, log, count });
  const { client, serverPid, databasePid, path } = world;
  const projectId = path.split('/').at(-1);
  const used = () => cpuMs(serverPid) + cpuMs(databasePid);
  const rate = (cpu) => Math.round(count / cpu);
  const measured = async (start, isDone) => {
    const before = used();
    await start();
    while (!(await isDone())) await pause(100);
    return (used() - before) / 1000;
  };
  const isEmpty = async (text) => (await client.query(text)).rows.length === 0;
  try {
    const { derived } = await waitForRollup(world, cpuMs);
    console.log(`charts, first time: ${rate(derived.cpu)} customers in a second of processor time`);
    const built = await measured(
      () =>
        client.query(
          `INSERT INTO report_projects (project_id, enabled, built_until, code_version) VALUES ($1, true, '', 1)`,
          [projectId],
        ),
      () => isEmpty('SELECT 1 FROM report_projects WHERE built_at IS NULL'),
    );
    console.log(`report rows, first time: ${rate(built)} customers in a second of processor time`);
    await client.query('ALTER TABLE chart_changes DISABLE TRIGGER chart_changes_reported');
    const mark = (table) => () =>
      client.query(
        `INSERT INTO ${table} (project_id, customer_id, changed_at)
         SELECT project_id, id, now() FROM customers WHERE project_id = $1`,
        [projectId],
      );
    for (let round = 0; round < 3; round++) {
      const charts = await measured(mark('chart_changes'), () =>
        isEmpty('SELECT 1 FROM chart_changes LIMIT 1'),
      );
      const reports = await measured(mark('report_changes'), () =>
        isEmpty('SELECT 1 FROM report_changes LIMIT 1'),
      );
      console.log(`marked again: charts ${rate(charts)}, report rows ${rate(reports)}`);
    }
  } finally {
    await world.stop();
  }
}

export async function benchReportRows(bench) {
  await benchReceipts(bench);
  await benchRollups(bench);
}
