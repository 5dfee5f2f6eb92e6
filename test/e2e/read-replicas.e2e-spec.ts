import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { examineReplicas } from '../../src/cli/doctor/replicas.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { ReplicasService } from '../../src/platform/database/replicas/replicas.service.js';
import { NoFreshReplica, withReplicas } from '../../src/platform/database/replicas/replication.js';
import { LogService } from '../../src/platform/observability/log.service.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestDatabase } from '../support/database/index.js';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/database/streaming-replica.js';
import { startFreezingProxy } from '../support/freezing-proxy.mjs';
import { startTestServer, type TestServer } from '../support/test-server.js';

type Query = (this: pg.Client, command: unknown, ...rest: unknown[]) => unknown;

/** Which statements a server got while `work` ran, by its port: their names, or what has none in full. */
async function statementsAt(port: number, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (command, ...rest) {
    const { name, text } = typeof command === 'string' ? { text: command } : (command as pg.QueryConfig);
    if (this.port === port) seen.push(name ?? text);
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
  });

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
    ['/metrics/overview', 'charts.key_figures'],
    ['/metrics/history?metric=revenue&days=7', 'charts.key_figures'],
    ['/customers', 'customers.page'],
    ['/customers?search=ada', 'customers.page'],
    ['/customers/ada/export', 'customer_export.find'],
    ['/events', 'events.page'],
    ['/transactions', 'transactions.page'],
    ['/audit_logs', 'audit_logs.page'],
  ])('answers GET %s', async (path, statement) => {
    const read = async () => expect((await store.backend.get(`${store.path}${path}`)).status).toBe(200);
    const names = await onReplica(read);
    expect(names.filter((name) => name.startsWith(statement))).not.toEqual([]);
    const elsewhere = await onPrimary(read);
    expect(elsewhere.filter((name) => name.startsWith(statement))).toEqual(
      // The export is recorded, and the customer is looked up for that.
      statement === 'customer_export.find' ? ['customer_export.find'] : [],
    );
  });

  it('answers no SDK request, no write and no other read', async () => {
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

  it('reaches them with query runners of TypeORM in the mode slave, and with nothing else of it', async () => {
    const { dataSource } = server;
    const question = 'SELECT pg_is_in_recovery() AS "isReplica"';
    const runner = dataSource.createQueryRunner('slave');
    try {
      expect(await runner.query(question)).toEqual([{ isReplica: true }]);
    } finally {
      await runner.release();
    }
    const seen = await onReplica(async () => {
      const projects = dataSource.getRepository(Project);
      expect(await projects.find()).toHaveLength(1);
      expect(await projects.createQueryBuilder().getMany()).toHaveLength(1);
      expect(await dataSource.query(question)).toEqual([{ isReplica: false }]);
      const transaction = dataSource.transaction((manager) => manager.getRepository(Project).count());
      expect(await transaction).toBe(1);
    });
    expect(seen).toEqual([]);
  });

  it('tolerates a primary that comes late, and closes its connections with it', async () => {
    const replicas = new ReplicasService(server.config, new LogService('silent'), new Registry());
    const connect = (url: string): Promise<DataSource> =>
      new DataSource(withReplicas(dataSourceOptions({ url, poolSize: 1 }), replicas)).initialize();
    const wrongPort = new URL(database.primary.url);
    wrongPort.port = '9';
    await expect(connect(wrongPort.href)).rejects.toThrow('ECONNREFUSED');
    const dataSource = await connect(database.primary.url);
    const [row] = await dataSource.createQueryRunner('slave').query('SELECT pg_backend_pid() AS pid');
    await dataSource.destroy();
    const isThere = async (): Promise<boolean> =>
      (await replica.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [row.pid])).rowCount === 1;
    while (await isThere()) await new Promise(setImmediate);
    // Simulates a start that failed late.
    const next = await connect(database.primary.url);
    expect(await next.createQueryRunner('slave').query('SELECT pg_is_in_recovery() AS it')).toEqual([
      { it: true },
    ]);
    await next.destroy();
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

  it('skips them while they lag for longer than the bound, and reports the lag', async () => {
    const impatient = await serverWith(database.replica.url, { SERVICE_DATABASE_REPLICA_WAIT_MS: '500' });
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
      // A replica that lags is skipped for a moment, so the next request does not wait.
      await client.get(`${store.path}/customers`);
      expect(await readsBy(impatient)).toEqual({ replica: 0, behind: 2, down: 0 });
      expect(await metricsOf(impatient)).toMatch(/^tenure_replica_lag_seconds\{replica="1"\} [\d.e-]+$/m);
    } finally {
      await replica.query('SELECT pg_wal_replay_resume()');
      await impatient.close();
    }
  });

  it('reports the age of its data if it no longer reaches the primary', async () => {
    const lag = async (): Promise<number> =>
      Number(/^tenure_replica_lag_seconds\{replica="1"\} (\S+)$/m.exec(await metricsOf(server))?.[1]);
    const receivers = async (): Promise<number> =>
      (await replica.query('SELECT 1 FROM pg_stat_wal_receiver')).rowCount ?? 0;
    const followFrom = async (address: string, expected: number): Promise<void> => {
      await replica.query(`ALTER SYSTEM SET primary_conninfo = ${replica.escapeLiteral(address)}`);
      await replica.query('SELECT pg_reload_conf()');
      while ((await receivers()) !== expected) await new Promise(setImmediate);
    };
    const { rows } = await replica.query<{ primary_conninfo: string }>('SHOW primary_conninfo');
    await followFrom('', 0);
    expect(await lag()).toBeGreaterThan(0);
    await followFrom(rows[0]?.primary_conninfo ?? '', 1);
    expect(await onReplica(() => store.backend.get(`${store.path}/customers?search=ada`))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^customers\.page/)]),
    );
    while ((await lag()) !== 0) await new Promise(setImmediate);
  });

  describe('as doctor sees them', () => {
    const configWith = (env: NodeJS.ProcessEnv) =>
      loadConfig({
        DATABASE_URL: database.primary.url,
        SERVICE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        ...env,
      });
    const findings = async (
      urls: string,
      { primary = server.dataSource, waitMs = 20 } = {},
    ): Promise<string[]> => {
      const config = configWith({
        SERVICE_DATABASE_REPLICA_URLS: urls,
        SERVICE_DATABASE_REPLICA_WAIT_MS: String(waitMs),
      });
      return (await examineReplicas(primary, config)).map(({ level, text }) => `${level}: ${text}`);
    };
    const name = (index: number, url: string): string => `Replica ${index} (${new URL(url).host})`;

    it('reports everything and the same schema, each by its place and without its password', async () => {
      const { url } = database.replica;
      expect(await findings(`${url},${url}`, { waitMs: 10_000 })).toEqual(
        [1, 2].flatMap((index) => [
          `ok: ${name(index, url)} has everything that is committed`,
          `ok: ${name(index, url)} has the same schema`,
        ]),
      );
    });

    it('reports what they have not replayed', async () => {
      const { url } = database.replica;
      await replica.query('SELECT pg_wal_replay_pause()');
      try {
        await server.dataSource.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`);
        expect(await findings(url)).toEqual([
          expect.stringMatching(
            /^warning: Replica 1 \(.*\) is [1-9]\d* KB of the log behind .* within 20 ms: the primary/,
          ),
          `warning: ${name(1, url)} has not replayed: Later1`,
        ]);
      } finally {
        await server.dataSource.query(`DELETE FROM migrations WHERE name = 'Later1'`);
        await replica.query('SELECT pg_wal_replay_resume()');
      }
    });

    it('reports those not in recovery, of another server or database, or unreachable', async () => {
      const { url } = database.replica;
      expect(await findings(database.primary.url)).toEqual([
        `failure: ${name(1, database.primary.url)} is not a replica (it is not in recovery) and is not used`,
      ]);
      const strange = await createTestDatabase();
      const stranger = await new DataSource(
        dataSourceOptions({ url: strange.url, poolSize: 1 }),
      ).initialize();
      expect(await findings(url, { primary: stranger })).toEqual([
        `failure: ${name(1, url)} is a replica of another server and is not used`,
      ]);
      await stranger.destroy();
      await strange.drop();
      const elsewhere = new URL(url);
      elsewhere.pathname = '/template1';
      expect(await findings(elsewhere.href)).toEqual([
        `failure: ${name(1, url)} is asked for another database, template1, and is not used`,
      ]);
      const wrongPort = new URL(url);
      wrongPort.port = '9';
      const [unreachable = ''] = await findings(wrongPort.href);
      expect(unreachable).toMatch(/^failure: Replica 1 \(.*:9\) cannot be used: .*ECONNREFUSED/);
      expect(unreachable).not.toContain(wrongPort.password);
    });

    it('reports nothing if there are none', async () => {
      expect(await examineReplicas(server.dataSource, configWith({}))).toEqual([]);
    });
  });

  it('ignores another server, or the primary', async () => {
    const wrong = await serverWith(database.primary.url);
    try {
      const client = wrong.http.withKey(key);
      expect((await client.get(`${store.path}/customers?search=ada`)).body.items).toHaveLength(1);
      expect(await readsBy(wrong)).toEqual({ replica: 0, behind: 0, down: 1 });
      await expect(wrong.dataSource.createQueryRunner('slave').connect()).rejects.toThrow(NoFreshReplica);
    } finally {
      await wrong.close();
    }
  });

  it('tolerates a stop and return, even while a server starts', async () => {
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

  it('tolerates silence, at once or half-way: the primary answers, and the process ends when asked to', async () => {
    const proxy = await startFreezingProxy(database.replica.port);
    const url = new URL(database.replica.url);
    url.port = String(proxy.port);
    const silent = await serverWith(url.toString(), {
      SERVICE_DATABASE_REPLICA_WAIT_MS: '4000',
      SERVICE_DATABASE_TIMEOUT_MS: '2000',
      SERVICE_DATABASE_REPORT_TIMEOUT_MS: '2000',
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

  it('tolerates an interrupted read: the primary answers it', async () => {
    const before = await readsBy(server);
    const prototype = pg.Client.prototype as unknown as { query: Query };
    const original = prototype.query;
    let broken = 0;
    prototype.query = function (command, ...rest) {
      const isRead = (command as { name?: string }).name === 'metrics.new_customers';
      if (this.port !== database.replica.port || !isRead) return original.call(this, command, ...rest);
      broken++;
      // Simulates the replica's error when its replay conflicts with a read.
      const conflict = `DO $$ BEGIN RAISE EXCEPTION 'conflict with recovery' USING ERRCODE = '40001'; END $$`;
      return original.call(this, conflict);
    };
    try {
      expect((await store.backend.get(`${store.path}/metrics/overview`)).status).toBe(200);
    } finally {
      prototype.query = original;
    }
    expect(broken).toBe(1);
    // The connection went with what was open on it: the replica has another one for the next read.
    expect((await store.backend.get(`${store.path}/customers?search=ada`)).body.items).toHaveLength(1);
    const { replica: answered = 0, down = 0 } = before;
    expect(await readsBy(server)).toMatchObject({ replica: answered + 2, down: down + 1 });
  });
});
