import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { statement } from '../../src/platform/database/statement.js';
import { createTestStore, testReceipt } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { isPgBouncerInstalled, startPgBouncer } from '../support/database/pgbouncer.mjs';
import { startTestServer, type TestServer } from '../support/test-server.js';

const WARNING = 'is a pooler that does not keep named statements';

const isInstalled = isPgBouncerInstalled();
if (!isInstalled) process.stderr.write('skipped: servers behind PgBouncer (pgbouncer is not installed)\n');

(isInstalled ? describe : describe.skip)('a server behind PgBouncer, with named statements left on', () => {
  let database: TestDatabase;
  let folder: string;
  let close: (() => Promise<void>)[];
  let lines: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tenure-pooler-'));
    // PgBouncer runs as another user.
    await chmod(folder, 0o755);
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    close = [];
    lines = [];
  });

  afterEach(async () => {
    for (const end of close.reverse()) await end();
  });

  async function poolerUrl(settings: Record<string, string | number>): Promise<string> {
    const pooler = await startPgBouncer(folder, database.url, settings);
    close.push(() => Promise.resolve(pooler.stop()));
    const url = new URL(database.url);
    url.port = String(pooler.port);
    return url.toString();
  }

  async function serverAt(url: string, env: NodeJS.ProcessEnv = {}): Promise<TestServer> {
    const server = await startTestServer({
      databaseUrl: database.url,
      logTo: (line) => lines.push(line),
      env: {
        DATABASE_URL: url,
        SERVICE_DATABASE_DIRECT_URL: database.url,
        SERVICE_DATABASE_NAMED_STATEMENTS: undefined,
        SERVICE_ALLOW_SIGNUP: 'true',
        ...env,
      },
    });
    close.push(() => server.close());
    return server;
  }

  const warnings = () => lines.filter((line) => line.includes(WARNING)).length;

  async function sells(server: TestServer): Promise<void> {
    const store = await createTestStore(server);
    const customers = Array.from({ length: 30 }, (_, index) => `customer-${index}`);
    const bought = await Promise.all(
      customers.map((customer) => store.sdk.post('/v1/receipts', testReceipt(customer))),
    );
    const read = await Promise.all(customers.map((customer) => store.sdk.get(`/v1/subscribers/${customer}`)));
    expect([...bought, ...read].filter(({ status }) => status !== 200)).toEqual([]);
  }

  const namesUsed = async ({ baseUrl }: TestServer) =>
    /^tenure_database_named_statements (\d)$/m.exec(await (await fetch(`${baseUrl}/metrics`)).text())?.[1];

  it.each([
    ['left on', {}],
    ['asked for', { SERVICE_DATABASE_NAMED_STATEMENTS: 'true' }],
  ])('turns %s off with a warning at its start, and no request fails', async (_, env) => {
    const server = await serverAt(await poolerUrl({ pool_mode: 'transaction' }), env);
    expect(warnings()).toBe(1);
    expect(await namesUsed(server)).toBe('0');
    await sells(server);
    expect(warnings()).toBe(1);
  });

  it('finds out with one connection behind the pooler, too', async () => {
    const server = await serverAt(await poolerUrl({ pool_mode: 'transaction', default_pool_size: 1 }));
    expect(await namesUsed(server)).toBe('0');
  });

  it('keeps them where each client has a connection of its own, and without a pooler', async () => {
    const sessions = await serverAt(await poolerUrl({ pool_mode: 'session', default_pool_size: 50 }));
    expect(await namesUsed(sessions)).toBe('1');
    await sells(sessions);
    expect(await namesUsed(await serverAt(database.url))).toBe('1');
    expect(warnings()).toBe(0);
  });

  it('turns them off when the pooler loses them later, and the statement at hand succeeds', async () => {
    const server = await serverAt(database.url);
    const asked = server.app.get(DatabaseService);
    // Simulates a backend that another client of the pooler used: it already has the name.
    const named = statement('test.taken_name', 'SELECT 1 AS one');
    const takeName = 'PREPARE "test.taken_name" AS SELECT 2 AS two';
    await asked.query(statement('test.take_name', takeName), []);
    expect(await asked.query(named, [])).toEqual([{ one: 1 }]);
    expect(await namesUsed(server)).toBe('0');
    expect(warnings()).toBe(1);
    await sells(server);
  });
});
