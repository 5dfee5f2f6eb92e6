import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { startedBy, startServerProcess, type ServerProcess } from '../support/server-process.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/** Of this process, and so of those that it starts. */
const USUAL = getPriority();

/** Null when there is none any more. */
function priorityOf(pid: number): number | null {
  try {
    return getPriority(pid);
  } catch {
    return null;
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
  const jobsProcess = (): number | undefined => processes().find((pid) => (priorityOf(pid) ?? USUAL) > USUAL);

  const buy = async (customer: string): Promise<void> => {
    const answer = await store.sdk.post('/v1/receipts', testReceipt(customer, Date.now()));
    expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
  };
  const notificationOf = (customer: string): boolean =>
    receiver.requests.some(({ body }) => JSON.parse(body).event.app_user_id === customer);
  /** The test's own limit is the only one. */
  const untilEventOf = async (customer: string): Promise<void> => {
    while (!notificationOf(customer)) await once(receiver.events, 'request');
  };

  it('runs them, with a lower priority than the process that answers', async () => {
    await buy('first');
    await untilEventOf('first');
    const [first, second, ...others] = processes()
      .map(getPriority)
      .sort((a, b) => a - b);
    expect([first, Number(second) > USUAL, others]).toEqual([USUAL, true, []]);
  });

  it('appears in the metrics of the server', async () => {
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
      expect(notificationOf('third')).toBe(false);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await untilEventOf('third');
  });

  it('restarts when it dies', async () => {
    const before = jobsProcess() as number;
    process.kill(before, 'SIGKILL');
    for (let now: number | undefined = before; now === undefined || now === before; now = jobsProcess()) {
      await pause(50);
    }
    await buy('fourth');
    await untilEventOf('fourth');
  });
});
