import type { DataSource } from 'typeorm';
import { PartitionMaintenanceJob } from '../../src/platform/partitions/partition-maintenance.job.js';
import { partitionedTables } from '../../src/platform/partitions/partitioned-tables.js';
import { ProjectPurgeJob } from '../../src/workspace/projects/purge/project-purge.job.js';
import { signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

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
  const maintain = (one = server): Promise<void> => one.app.get(PartitionMaintenanceJob).run();
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
      // -1 if it has not been counted yet.
      expect(statistics?.rows).toBeGreaterThanOrEqual(0);
    }
  });

  it('counts the rows of a month that has begun, which was empty when it was counted before', async () => {
    const keepStatistics = () => server.app.get(PartitionMaintenanceJob).keepStatistics();
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

  it('stays optional for an insert: a row without a month is stored apart, reported, and moved in time', async () => {
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

  it('waits for users of a table without delaying others, and continues when it is free', async () => {
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
    await server.app.get(ProjectPurgeJob).drain();
    const left = await server.dataSource.query<{ project: string; rows: number }[]>(
      `SELECT project_id AS project, count(*)::int AS rows FROM webhook_deliveries GROUP BY 1`,
    );
    expect(left).toEqual([{ project: other.projectId, rows: 4 }]);
  });
});
