import pg from 'pg';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/database/streaming-replica.js';
import { startFreezingProxy } from '../support/freezing-proxy.mjs';
import { startTestServer, type TestServer } from '../support/test-server.js';

type Query = (this: pg.Client, command: unknown, ...rest: unknown[]) => unknown;

/** Which statements a server got while `work` ran, by its port. */
async function statementsAt(port: number, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (command, ...rest) {
    const { name } = command as { name?: string };
    if (this.port === port && name !== undefined) seen.push(name);
    return original.call(this, command, ...rest);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return seen;
}

describe('read replicas', () => {
  let database: ReplicatedDatabase;
  let server: TestServer;
  let store: TestStore;
  /** A secret key, for other servers. */
  let key: string;
  let replica: pg.Client;

  beforeAll(async () => {
    database = await startReplicatedDatabase();
    server = await serverWith(database.replica.url);
    store = await createTestStore(server);
    ({ key } = await createSecretKey(store.session, store.projectId));
    await buy('ada');
    replica = await connectReplica();
  }, 60_000);

  afterAll(async () => {
    await replica.end();
    await server.close();
    await database.stop();
  });

  /** The bound is far beyond what a replica on the same machine needs, unless a test stops it. */
  function serverWith(replicas: string, env: NodeJS.ProcessEnv = {}): Promise<TestServer> {
    return startTestServer({
      databaseUrl: database.primary.url,
      env: {
        DATABASE_URL: database.primary.url,
        SERVICE_DATABASE_REPLICA_URLS: replicas,
        SERVICE_DATABASE_REPLICA_WAIT_MS: '10000',
        SERVICE_DATABASE_NAMED_STATEMENTS: 'true',
        SERVICE_ROLE: 'api',
        ...env,
      },
    });
  }

  async function connectReplica(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.replica.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  const buy = (appUserId: string) =>
    store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      fetch_token: `test_${server.clock.nowMs()}_${appUserId}`,
      product_id: 'pro_monthly',
    });

  const onReplica = (work: () => Promise<unknown>) => statementsAt(database.replica.port, work);
  const onPrimary = (work: () => Promise<unknown>) => statementsAt(database.primary.port, work);

  const metricsOf = async ({ baseUrl }: TestServer): Promise<string> =>
    (await fetch(`${baseUrl}/metrics`)).text();

  async function readsBy(one: TestServer): Promise<Record<string, number>> {
    const lines = (await metricsOf(one)).matchAll(/^tenure_replica_reads_total\{result="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, result, count]) => [result, Number(count)]));
  }

  it.each([
    ['/metrics/overview', 'metrics.buckets'],
    ['/metrics/history?metric=revenue&days=7', 'metrics.buckets'],
    ['/customers', 'customers.page'],
    ['/customers?search=ada', 'customers.page'],
    ['/customers/ada/export', 'customer_export.find'],
    ['/events', 'events.page'],
    ['/transactions', 'transactions.page'],
    ['/audit_logs', 'audit_logs.page'],
  ])('answer GET %s', async (path, statement) => {
    const read = async () => expect((await store.backend.get(`${store.path}${path}`)).status).toBe(200);
    const names = await onReplica(read);
    expect(names.filter((name) => name.startsWith(statement))).not.toEqual([]);
    const elsewhere = await onPrimary(read);
    expect(elsewhere.filter((name) => name.startsWith(statement))).toEqual(
      // That somebody exported is written, and the customer is looked up for that.
      statement === 'customer_export.find' ? ['customer_export.find'] : [],
    );
  });

  it('answer nothing of the SDKs, no write and no other read', async () => {
    const seen = await onReplica(async () => {
      await buy('grace');
      await store.sdk.get('/v1/subscribers/grace');
      await store.sdk.get('/v1/subscribers/grace/offerings');
      await store.backend.get(`${store.path}/customers/grace`);
      await store.backend.get(`${store.path}/customers/grace/subscriptions`);
      await store.backend.get(`${store.path}/products`);
      await store.backend.post(`${store.path}/products/${store.products.coins.id}`, { display_name: 'Gold' });
      await store.backend.post(`${store.path}/customers`, { id: 'written' });
    });
    expect(seen).toEqual([]);
  });

  it('never hide what was written just before, by whatever server', async () => {
    const other = await serverWith(database.replica.url);
    const elsewhere = other.http.withKey(key);
    try {
      for (let n = 0; n < 25; n++) {
        const id = `just-${n}`;
        await store.backend.post(`${store.path}/customers`, { id });
        for (const client of [store.backend, elsewhere]) {
          const { body } = await client.get(`${store.path}/customers?search=${id}`);
          expect(body.items.map((item: Json) => item.id)).toEqual([id]);
        }
      }
      expect(await readsBy(other)).toEqual({ replica: 25, behind: 0, down: 0 });
    } finally {
      await other.close();
    }
  });

  it('are passed over while they are behind for longer than the bound, and tell how far', async () => {
    const impatient = await serverWith(database.replica.url, { SERVICE_DATABASE_REPLICA_WAIT_MS: '20' });
    const client = impatient.http.withKey(key);
    try {
      await replica.query('SELECT pg_wal_replay_pause()');
      await store.backend.post(`${store.path}/customers`, { id: 'behind' });
      const names = await onPrimary(async () => {
        const { body } = await client.get(`${store.path}/customers?search=behind`);
        expect(body.items.map((item: Json) => item.id)).toEqual(['behind']);
      });
      expect(names.some((name) => name.startsWith('customers.page'))).toBe(true);
      expect(await readsBy(impatient)).toEqual({ replica: 0, behind: 1, down: 0 });
      // What is behind is left alone for a moment: the next request does not wait.
      await client.get(`${store.path}/customers`);
      expect(await readsBy(impatient)).toEqual({ replica: 0, behind: 2, down: 0 });
      expect(await metricsOf(impatient)).toMatch(/^tenure_replica_lag_seconds\{replica="1"\} [\d.e-]+$/m);
    } finally {
      await replica.query('SELECT pg_wal_replay_resume()');
      await impatient.close();
    }
  });

  it('may be another server, or the primary: then they are not used', async () => {
    const wrong = await serverWith(database.primary.url);
    try {
      const client = wrong.http.withKey(key);
      expect((await client.get(`${store.path}/customers?search=ada`)).body.items).toHaveLength(1);
      expect(await readsBy(wrong)).toEqual({ replica: 0, behind: 0, down: 1 });
    } finally {
      await wrong.close();
    }
  });

  it('may stop and come back, also while a server starts', async () => {
    await replica.end();
    await database.replica.stop();
    const started = await serverWith(`${database.replica.url},${database.replica.url}`);
    const now = performance.now.bind(performance);
    try {
      const client = started.http.withKey(key);
      const list = async (): Promise<void> => {
        const { status, body } = await client.get(`${store.path}/customers?search=ada`);
        expect([status, body.items.length]).toEqual([200, 1]);
      };
      await list();
      await list();
      expect((await client.get(`${store.path}/metrics/overview`)).status).toBe(200);
      expect(await readsBy(started)).toEqual({ replica: 0, behind: 0, down: 3 });
      expect(await metricsOf(started)).toContain('tenure_replica_lag_seconds{replica="2"} Nan');
      await database.restartReplica();
      performance.now = () => now() + 10_000;
      await list();
      expect(await readsBy(started)).toEqual({ replica: 1, behind: 0, down: 3 });
    } finally {
      performance.now = now;
      await started.close();
      replica = await connectReplica();
    }
  });

  it('may say nothing, at once or half-way: the primary answers, and the process ends when it is told to', async () => {
    const proxy = await startFreezingProxy(database.replica.port);
    const url = new URL(database.replica.url);
    url.port = String(proxy.port);
    const silent = await serverWith(url.toString(), {
      SERVICE_DATABASE_REPLICA_WAIT_MS: '1000',
      SERVICE_DATABASE_TIMEOUT_MS: '500',
    });
    const now = performance.now.bind(performance);
    let restedMs = 0;
    performance.now = () => now() + restedMs;
    const prototype = pg.Client.prototype as unknown as { query: Query };
    const original = prototype.query;
    try {
      const client = silent.http.withKey(key);
      const overview = async (): Promise<void> =>
        expect((await client.get(`${store.path}/metrics/overview`)).status).toBe(200);
      proxy.silence();
      await overview();
      expect(await metricsOf(silent)).toContain('tenure_replica_lag_seconds{replica="1"} Nan');
      expect(await readsBy(silent)).toEqual({ replica: 0, behind: 0, down: 1 });
      proxy.speak();
      restedMs += 10_000;
      await overview();
      expect(await readsBy(silent)).toEqual({ replica: 1, behind: 0, down: 1 });
      prototype.query = function (command, ...rest) {
        const isRead = (command as { name?: string }).name === 'metrics.new_customers';
        if (this.port === proxy.port && isRead) proxy.silence();
        return original.call(this, command, ...rest);
      };
      await overview();
      expect(await readsBy(silent)).toEqual({ replica: 2, behind: 0, down: 2 });
    } finally {
      performance.now = now;
      prototype.query = original;
      await silent.close();
      proxy.close();
    }
  });

  it('may break a read half-way: the primary answers it', async () => {
    const before = await readsBy(server);
    const prototype = pg.Client.prototype as unknown as { query: Query };
    const original = prototype.query;
    let broken = 0;
    prototype.query = function (command, ...rest) {
      const isRead = (command as { name?: string }).name === 'metrics.new_customers';
      if (this.port !== database.replica.port || !isRead) return original.call(this, command, ...rest);
      broken++;
      // As the replica says it when its replay needs what the read still looks at.
      const conflict = `DO $$ BEGIN RAISE EXCEPTION 'conflict with recovery' USING ERRCODE = '40001'; END $$`;
      return original.call(this, conflict);
    };
    try {
      expect((await store.backend.get(`${store.path}/metrics/overview`)).status).toBe(200);
    } finally {
      prototype.query = original;
    }
    expect(broken).toBe(1);
    expect((await readsBy(server)).down).toBe((before.down ?? 0) + 1);
    expect((await store.backend.get(`${store.path}/customers?search=ada`)).body.items).toHaveLength(1);
  });
});
