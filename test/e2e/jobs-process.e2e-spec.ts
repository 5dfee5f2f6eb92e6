import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { STANDING_BACK_SLICE_MS } from '../../src/platform/os-scheduler/stand-back.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { startedBy, startServerProcess, type ServerProcess } from '../support/server-process.js';
import { hasTimeSlices, timeSliceMs } from '../support/time-slice.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/** What processes have that were told nothing else. */
const USUAL = getPriority();
const NICENESS = USUAL + 7;
/** Elsewhere a niceness is not one thread's, and nobody tells whose process it is. */
const isLinux = process.platform === 'linux';

/** Null when there is none any more. */
function priorityOf(pid: number): number | null {
  try {
    return getPriority(pid);
  } catch {
    return null;
  }
}

function mayChangePriority(pid: number): boolean {
  try {
    setPriority(pid, getPriority(pid));
    return true;
  } catch {
    return false;
  }
}

describe('a process of its own for the jobs', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let server: ServerProcess;
  let store: TestStore;
  let sql: pg.Pool;
  let metricsPort: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new pg.Pool({ connectionString: database.url, max: 1 });
    receiver = await startReceiver();
    metricsPort = await freePort();
    server = await startServerProcess(database.url, {
      ...databaseSettings(database.url),
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_METRICS_PORT: String(metricsPort),
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
  const processes = (): number[] => startedBy(server.pid);
  /** Undefined while it starts. */
  const jobsProcess = (): number | undefined => processes().find((pid) => priorityOf(pid) === NICENESS);
  /** What each process's threads have, the least first. */
  const ofThreads = (read: (thread: number) => number): number[][] =>
    processes()
      .map((pid) => [...new Set(readdirSync(`/proc/${pid}/task`).map((thread) => read(Number(thread))))])
      .sort(([a = 0], [b = 0]) => a - b);

  const buy = async (customer: string): Promise<void> => {
    const answer = await store.sdk.post('/v1/receipts', testReceipt(customer, Date.now()));
    expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
  };
  const toldOf = (customer: string): boolean =>
    receiver.requests.some(({ body }) => JSON.parse(body).event.app_user_id === customer);
  /** The test's own limit is the only one. */
  const untilToldOf = async (customer: string): Promise<void> => {
    while (!toldOf(customer)) await once(receiver.events, 'request');
  };

  it('runs them and stands back with all its threads', async () => {
    await buy('first');
    await untilToldOf('first');
    expect(processes()).toHaveLength(2);
    if (!isLinux) return;
    expect(ofThreads(getPriority)).toEqual([[USUAL], [NICENESS]]);
    if (!hasTimeSlices) return;
    expect(ofThreads(timeSliceMs)).toEqual([[timeSliceMs(process.pid)], [STANDING_BACK_SLICE_MS]]);
  });

  it('has PostgreSQL stand back with what it does for the jobs, and for them only', async () => {
    // Through a pooler connections are everybody's.
    if (!isLinux || process.env.TEST_POOLER_PORT) return;
    await buy('second');
    await untilToldOf('second');
    const { rows } = await sql.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenure'`,
    );
    const backends = rows.map(({ pid }) => pid).filter((pid) => priorityOf(pid) !== null);
    // Of another user, where this one may not.
    if (!backends.every(mayChangePriority)) return;
    expect([...new Set(backends.map(getPriority))].sort((a, b) => a - b)).toEqual([USUAL, NICENESS]);
  });

  it('is in the metrics of the server', async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(await answer.text()).toMatch(/^tenure_processes 2$/m);
  });

  it('leaves requests to the others, who leave the jobs to it', async () => {
    const pid = jobsProcess() as number;
    process.kill(pid, 'SIGSTOP');
    try {
      await buy('third');
      // Each on a connection of its own, which any process on the port may get.
      for (let n = 0; n < 20; n++) {
        const answer = await fetch(`${server.baseUrl}/v1/health`, { headers: { connection: 'close' } });
        expect(answer.status).toBe(200);
      }
      const { rows } = await sql.query(
        `SELECT d.status, d.attempts FROM webhook_deliveries d JOIN events e ON e.project_id = d.project_id AND e.id = d.event_id
         WHERE e.body ->> 'app_user_id' = 'third'`,
      );
      expect(rows).toEqual([{ status: 'pending', attempts: 0 }]);
      expect(toldOf('third')).toBe(false);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await untilToldOf('third');
  });

  it('is started again when it dies', async () => {
    const before = jobsProcess() as number;
    process.kill(before, 'SIGKILL');
    for (let now: number | undefined = before; now === undefined || now === before; now = jobsProcess()) {
      await pause(50);
    }
    await buy('fourth');
    await untilToldOf('fourth');
  });
});
