import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ManualClock, systemClock } from '../../libs/kernel/index.js';
import { runVerify } from '../../libs/importer/index.js';
import { TargetApi } from '../../libs/importer/target/target-api.js';
import { createSecretKey, type SecretKey, signUp } from '../support/arrange.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import {
  FakeVendor,
  seedWorld,
  tokenFile,
  VENDOR_KEY,
  VENDOR_PUBLIC_KEY,
} from '../support/fake-vendor/index.js';
import { descriptionProblems } from '../support/fake-vendor/description.js';
import { ImportBench, TestRuntime } from '../support/import-bench.js';
import { isNightly } from '../support/nightly.js';
import { COMMAND_LINE, until } from '../support/program.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const KILLS = isNightly ? 20 : 8;
/** The command uses the real clock, and the server accepts no import from the future. */
const NOW = systemClock.nowMs();

interface EmptyProject extends SecretKey {
  projectId: string;
}

describe('tenure import', () => {
  let server: TestServer;
  let database: TestDatabase;
  let bench: ImportBench;
  const vendors: FakeVendor[] = [];

  beforeAll(async () => {
    // A separate client, because the audit rows of the command's writes are not those of this client.
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    server = await startTestServer({ env, databaseUrl: database.url, clock: new ManualClock(NOW) });
  });

  beforeEach(async () => {
    bench = await ImportBench.open();
  });

  afterEach(async () => {
    await bench.close();
    await Promise.all(vendors.splice(0).map((vendor) => vendor.close()));
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  async function startVendor(options: Partial<Parameters<typeof seedWorld>[0]> = {}): Promise<FakeVendor> {
    const vendor = new FakeVendor(seedWorld({ customers: 34, nowMs: NOW, ...options }));
    await vendor.start();
    vendors.push(vendor);
    return vendor;
  }

  /** A project that has nothing yet, and a key for it. */
  async function emptyProject(): Promise<EmptyProject> {
    const { session, projectId } = await signUp(server);
    return { projectId, ...(await createSecretKey(session, projectId)) };
  }

  function sides(vendor: FakeVendor, { key }: SecretKey) {
    return { sourceUrl: vendor.baseUrl, sourceKey: VENDOR_KEY, targetUrl: server.baseUrl, targetKey: key };
  }

  async function verify(vendor: FakeVendor, target: SecretKey) {
    const { sourceUrl, sourceKey, targetUrl, targetKey } = sides(vendor, target);
    const flags = { sourceUrl, sourceKey, to: targetUrl, toKey: targetKey };
    const runtime = new TestRuntime(NOW);
    const status = await runVerify({ ...flags, json: true, quiet: true, deep: true }, {}, null, runtime);
    return { status, report: JSON.parse(runtime.output) };
  }

  /** Rows that an import can add to or change. */
  async function rowsOf({ projectId }: EmptyProject): Promise<object[]> {
    const counted = (table: string) =>
      `SELECT '${table}' AS name, count(*)::int AS rows FROM ${table} WHERE project_id = $1`;
    const tables = [
      'customers',
      'customer_aliases',
      'subscriptions',
      'one_time_purchases',
      'store_transactions',
      'events',
      'products',
    ];
    const existing = await server.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'project_id' AND table_name = ANY($1)`,
      [tables],
    );
    return server.dataSource.query(
      existing
        .map(({ name }) => counted(name))
        .sort()
        .join(' UNION ALL '),
      [projectId],
    );
  }

  /** What customers have here, without ids of this project. */
  async function contents(target: SecretKey, vendor: FakeVendor) {
    const { targetUrl: url, targetKey: key } = sides(vendor, target);
    const runtime = new TestRuntime(NOW);
    const api = new TargetApi({ url, key, project: null }, runtime, new AbortController().signal);
    const [project] = await api.projects();
    api.use(project?.id ?? '');
    const found: unknown[] = [];
    for (const id of [...vendor.world.customers.keys()].sort()) {
      const customer = await api.customer(id);
      const sorted = (items: string[][]) => items.map((item) => item.join(' ')).sort();
      found.push({
        id: customer?.id,
        firstSeen: customer?.first_seen_at,
        subscriptions: sorted(
          (await api.subscriptions(id)).map((each) => [
            each.store,
            // A grant is named by its id here.
            each.store === 'promotional' ? '' : each.store_subscription_identifier,
            each.status,
            ...[each.gives_access, each.current_period_ends_at, each.ends_at].map(String),
          ]),
        ),
        purchases: sorted(
          (await api.purchases(id)).map((each) => [each.store, each.store_purchase_identifier, each.status]),
        ),
        entitlements: sorted((await api.activeEntitlements(id)).map((each) => [String(each.expires_at)])),
        balances: await api.balances(id),
      });
    }
    return found;
  }

  /** The command in a process of its own, as people run it. */
  function start(vendor: FakeVendor, target: SecretKey, args: string[]): ChildProcess {
    return spawn(process.execPath, [COMMAND_LINE, 'import', '--source-url', vendor.baseUrl, ...args], {
      cwd: bench.folder,
      env: {
        PATH: process.env.PATH,
        TENURE_SOURCE_KEY: VENDOR_KEY,
        TENURE_URL: server.baseUrl,
        TENURE_KEY: target.key,
      },
    });
  }

  async function ended(child: ChildProcess) {
    const [output, errors, [status]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { status, output, errors };
  }

  it('moves every state that a customer can be in, so that verify finds no difference, and changes nothing again', async () => {
    const vendor = await startVendor({ customers: 68, withExtremes: true });
    const target = await emptyProject();
    const googleTokens = await tokenFile(vendor, bench.folder);
    const first = await bench.run(sides(vendor, target), { googleTokens });
    expect([first.runtime.errors, first.report.errors, first.status]).toEqual(['', [], 0]);
    expect(first.report.customers).toMatchObject({ read: 71, created: 71 });
    expect(first.report.skipped.filter(({ kind }) => kind !== 'webhook')).toEqual([]);
    const compared = await verify(vendor, target);
    expect([compared.report.differences, compared.status]).toEqual([[], 0]);
    const rows = await rowsOf(target);
    const again = await bench.run(sides(vendor, target), { googleTokens });
    expect(again.report.customers).toMatchObject({ read: 71, created: 0, updated: 71 });
    expect(await rowsOf(target)).toEqual(rows);
    expect(rows).toContainEqual({ name: 'events', rows: 0 });

    const refused = await bench.run(sides(vendor, await emptyProject()), {
      limit: '1',
      state: join(bench.folder, 'other'),
    });
    expect(refused.report.public_keys).toEqual({ set: 0, kept: 0, failed: 5 });
    expect(refused.runtime.errors).toContain('another app of this server has it');
  });

  it(`comes to the same end however often it is killed (${KILLS} times)`, async () => {
    const vendor = await startVendor();
    const [target, undisturbed] = [await emptyProject(), await emptyProject()];
    const args = ['--page-size', '3', '--json', '--state', 'state.json', '--no-public-keys'];
    let random = 7;
    for (let kills = 0; kills < KILLS; kills += 1) {
      random = (random * 48_271) % 2_147_483_647;
      const child = start(vendor, target, args);
      const end = ended(child);
      const from = vendor.journal.length;
      const enough = 1 + (random % 90);
      let isOver = false;
      void end.then(() => (isOver = true));
      await until(() => isOver || vendor.journal.length >= from + enough);
      child.kill('SIGKILL');
      await end;
    }
    const { status, output, errors } = await ended(start(vendor, target, args));
    expect([status, errors]).toEqual([0, '']);
    expect(JSON.parse(output)).toMatchObject({ complete: true, errors: [] });
    const state = { state: join(bench.folder, 'undisturbed.json'), publicKeys: false };
    expect((await bench.run(sides(vendor, undisturbed), state)).status).toBe(0);
    expect(await contents(target, vendor)).toEqual(await contents(undisturbed, vendor));
    expect(await rowsOf(target)).toEqual(await rowsOf(undisturbed));

    const files = await Promise.all(
      (await readdir(bench.folder)).map((name) => readFile(join(bench.folder, name), 'latin1')),
    );
    for (const key of [VENDOR_KEY, target.key]) expect([...files, output].join()).not.toContain(key);
    expect(await readdir(bench.folder)).not.toContainEqual(expect.stringMatching(/lock$/));
  });

  it('exits 2 without a request when called wrongly, and 1 for what fails later', async () => {
    const vendor = await startVendor();
    const target = await emptyProject();
    const run = (...args: string[]) => ended(start(vendor, target, args));
    const [unknown, missing, publicKey, notANumber] = await Promise.all([
      run('--unknown'),
      run('--state'),
      run('--source-key', VENDOR_PUBLIC_KEY),
      run('--limit', 'abc'),
    ]);
    expect([unknown, missing, publicKey, notANumber].map(({ status }) => status)).toEqual([2, 2, 2, 2]);
    expect(publicKey?.errors).toMatch(/takes a secret key/);
    expect([vendor.journal, await readdir(bench.folder)]).toEqual([[], []]);
    const { status, errors } = await run('--source-key', 'sk_unknown12345');
    expect([status, errors]).toEqual([1, expect.stringMatching(/source answered 401/)]);
    expect((await run('--help')).output).toContain('--google-tokens');
  });

  it('writes nothing in a dry run', async () => {
    const vendor = await startVendor();
    const target = await emptyProject();
    const before = await rowsOf(target);
    const args = ['--dry-run', '--limit', '20', '--concurrency', '16'];
    const { status, output, errors } = await ended(start(vendor, target, args));
    expect(output).toMatch(/^Dry run: nothing was written/);
    expect([status, errors]).toEqual([0, '']);
    expect([await rowsOf(target), await readdir(bench.folder)]).toEqual([before, []]);
  });

  it('uses a fake vendor whose answers have the described fields', async () => {
    const vendor = await startVendor({ withExtremes: true });
    expect(await descriptionProblems(vendor)).toEqual([]);
  });
});
