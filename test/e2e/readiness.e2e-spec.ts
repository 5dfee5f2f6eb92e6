import { ReadinessService } from '../../src/platform/observability/readiness.service.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createOnSmallDisk, type SmallDisk } from '../support/database/full-disk.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { createLimitedRole } from '../support/database/limited-role.js';
import { startReplicatedDatabase } from '../support/database/streaming-replica.js';
import { type FreezingProxy, startFreezingProxy } from '../support/freezing-proxy.mjs';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Longer than any two examinations are apart. */
const EXAMINED_AGAIN_MS = 60_000;

const readyOf = async ({ http }: TestServer) => {
  const { status, body } = await http.get('/readyz');
  return [status, body.unable];
};

async function gauges({ baseUrl }: TestServer) {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const valueOf = (sample: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? null : Number(line.slice(sample.length));
  };
  return {
    ready: valueOf('tenure_ready'),
    reachable: valueOf('tenure_database_reachable'),
    writes: valueOf('tenure_unable{what="writes"}'),
    subscriptions: valueOf('tenure_unable{what="table",table="subscriptions"}'),
  };
}

const well = { ready: 1, reachable: 1, writes: 0, subscriptions: 0 };

describe('readiness without the database', () => {
  let database: TestDatabase;
  let proxy: FreezingProxy;
  let server: TestServer;

  beforeEach(async () => {
    database = await createTestDatabase();
    const settings = databaseSettings(database.url);
    const url = new URL(settings.DATABASE_URL ?? '');
    proxy = await startFreezingProxy(Number(url.port), url.hostname);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    server = await startTestServer({
      databaseUrl: database.url,
      env: { ...settings, DATABASE_URL: url.toString(), SERVICE_DATABASE_TIMEOUT_MS: '1000' },
    });
  });

  afterEach(async () => {
    await server.close();
    proxy.close();
    await database.drop();
  });

  it('shows as 0 in metrics that answer all the same, while it is silent and while it is gone', async () => {
    expect(await gauges(server)).toEqual(well);
    proxy.silence();
    expect(await gauges(server)).toMatchObject({ ready: 0, reachable: 0 });
    proxy.speak();
    for (;;) if ((await server.http.get('/readyz')).status === 200) break;
    expect(await gauges(server)).toEqual(well);
    proxy.close();
    expect(await gauges(server)).toMatchObject({ ready: 0, reachable: 0 });
    expect((await server.http.get('/readyz')).status).toBe(503);
  });

  it('shows as 0 for a process that is about to stop, whose database is well', async () => {
    server.app.get(ReadinessService).leave();
    expect(await gauges(server)).toEqual({ ...well, ready: 0 });
  });
});

describe('what the database refuses', () => {
  let database: TestDatabase;
  let role: Awaited<ReturnType<typeof createLimitedRole>>;
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    database = await createTestDatabase();
    role = await createLimitedRole(database);
    server = await startTestServer({
      databaseUrl: role.url,
      env: { DATABASE_URL: role.url, SERVICE_DATABASE_DIRECT_URL: undefined },
    });
    store = await createTestStore(server);
    expect((await buy('ada')).status).toBe(200);
  });

  afterAll(async () => {
    await server.close();
    await role.drop();
    await database.drop();
  });

  const buy = (customer: string) => store.sdk.post('/v1/receipts', testReceipt(customer));
  const read = async (customer: string) =>
    (await store.sdk.get(`/v1/subscribers/${customer}`)).body.subscriber?.entitlements;

  it('lists nothing for a role with the privileges that it needs', async () => {
    expect(await readyOf(server)).toEqual([200, []]);
    expect(await gauges(server)).toEqual(well);
  });

  it('lists a table that the role may not write, at once after a statement was refused, until it may', async () => {
    await role.sql(`REVOKE INSERT ON subscriptions FROM ${role.name}`);
    expect((await buy('bob')).status).toBe(500);
    const unable = [{ what: 'table', table: 'subscriptions', reason: 'may_not_write' }];
    expect(await readyOf(server)).toEqual([200, unable]);
    expect(await gauges(server)).toEqual({ ...well, subscriptions: 1 });
    await role.sql(`GRANT INSERT ON subscriptions TO ${role.name}`);
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    expect(await readyOf(server)).toEqual([200, []]);
    expect(await gauges(server)).toEqual(well);
  });

  it('lists a table that the role may not read, found without a request', async () => {
    await role.sql(`REVOKE SELECT ON subscriptions FROM ${role.name}`);
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    const unable = [{ what: 'table', table: 'subscriptions', reason: 'may_not_read' }];
    expect(await readyOf(server)).toEqual([200, unable]);
    await role.sql(`GRANT SELECT ON subscriptions TO ${role.name}`);
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    expect(await readyOf(server)).toEqual([200, []]);
  });

  it('lists every write while transactions are read-only, which leaves reads', async () => {
    const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role.name}'`;
    await role.sql(`ALTER ROLE ${role.name} SET default_transaction_read_only = on`);
    await role.sql(reconnect);
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    for (;;) if ((await server.http.get('/readyz')).status === 200) break;
    expect(await readyOf(server)).toEqual([200, [{ what: 'writes', reason: 'read_only' }]]);
    expect(await gauges(server)).toEqual({ ...well, writes: 1 });
    expect((await buy('cleo')).status).toBe(503);
    expect(Object.keys(await read('ada'))).toEqual(['pro']);
    await role.sql(`ALTER ROLE ${role.name} RESET default_transaction_read_only`);
    await role.sql(reconnect);
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    for (;;) if ((await server.http.get('/readyz')).status === 200) break;
    expect(await readyOf(server)).toEqual([200, []]);
    expect((await buy('cleo')).status).toBe(200);
  });
});

describe('a database that is a read replica', () => {
  it('takes no writes, which readiness names', async () => {
    const replicated = await startReplicatedDatabase();
    const { url } = replicated.replica;
    const env = { DATABASE_URL: url, SERVICE_DATABASE_DIRECT_URL: undefined };
    const server = await startTestServer({ databaseUrl: url, env });
    expect(await readyOf(server)).toEqual([200, [{ what: 'writes', reason: 'replica' }]]);
    expect(await gauges(server)).toEqual({ ...well, writes: 1 });
    await server.close();
    await replicated.stop();
  });
});

describe('a full disk', () => {
  let disk: SmallDisk | null;

  beforeAll(async () => {
    disk = await createOnSmallDisk();
  });

  afterAll(() => disk?.drop());

  it('takes writes away, which readiness names, and no reads; with room again all is well', async () => {
    if (disk === null) {
      process.stderr.write('skipped: a full disk (this user may not mount a file system)\n');
      return;
    }
    const server = await startTestServer({
      databaseUrl: disk.url,
      env: { DATABASE_URL: disk.url, SERVICE_DATABASE_DIRECT_URL: undefined },
    });
    const store = await createTestStore(server);
    const buy = (customer: string) => store.sdk.post('/v1/receipts', testReceipt(customer));
    expect((await buy('ada')).status).toBe(200);
    expect(await readyOf(server)).toEqual([200, []]);
    await disk.fill();
    // Writes succeed until the existing pages are full.
    for (let count = 0; (await buy(`buyer-${count}`)).status === 200; count++);
    expect(await readyOf(server)).toEqual([200, [{ what: 'writes', reason: 'disk_full' }]]);
    expect(await gauges(server)).toEqual({ ...well, writes: 1 });
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    expect(await readyOf(server)).toEqual([200, [{ what: 'writes', reason: 'disk_full' }]]);
    const { body } = await store.sdk.get('/v1/subscribers/ada');
    expect(Object.keys(body.subscriber.entitlements)).toEqual(['pro']);
    await disk.free();
    server.clock.advanceMs(EXAMINED_AGAIN_MS);
    expect(await readyOf(server)).toEqual([200, []]);
    expect((await buy('bob')).status).toBe(200);
    expect(await gauges(server)).toEqual(well);
    await server.close();
  });
});
