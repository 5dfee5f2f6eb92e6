import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { tableKinds } from '../../src/platform/database/citus/table-kinds.js';
import { runMigrations } from '../../src/platform/database/schema/migrate.js';
import { createTestStore } from '../support/arrange-store.js';
import { runCommandProcess } from '../support/command-line.js';
import { arrangeKnownObjects } from '../support/known-objects.js';
import { startTestServer } from '../support/test-server.js';
import { type CitusDatabase, createCitusDatabase, describeCitus } from './citus-database.js';

const KEY = Buffer.alloc(32, 1).toString('base64');

interface Line {
  table: string;
  kind: string;
  column: string | null;
  status: string;
}

describeCitus('tenure distribute', () => {
  let database: CitusDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createCitusDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const env = () => ({ DATABASE_URL: database.url, SERVICE_ENCRYPTION_KEY: KEY, SERVICE_DEMO: 'false' });
  const tenure = (...args: string[]) => runCommandProcess(args, env());
  const lines = async (...args: string[]): Promise<Line[]> =>
    JSON.parse((await tenure('distribute', '--json', ...args)).output) as Line[];

  /** Returns the rows of each table as text, whatever their order. */
  async function contents(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const table of [...tableKinds.keys()].filter((name) => name !== 'notification_listeners')) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      found[table] = rows
        .map(({ row }) => row)
        .sort()
        .join('\n');
    }
    return found;
  }

  /** Names of those of our tables, without the shards on the coordinator. */
  async function triggersAndKeys(): Promise<string[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT conrelid::regclass || ' ' || conname AS name FROM pg_constraint
       WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text = ANY ($1)
       UNION ALL
       SELECT tgrelid::regclass || ' ' || tgname FROM pg_trigger
       WHERE NOT tgisinternal AND tgparentid = 0 AND tgrelid::regclass::text = ANY ($1)`,
      [[...tableKinds.keys()]],
    );
    return rows.map(({ name }) => name).sort();
  }

  it('asks for the migrations first', async () => {
    const { status, errors } = await tenure('distribute');
    expect([status, errors]).toEqual([1, 'Run tenure migrate first.\n']);
  });

  it('says what it would do, and refuses while a server is running', async () => {
    await runMigrations(database.url);
    const server = await startTestServer({ databaseUrl: database.url });
    try {
      const store = await createTestStore(server);
      await arrangeKnownObjects(store, server.clock.nowMs());
      const planned = await lines('--dry-run');
      expect(planned.map(({ table }) => table).sort()).toEqual([...tableKinds.keys()].sort());
      expect(planned.find(({ table }) => table === 'customers')).toEqual({
        table: 'customers',
        kind: 'project',
        column: 'project_id',
        status: 'planned',
      });
      const { status, errors } = await tenure('distribute');
      expect(status).toBe(1);
      expect(errors).toMatch(/^A server is running \(.+\)\. Stop all servers first\.\n$/);
    } finally {
      await server.close();
    }
  });

  it('continues after it was killed; no row is lost, and no trigger runs', async () => {
    const [rows, made] = [await contents(), await triggersAndKeys()];
    const child = spawn(process.execPath, ['scripts/tenure.mjs', 'distribute'], {
      env: { PATH: process.env.PATH, ...env() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // The first table with rows of customers is done, others are not.
    let said = '';
    while (!said.includes('\nchart_')) said += String((await once(child.stdout, 'data'))[0]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await tenure('doctor')).output).toContain('run "tenure distribute"');
    const { status, output, errors } = await tenure('distribute');
    expect([status, errors]).toEqual([0, '']);
    expect(output).toMatch(/^webhook_deliveries +project +\d+ s$/m);
    expect(output).not.toMatch(/^customers /m);
    expect(await contents()).toEqual(rows);
    expect(await triggersAndKeys()).toEqual(made);
  });

  it('does nothing the second time', async () => {
    expect((await tenure('distribute')).output).toBe('Everything is distributed already.\n');
    expect(new Set((await lines()).map(({ status }) => status))).toEqual(new Set(['distributed']));
    expect((await tenure('doctor')).output).toMatch(/^ok +All tables are distributed/m);
  });

  it('lets servers change tables of which each node has a copy', async () => {
    const allowSignUp = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    const server = await startTestServer({ databaseUrl: database.url, env: allowSignUp });
    try {
      const { backend, session, path, appId, products, entitlements } = await createTestStore(server);
      const renamed = await backend.post(`${path}/products/${products.monthly.id}`, { display_name: 'Gold' });
      const deleted = [
        await backend.delete(`${path}/products/${products.yearly.id}`),
        await backend.delete(`${path}/entitlements/${entitlements.pro.id}`),
        await backend.delete(`${path}/apps/${appId}`),
        await session.post(path, { chart_attributes: ['team'] }),
        await session.delete(path),
      ];
      expect([renamed, ...deleted].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    } finally {
      await server.close();
    }
  });
});
