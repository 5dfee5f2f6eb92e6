import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import pg from 'pg';
import { MIGRATION_LOCK } from '../../src/platform/database/schema/migrate.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { canBeProcess1, COMMAND_LINE, MAIN, type Program, startProgram, until } from '../support/program.js';

const environment = (url: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: url,
  PORT: '0',
  SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  SERVICE_DEMO: 'false',
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Runs as an ordinary process, and as the first one of a container where this user may make one. */
const ways: [string, boolean][] = [['an ordinary process', false]];
if (canBeProcess1) ways.push(['process 1', true]);
else process.stderr.write('skipped: signals to process 1 (this user may not run "unshare --pid")\n');

describe.each(ways)('a signal before the start is complete, to %s', (_, isProcess1) => {
  let database: TestDatabase;
  let sql: pg.Client;
  let started: Program[];

  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
    sql = await connect(database.url);
    started = [];
  });

  afterEach(async () => {
    await Promise.all(started.map((program) => program.kill()));
    await sql.end();
    await database.drop();
  });

  async function run(args: string[], env: NodeJS.ProcessEnv): Promise<Program> {
    const program = await startProgram(args, env, { isProcess1 });
    started.push(program);
    return program;
  }

  /** Activity of the server's own connections. */
  const backends = async (): Promise<string[]> => {
    const { rows } = await sql.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tenure' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ query }) => query);
  };
  const isRunning = async (statement: RegExp): Promise<boolean> =>
    (await backends()).some((query) => statement.test(query));
  const applied = async (): Promise<number> =>
    (await sql.query<{ count: string }>('SELECT count(*) FROM migrations')).rows.map(({ count }) =>
      Number(count),
    )[0] ?? 0;

  it.each([
    ['the server', [MAIN], 0],
    ['several processes', [MAIN], 0],
    ['tenure migrate', [COMMAND_LINE, 'migrate'], 143],
  ])('%s, waiting for another process that migrates, ends at once', async (name, args, status) => {
    await sql.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const workers = name === 'several processes' ? '2' : '1';
    const program = await run(args, { ...environment(database.url), SERVICE_WORKERS: workers });
    await until(() => isRunning(/./));
    process.kill(program.pid, 'SIGTERM');
    expect([await program.ended, program.output()]).toEqual([status, expect.stringMatching(/stopp/i)]);
    await until(async () => (await backends()).length === 0);
  });

  /** The first migration reaches a statement that runs until it is cancelled. */
  const makeEndless = (): Promise<unknown> =>
    sql.query(`
      CREATE FUNCTION wait_for_ever() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); END';
      CREATE EVENT TRIGGER endless ON ddl_command_start WHEN TAG IN ('CREATE TRIGGER')
        EXECUTE FUNCTION wait_for_ever()`);
  const makeQuick = (): Promise<unknown> =>
    sql.query('DROP EVENT TRIGGER endless; DROP FUNCTION wait_for_ever()');

  it('rolls the migration at hand back, and the next run makes it', async () => {
    await makeEndless();
    const interrupted = await run([COMMAND_LINE, 'migrate'], environment(database.url));
    await until(() => isRunning(/FUNCTION app_user_id_hash/));
    process.kill(interrupted.pid, 'SIGTERM');
    expect(await interrupted.ended).toBe(143);
    expect(interrupted.output()).toMatch(/^Stopped while migrating\. Migrations completed: 0\. /m);
    // PostgreSQL runs nothing.
    await until(async () => (await backends()).length === 0);
    expect(await applied()).toBe(0);

    await makeQuick();
    const next = await run([COMMAND_LINE, 'migrate'], environment(database.url));
    expect(await next.ended).toBe(0);
    expect(await applied()).toBe(migrations.length);
  });

  it('lets a migrating server end, and the next one continues', async () => {
    await makeEndless();
    const port = await freePort();
    const env = { ...environment(database.url), PORT: String(port) };
    const server = await run([MAIN], env);
    await until(() => isRunning(/FUNCTION app_user_id_hash/));
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toEqual({ status: 'starting' });
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended).toBe(0);
    await until(async () => (await backends()).length === 0);
    await makeQuick();
    const next = await run([MAIN], env);
    await until(() => next.output().includes('Tenure is ready at'));
    expect(await applied()).toBe(migrations.length);
    process.kill(next.pid, 'SIGTERM');
    expect(await next.ended).toBe(0);
  });

  describe('with a database that accepts connections and says nothing', () => {
    let silent: Server;
    let asked: Promise<unknown>;

    beforeEach(async () => {
      silent = createServer();
      asked = once(silent, 'connection');
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });

    afterEach(() => {
      silent.close();
    });

    it.each([
      ['the server', [MAIN], 0],
      ['tenure migrate', [COMMAND_LINE, 'migrate'], 143],
      ['tenure doctor', [COMMAND_LINE, 'doctor'], 143],
    ])('%s ends', async (_name, args, status) => {
      const { port } = silent.address() as AddressInfo;
      const program = await run(args, environment(`postgres://tenure:x@127.0.0.1:${port}/tenure`));
      await asked;
      process.kill(program.pid, 'SIGTERM');
      expect(await program.ended).toBe(status);
    });
  });

  it('ends a server that builds its application', async () => {
    const port = await freePort();
    const server = await run([MAIN], { ...environment(database.url), PORT: String(port) });
    await until(async () => {
      const { rows } = await sql.query(`SELECT to_regclass('migrations') AS name`);
      return rows[0].name !== null && (await applied()) === migrations.length;
    });
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended).toBe(0);
    await until(async () => (await backends()).length === 0);
  });
});
