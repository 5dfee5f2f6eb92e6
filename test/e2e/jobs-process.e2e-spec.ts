import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const NICENESS = 7;
/** Elsewhere a niceness is not one thread's, and nobody tells whose process it is. */
const isLinux = process.platform === 'linux';

/** Until something is so; the test's own limit is the only one. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(50);
}

describe('a process of its own for the jobs', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let server: ServerProcess;
  let store: TestStore;
  let sql: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new pg.Pool({ connectionString: database.url, max: 1 });
    receiver = await startReceiver();
    server = await startServerProcess(database.url, {
      ...databaseSettings(database.url),
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_JOBS_PROCESS: 'true',
      SERVICE_JOBS_NICE: String(NICENESS),
    });
    store = await createTestStore(server);
    const integration = { name: 'events', url: receiver.url };
    await store.backend.post(`${store.path}/integrations/webhooks`, integration);
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await receiver.close();
    await sql.end();
    await database.drop();
  });

  /** The one that answers, and the one that runs the jobs. */
  const processes = (): number[] =>
    execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  const jobsProcess = (): number | undefined => processes().find((pid) => getPriority(pid) === NICENESS);
  const nicenessOfThreads = (pid: number): number[] => [
    ...new Set(readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)))),
  ];
  const buy = async (customer: string): Promise<void> => {
    const answer = await store.sdk.post('/v1/receipts', testReceipt(customer, Date.now()));
    expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
  };

  it('runs them and stands back with all its threads, while the other one answers', async () => {
    await buy('first');
    await receiver.received(1);
    expect(JSON.parse(receiver.requests[0]?.body ?? '').event).toMatchObject({
      type: 'INITIAL_PURCHASE',
      app_user_id: 'first',
    });
    expect(processes()).toHaveLength(2);
    if (!isLinux) return;
    const threads = processes().map(nicenessOfThreads);
    expect(threads.sort()).toEqual([[0], [NICENESS]]);
  });

  it('has PostgreSQL stand back with what it does for the jobs, and for them only', async () => {
    // Through a pooler connections are everybody's.
    if (!isLinux || process.env.TEST_POOLER_PORT) return;
    await buy('second');
    await receiver.received(2);
    const { rows } = await sql.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenure'`,
    );
    const priorities = new Set(rows.map(({ pid }) => getPriority(pid)));
    expect([...priorities].sort()).toEqual([0, NICENESS]);
  });

  it('is started again when it dies', async () => {
    const before = jobsProcess() as number;
    process.kill(before, 'SIGKILL');
    await until(() => jobsProcess() !== undefined && jobsProcess() !== before);
    const sent = receiver.requests.length;
    await buy('third');
    await receiver.received(sent + 1);
    expect(JSON.parse(receiver.requests[sent]?.body ?? '').event).toMatchObject({ app_user_id: 'third' });
  });
});
