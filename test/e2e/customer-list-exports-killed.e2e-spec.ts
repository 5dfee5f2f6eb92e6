import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createSecretKey, signUp } from '../support/arrange.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const CUSTOMERS = 30_000;
const POLL_MS = 20;

describe('a server that is killed while it writes an export of customers', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const start = (): Promise<ServerProcess> => {
    const settings = databaseSettings(database.url);
    return startServerProcess(settings.DATABASE_URL ?? '', {
      ...settings,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
    });
  };

  const addCustomers = async (projectId: string): Promise<void> => {
    const of = `FROM generate_series(1, ${CUSTOMERS}) n`;
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       SELECT $1, 'cust' || n, 'user-' || n, now(), now() ${of}`,
      [projectId],
    );
    await client.query(
      `INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, tags)
       SELECT $1, 'cust' || n, now(), now(), '{}' ${of} ON CONFLICT DO NOTHING`,
      [projectId],
    );
    await client.query('DELETE FROM listed_customer_changes WHERE project_id = $1', [projectId]);
    await client.query('COMMIT');
  };

  const until = async (sql: string, values: unknown[]): Promise<void> => {
    while ((await client.query(sql, values)).rows.length === 0) await pause(POLL_MS);
  };

  it('leaves the rest to another process, which writes every customer once', async () => {
    const killed = await start();
    const { session, projectId } = await signUp(killed);
    const { key, client: backend } = await createSecretKey(session, projectId);
    await addCustomers(projectId);
    const path = `/v2/projects/${projectId}/customer_list_exports`;
    const { body } = await backend.post(path, { filters: {} });
    const values = [projectId, body.id];
    await until(
      'SELECT 1 FROM customer_list_exports WHERE project_id = $1 AND id = $2 AND pieces > 1',
      values,
    );
    // Holds the next piece back until the process is dead.
    await client.query('BEGIN');
    const held = await client.query(
      'SELECT state FROM customer_list_exports WHERE project_id = $1 AND id = $2 FOR UPDATE',
      values,
    );
    process.kill(killed.pid, 'SIGKILL');
    await killed.stop();
    await client.query('COMMIT');
    expect(held.rows).toEqual([{ state: 'running' }]);

    const other = await start();
    // Makes it due.
    await client.query(`UPDATE customer_list_exports SET lease_until = now() - interval '1 second'`);
    await until(
      `SELECT 1 FROM customer_list_exports WHERE project_id = $1 AND id = $2 AND state = 'ready'`,
      values,
    );
    const { text } = await other.http.withKey(key).get(`${path}/${body.id}/file`);
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]);
    expect([ids.length, new Set(ids).size]).toEqual([CUSTOMERS, CUSTOMERS]);
    const { rows } = await client.query('SELECT written_rows, total_rows FROM customer_list_exports');
    expect(rows).toEqual([{ written_rows: CUSTOMERS, total_rows: CUSTOMERS }]);
    expect(await other.stop()).toBe(0);
  });
});
