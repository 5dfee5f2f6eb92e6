import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { PartitionMaintenance } from '../../src/platform/partitions/partition-maintenance.js';
import { partitionedTables } from '../../src/platform/partitions/partitioned-tables.js';
import { ProjectPurge } from '../../src/workspace/projects/purge/project-purge.js';
import { WebhookDispatcher } from '../../src/webhooks/webhooks/webhook-dispatcher.js';
import { signUp } from '../support/arrange.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';
import { startReceiver, status } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;

interface PartitionRow {
  parent: string;
  name: string;
  bound: string;
  rows: number;
}

/** Every partition in the database with the number of its rows. */
async function partitionsIn(dataSource: DataSource): Promise<PartitionRow[]> {
  const found = await dataSource.query<Omit<PartitionRow, 'rows'>[]>(
    `SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' ORDER BY c.relname`,
  );
  return Promise.all(
    found.map(async (row) => {
      const [counted] = await dataSource.query<{ rows: number }[]>(
        `SELECT count(*)::int AS rows FROM ${row.name}`,
      );
      return { ...row, rows: counted?.rows ?? 0 };
    }),
  );
}

describe('the migration to monthly partitions', () => {
  const previous = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name.startsWith('PartitionBounds')),
  );

  const open = (url: string, list = migrations): Promise<DataSource> =>
    new DataSource({
      ...dataSourceOptions({ url, poolSize: 2 }),
      migrations: list,
      entities: [],
    }).initialize();

  /** A database of the schema before, with `write` done to it, migrated to this one. */
  async function migrate(
    write: (dataSource: DataSource) => Promise<unknown>,
    check: (dataSource: DataSource, url: string) => Promise<void>,
  ): Promise<void> {
    const database = await createTestDatabase({ migrated: false });
    try {
      const before = await open(database.url, previous);
      await before.runMigrations({ transaction: 'each' });
      await write(before);
      await before.destroy();
      expect(await runMigrations(database.url)).toEqual(
        migrations.slice(previous.length).map(({ name }) => name),
      );
      const after = await open(database.url);
      try {
        await check(after, database.url);
      } finally {
        await after.destroy();
      }
    } finally {
      await database.drop();
    }
  }

  /** Those that it partitions; others followed. */
  const tablesOfThen = partitionedTables.filter(({ name }) => /^(webhook|audit)_/.test(name));

  const rowsOf = async (dataSource: DataSource): Promise<unknown[]> => {
    const rows = await Promise.all(
      tablesOfThen.map(({ name, column }) =>
        dataSource.query<unknown[]>(`SELECT t.* FROM ${name} t ORDER BY t.project_id, t.${column}, t::text`),
      ),
    );
    expect(rows.every((some) => some.length > 0)).toBe(true);
    return rows;
  };

  it('keeps every row, and the server goes on with what was queued', async () => {
    const endpoint = await startReceiver();
    endpoint.answerWith(status(200));
    const old = await createTestDatabase({ migrated: false });
    try {
      const before = await open(old.url, previous);
      await before.runMigrations({ transaction: 'each' });
      // Made with a server of the present schema, then taken over: secrets are sealed as the product seals them.
      const server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
      const { session, projectId } = await signUp(server);
      const made = await session.post(`/v2/projects/${projectId}/integrations/webhooks`, {
        name: 'Backend',
        url: endpoint.url,
      });
      for (let count = 0; count < 3; count++) await recordEvent(server, projectId);
      await server.app.get(WebhookDispatcher).drain();
      server.clock.advanceMs(1);
      endpoint.answerWith(status(500));
      for (let count = 0; count < 3; count++) await recordEvent(server, projectId);
      await server.app.get(WebhookDispatcher).drain();
      const tables = ['projects', 'webhook_integrations', 'events', ...tablesOfThen.map(({ name }) => name)];
      for (const table of tables) {
        const [{ rows } = { rows: '[]' }] = await server.dataSource.query<{ rows: string }[]>(
          `SELECT json_agg(t)::text AS rows FROM ${table} t`,
        );
        await before.query(
          `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [rows],
        );
      }
      const { clock } = server;
      await server.close();
      const expected = await rowsOf(before);
      await before.destroy();
      await runMigrations(old.url);
      const after = await startTestServer({ databaseUrl: old.url, clock });
      expect(await rowsOf(after.dataSource)).toEqual(expected);
      endpoint.answerWith(status(200));
      clock.advanceMs(6 * 60_000);
      await after.app.get(WebhookDispatcher).drain();
      const delivered = (await deliveriesTo(after, made.body.id)).map((row) => [row.status, row.attempts]);
      expect(delivered).toEqual([...Array(3).fill(['delivered', 1]), ...Array(3).fill(['delivered', 2])]);
      expect(endpoint.requests).toHaveLength(9);
      await after.close();
    } finally {
      await endpoint.close();
      await old.drop();
    }
  });

  it('makes partitions of months to come whose keys and indexes are those of the table', async () => {
    await migrate(
      () => Promise.resolve(),
      async (dataSource) => {
        const partitions = await partitionsIn(dataSource);
        for (const { name } of partitionedTables) {
          const names = partitions.filter(({ parent }) => parent === name).map((partition) => partition.name);
          expect(names).toHaveLength(5);
          expect(names).toEqual(expect.arrayContaining([`${name}_first`, `${name}_default`]));
        }
        const definitions = await dataSource.query<{ table: string; keys: string[] }[]>(
          `SELECT c.relname AS "table", json_agg(regexp_replace(pg_get_indexdef(x.indexrelid), '^.* USING', '')
             ORDER BY regexp_replace(pg_get_indexdef(x.indexrelid), '^.* USING', '')) AS keys
           FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
           WHERE x.indisvalid AND x.indexrelid <> 'store_transactions_once_first'::regclass GROUP BY 1`,
        );
        const keysOf = new Map(definitions.map(({ table, keys }) => [table, keys]));
        for (const { name, parent } of partitions) expect(keysOf.get(name)).toEqual(keysOf.get(parent));
        expect(keysOf.get('webhook_deliveries')).toHaveLength(7);
        const [leftover] = await dataSource.query<unknown[]>(
          `SELECT 1 FROM pg_constraint WHERE conname LIKE '%_first_months'`,
        );
        expect(leftover).toBeUndefined();
      },
    );
  });

  it('takes rows of later months, such as a wrong clock makes, into the first partition', async () => {
    const late = new Date(Date.now() + 400 * DAY_MS);
    await migrate(
      (dataSource) =>
        dataSource.query(
          `INSERT INTO webhook_attempts (project_id, attempted_at, delivery_id, attempt, url)
           VALUES ('proj', $1, 'whd_1', 1, 'http://127.0.0.1:9/')`,
          [late],
        ),
      async (dataSource) => {
        const held = (await partitionsIn(dataSource)).filter(({ rows }) => rows > 0);
        expect(held.map(({ name }) => name)).toEqual(['webhook_attempts_first']);
      },
    );
  });

  it('that was interrupted between its two parts can be run again later, and nothing failed meanwhile', async () => {
    const database = await createTestDatabase({ migrated: false });
    try {
      const half = await open(database.url, migrations.slice(0, previous.length + 1));
      await half.runMigrations({ transaction: 'each' });
      await half.query(
        `INSERT INTO webhook_attempts (project_id, attempted_at, delivery_id, attempt, url)
         VALUES ('proj', now() + interval '7 days', 'whd_1', 1, 'http://127.0.0.1:9/')`,
      );
      await half.destroy();
      expect(await runMigrations(database.url)).toHaveLength(migrations.length - previous.length - 1);
      const after = await open(database.url);
      expect(await after.query('SELECT 1 FROM webhook_attempts')).toHaveLength(1);
      await after.destroy();
    } finally {
      await database.drop();
    }
  });
});

describe('the maintenance of partitions', () => {
  let server: TestServer;
  let projectId: string;
  /** The first moment that the first partition does not take. */
  let startMs: number;

  beforeEach(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_WEBHOOK_LOG_DAYS: '10' },
    });
    // A server looks once when it starts.
    await maintain();
    ({ projectId } = await signUp(server));
    const [{ bound } = { bound: '' }] = await server.dataSource.query<{ bound: string }[]>(
      `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(.*)''\\)') AS bound FROM pg_class
       WHERE relname = 'webhook_deliveries_first'`,
    );
    startMs = Date.parse(bound);
  });

  afterEach(() => server.close());

  const moveTo = (ms: number): void => server.clock.advanceMs(ms - server.clock.nowMs());
  const maintain = (one = server): Promise<void> => one.app.get(PartitionMaintenance).run();
  const monthName = (ms: number): string => new Date(ms).toISOString().slice(0, 7).replace('-', '_');
  const deliveryPartitions = async (): Promise<PartitionRow[]> =>
    (await partitionsIn(server.dataSource)).filter(({ parent }) => parent === 'webhook_deliveries');
  const deliver = async (ms = server.clock.nowMs(), projects = [projectId]): Promise<void> => {
    for (const project of projects) {
      await server.dataSource.query(
        `INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id,
           event_created_at, event_type, status) VALUES ($1, $2, $3, 'wh', 'e', $2, 'TEST', 'delivered')`,
        [project, new Date(ms), `whd_${ms}`],
      );
    }
  };
  const gauge = async (table: string): Promise<number> => {
    const lines = (await (await fetch(`${server.baseUrl}/metrics`)).text()).split('\n');
    const line = lines.find((text) => text.startsWith(`tenure_partition_months_ahead{table="${table}"}`));
    return Number(line?.split(' ')[1]);
  };

  it('makes the coming months, in one of all servers', async () => {
    moveTo(startMs + 2 * MONTH_MS);
    const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    await Promise.all([maintain(), maintain(replica), maintain(), maintain(replica)]);
    await maintain(replica);
    await replica.close();
    const partitions = await partitionsIn(server.dataSource);
    for (const { name } of partitionedTables) {
      const names = partitions.filter(({ parent }) => parent === name).map((partition) => partition.name);
      for (let month = 0; month <= 3; month++) {
        const ms = Date.UTC(new Date(startMs).getUTCFullYear(), new Date(startMs).getUTCMonth() + 2 + month);
        expect(names).toContain(`${name}_${monthName(ms)}`);
      }
      expect(await gauge(name)).toBe(3);
      const [statistics] = await server.dataSource.query<{ rows: number }[]>(
        `SELECT reltuples::int AS rows FROM pg_class WHERE relname = $1`,
        [name],
      );
      // -1 where nobody has counted yet.
      expect(statistics?.rows).toBeGreaterThanOrEqual(0);
    }
  });

  it('counts the rows of a month that has begun, which was empty when it was counted before', async () => {
    const keepStatistics = () => server.app.get(PartitionMaintenance).keepStatistics();
    const name = `webhook_deliveries_${monthName(startMs)}`;
    const known = async (relation: string): Promise<number | undefined> => {
      const [row] = await server.dataSource.query<{ rows: number }[]>(
        'SELECT reltuples::int AS rows FROM pg_class WHERE relname = $1',
        [relation],
      );
      return row?.rows;
    };
    await server.dataSource.query('ANALYZE webhook_deliveries');
    moveTo(startMs + DAY_MS);
    await deliver();
    expect(await known(name)).toBe(0);
    await keepStatistics();
    expect(await known(name)).toBe(1);
    // Nor is a table as a whole left out, as right after it was partitioned.
    for (const table of partitionedTables) expect(await known(table.name)).toBeGreaterThanOrEqual(0);
  });

  it('drops a month when its last row is too old, not before, and says how many months are ahead', async () => {
    moveTo(startMs + DAY_MS);
    await deliver();
    moveTo(startMs + MONTH_MS + 5 * DAY_MS);
    await deliver();
    const name = `webhook_deliveries_${monthName(startMs)}`;
    await maintain();
    expect((await deliveryPartitions()).map((row) => row.name)).toContain(name);
    moveTo(startMs + MONTH_MS + 11 * DAY_MS);
    await maintain();
    const left = await deliveryPartitions();
    expect(left.map((row) => row.name)).not.toContain(name);
    // The first partition is older than that month.
    expect(left.map((row) => row.name)).not.toContain('webhook_deliveries_first');
    expect(left.reduce((sum, { rows }) => sum + rows, 0)).toBe(1);
  });

  it('never drops the audit log', async () => {
    const count = async (): Promise<number> =>
      (await partitionsIn(server.dataSource))
        .filter(({ parent }) => parent === 'audit_logs')
        .reduce((sum, { rows }) => sum + rows, 0);
    const before = await count();
    expect(before).toBeGreaterThan(0);
    moveTo(startMs + 40 * MONTH_MS);
    await maintain();
    expect(await count()).toBe(before);
  });

  it('deletes from the first partition row by row as long as it is in use', async () => {
    moveTo(startMs - 15 * DAY_MS);
    await deliver();
    moveTo(startMs - DAY_MS);
    await deliver();
    await maintain();
    const [first] = (await deliveryPartitions()).filter(({ rows }) => rows > 0);
    expect(first).toMatchObject({ name: 'webhook_deliveries_first', rows: 1 });
  });

  it('is not needed for an insert: what has no month is kept apart, tells so, and ends in time', async () => {
    moveTo(startMs + 6 * MONTH_MS);
    expect(await gauge('webhook_deliveries')).toBe(0);
    await deliver();
    await maintain();
    const [holder] = (await deliveryPartitions()).filter(({ rows }) => rows > 0);
    expect(holder).toMatchObject({ name: 'webhook_deliveries_default', rows: 1 });
    expect(await gauge('webhook_deliveries')).toBe(3);
    moveTo(startMs + 6 * MONTH_MS + 11 * DAY_MS);
    await maintain();
    expect((await deliveryPartitions()).filter(({ rows }) => rows > 0)).toEqual([]);
  });

  it('waits for whoever uses a table without holding others up, and goes on when it is free', async () => {
    moveTo(startMs + MONTH_MS + 20 * DAY_MS);
    const reader = server.dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM webhook_deliveries');
    const done = maintain();
    const isWaiting = async (): Promise<boolean> => {
      const rows = await server.dataSource.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    while (!(await isWaiting()));
    // Behind the one that waits; its time runs out before anybody else's would.
    await deliver();
    expect((await deliveryPartitions()).map(({ name }) => name)).toContain('webhook_deliveries_first');
    await reader.commitTransaction();
    await reader.release();
    await done;
    expect((await deliveryPartitions()).map(({ name }) => name)).not.toContain('webhook_deliveries_first');
  });

  it('leaves the removal of a project complete, and other projects alone, over all partitions', async () => {
    const other = await signUp(server);
    const doomed = await signUp(server);
    for (const ms of [startMs - DAY_MS, startMs, startMs + MONTH_MS + DAY_MS, startMs + 6 * MONTH_MS]) {
      await deliver(ms, [other.projectId, doomed.projectId]);
    }
    expect((await doomed.session.delete(`/v2/projects/${doomed.projectId}`)).status).toBe(200);
    await server.app.get(ProjectPurge).drain();
    const left = await server.dataSource.query<{ project: string; rows: number }[]>(
      `SELECT project_id AS project, count(*)::int AS rows FROM webhook_deliveries GROUP BY 1`,
    );
    expect(left).toEqual([{ project: other.projectId, rows: 4 }]);
  });
});
