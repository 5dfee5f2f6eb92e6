import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestStore } from '../support/arrange-store.js';
import { databaseSettings } from '../support/database/index.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const REQUESTS = 200;
const EVENTS_PER_REQUEST = 50;
const CONNECTIONS = 4;
/** Answers after which one of the two servers is killed. */
const KILLED_AFTER = 150;

describe('events of SDKs at two servers, one of which is killed', () => {
  let arranger: TestServer;
  let servers: ServerProcess[];
  let client: pg.Client;

  beforeAll(async () => {
    arranger = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    const settings = databaseSettings(arranger.databaseUrl);
    const env = {
      ...settings,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'silent',
    };
    servers = await Promise.all(
      [1, 2].map(() => startServerProcess(settings.DATABASE_URL ?? arranger.databaseUrl, env)),
    );
    client = new pg.Client({ connectionString: arranger.databaseUrl });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await servers[1]?.stop();
    await arranger.close();
  });

  it('stores each once, although every request is sent three times', async () => {
    const { projectId, publicKey } = await createTestStore(arranger);
    const [doomed, survivor] = servers as [ServerProcess, ServerProcess];
    const now = Date.now();
    const bodies = Array.from({ length: REQUESTS }, (_, request) =>
      JSON.stringify({
        events: Array.from({ length: EVENTS_PER_REQUEST }, (__, n) => ({
          ...{ type: n % 2 ? 'paywall_cancel' : 'paywall_impression', id: randomUUID() },
          ...{ app_user_id: `user-${n}`, paywall_id: 'pw1', timestamp: now - request * 1_000 - n },
        })),
      }),
    );
    let answers = 0;
    let isKilled = false;
    const post = async (to: ServerProcess, body: string): Promise<number> => {
      const headers = { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' };
      const answer = await fetch(`${to.baseUrl}/v1/events`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    };
    /** Repeats a request without an answer at the other server, as a phone would. */
    const send = async (to: ServerProcess, body: string): Promise<void> => {
      const status = await post(to, body).catch(() => null);
      if (status === null) {
        expect([to, isKilled]).toEqual([doomed, true]);
        return send(survivor, body);
      }
      expect(status).toBe(200);
      answers++;
      if (answers !== KILLED_AFTER) return;
      isKilled = true;
      process.kill(doomed.pid, 'SIGKILL');
    };
    // Two connections start at each server, and every body is sent by three of the four.
    const queues = Array.from({ length: CONNECTIONS }, (_, connection) =>
      bodies.filter((__, request) => request % CONNECTIONS !== connection),
    );
    await Promise.all(
      queues.map(async (queue, connection) => {
        const own = connection % 2 ? survivor : doomed;
        for (const body of queue) await send(isKilled ? survivor : own, body);
      }),
    );
    expect([answers, isKilled]).toEqual([3 * REQUESTS, true]);

    const { rows } = await client.query(
      `SELECT count(*)::int AS events, count(DISTINCT id)::int AS ids FROM sdk_events WHERE project_id = $1`,
      [projectId],
    );
    expect(rows).toEqual([{ events: 10_000, ids: 10_000 }]);
    const views = await client.query<{ user: string; first: number; initiated: number | null }>(
      `SELECT app_user_id AS user, (extract(epoch FROM first_at) * 1000)::float8 AS first,
         (extract(epoch FROM initiated_at) * 1000)::float8 AS initiated
       FROM paywall_views WHERE project_id = $1`,
      [projectId],
    );
    const earliest = (n: number): number => now - (REQUESTS - 1) * 1_000 - n;
    const expected = Array.from({ length: EVENTS_PER_REQUEST }, (_, n) => ({
      user: `user-${n}`,
      first: earliest(n),
      initiated: n % 2 ? earliest(n) : null,
    }));
    const byUser = (a: { user: string }, b: { user: string }) => a.user.localeCompare(b.user);
    expect(views.rows.sort(byUser)).toEqual(expected.sort(byUser));
  });
});
