import { readFileSync } from 'node:fs';
import type { Json } from '../support/api-client.js';
import { runCommand } from '../support/command-line.js';
import { ReportFixture } from '../support/report-fixture.js';
import { connectSql, createSqlUser, type SqlClient } from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const document = readFileSync('docs/sql-access.md', 'utf8');

/** Queries of the document with their results. Grafana replaces its macros. */
const documented = [...document.matchAll(/```sql\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)].map(
  ([, query = '', result = null]) => ({
    query: query
      .replace(/\$__timeGroup\((\w+), '1d'\)/g, `floor(extract(epoch from $1)/86400)*86400`)
      .replace(/\$__timeFilter\((\w+)\)/g, `$1 BETWEEN '2026-01-01T00:00:00Z' AND '2026-04-01T00:00:00Z'`),
    result,
  }),
);

function asText(rows: Json[]): string {
  const [first = {}] = rows;
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(String))];
  return lines.map((line) => `${line.join(' | ')}\n`).join('');
}

/** Queries that BI tools send on their own, as PostgreSQL logged them. */
const ofTools: Record<string, string[]> = {
  Metabase: [
    `SELECT nspname FROM pg_namespace WHERE nspname <> ALL ('{information_schema,pg_catalog}')
       AND has_schema_privilege(nspname, 'USAGE')`,
    `SELECT n.nspname AS schema, c.relname AS name, CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'v' THEN 'VIEW' END AS type,
       d.description AS description, pg_stat_get_live_tuples(c.oid) AS estimated_row_count
     FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON c.relnamespace = n.oid
     LEFT JOIN pg_catalog.pg_description d ON c.oid = d.objoid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
     WHERE c.relnamespace = n.oid AND n.nspname = 'tenure_v1' AND c.relkind IN ('r', 'p', 'v', 'f', 'm')
     ORDER BY type, schema, name`,
    `SELECT c.column_name AS name, c.udt_name AS "database-type", c.ordinal_position - 1 AS "database-position",
       c.table_schema AS "table-schema", c.table_name AS "table-name"
     FROM information_schema.columns AS c
     WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' AND c.table_schema = 'tenure_v1'
     ORDER BY "table-schema", "table-name", "database-position"`,
    `SELECT TRUE AS "_" FROM "tenure_v1"."transactions" WHERE 1 <> 1 LIMIT 0`,
    `SELECT "source"."country" AS "country", COUNT(*) AS "count" FROM (
       SELECT "tenure_v1"."transactions"."country" AS "country" FROM "tenure_v1"."transactions" LIMIT 10000) AS "source"
     GROUP BY "source"."country" ORDER BY "source"."country" ASC`,
    `SELECT CAST(DATE_TRUNC('month', "tenure_v1"."transactions"."start_time") AS DATE) AS "start_time",
       SUM("tenure_v1"."transactions"."price_in_usd") AS "sum" FROM "tenure_v1"."transactions"
     GROUP BY CAST(DATE_TRUNC('month', "tenure_v1"."transactions"."start_time") AS DATE) ORDER BY 1`,
  ],
  Grafana: [
    `SELECT current_setting('server_version_num')::int / 100 AS version`,
    `SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
         FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1),
           array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
         string_to_array(current_setting('search_path'), ',') s)
       THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
     FROM information_schema.tables
     WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog', '_timescaledb_cache')
     ORDER BY 1`,
    `SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns
     WHERE quote_ident(table_schema) || '.' || quote_ident(table_name) = 'tenure_v1.transactions'`,
  ],
};

describe('queries of SQL users', () => {
  let server: TestServer;
  let fixture: ReportFixture;
  let sql: SqlClient;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_FX_PROVIDER: 'http', SERVICE_FX_URL: 'http://127.0.0.1:9/' },
    });
    fixture = await ReportFixture.create(server);
    const { backend: session, projectId } = fixture;
    const user = await createSqlUser({ session, projectId });
    // The user needs the rows.
    await fixture.rollUp();
    sql = await connectSql(user.connection_url);
  });

  afterAll(async () => {
    await sql.close();
    await server.close();
  });

  it('has five documented queries with their results', () => {
    expect(documented.filter(({ result }) => result !== null)).toHaveLength(5);
    expect(documented).toHaveLength(6);
  });

  it.each(documented)('answers as documented: $query', async ({ query, result }) => {
    const rows = await sql.rows(query);
    if (result === null) expect(rows.length).toBeGreaterThan(0);
    else expect(asText(rows)).toBe(result);
  });

  it.each(Object.entries(ofTools))('answers what %s asks', async (_, queries) => {
    for (const query of queries) expect([query, await sql.refusal(query)]).toEqual([query, null]);
    expect(await sql.rows(queries[1] ?? '')).not.toEqual([]);
  });

  it('counts the revenue of a day as the chart does', async () => {
    const found = await sql.rows(
      `SELECT day::text, sum(net_usd)::float8 AS net FROM daily_revenue WHERE environment = 'production'
       GROUP BY day HAVING sum(net_usd) <> 0 ORDER BY day`,
    );
    const query = 'resolution=day&start_date=2025-01-01&end_date=2026-03-01&currency=USD';
    const chart = await fixture.backend.get(`/v2/projects/${fixture.projectId}/charts/revenue?${query}`);
    expect(chart.status).toBe(200);
    const days = (chart.body.values as { cohort: number; measure: number; value: number }[])
      .filter(({ measure, value }) => measure === 0 && value !== 0)
      .map(({ cohort, value }) => ({ day: new Date(cohort * 1000).toISOString().slice(0, 10), net: value }));
    expect(found).toEqual(days);
  });

  it('finds transactions of a time range by an index', async () => {
    const plan = await sql.rows(
      `EXPLAIN SELECT sum(price_in_usd) FROM transactions WHERE start_time BETWEEN '2026-01-01' AND '2026-01-31'`,
    );
    expect(JSON.stringify(plan)).toContain('report_transactions');
  });

  it('appears, changes its password and disappears on the command line', async () => {
    const env = {
      DATABASE_URL: server.databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_SQL_ACCESS: 'primary',
    };
    const tenure = async (...args: string[]): Promise<string> => {
      const { status, output, errors } = await runCommand(['sql-user', ...args], env);
      expect([args, status, errors]).toEqual([args, 0, errors]);
      return output;
    };
    const { projectId } = fixture;
    const made = JSON.parse(
      await tenure('create', '--project', projectId, '--name', 'Notebook', '--expires', '90d', '--json'),
    );
    expect(made).toMatchObject({ project_id: projectId, name: 'Notebook', created_by: 'system' });
    const first = await connectSql(made.connection_url);
    expect(await first.rows('SELECT * FROM transactions')).toHaveLength(14);
    expect(await tenure('list')).toContain(`${made.id}  ${projectId}  ${made.role_name}  active  Notebook`);
    const rotated = JSON.parse(await tenure('rotate', made.id, '--json'));
    expect(await first.refusal('SELECT 1')).not.toBeNull();
    await (await connectSql(rotated.connection_url)).close();
    expect(await tenure('delete', made.id)).toBe(`Deleted ${made.id} (${made.role_name}).\n`);
    expect(await tenure('list')).not.toContain(made.id);
    const unknown = await runCommand(['sql-user', 'rotate', 'sqlu_unknown'], env);
    expect([unknown.status, unknown.errors]).toEqual([1, 'There is no SQL user sqlu_unknown\n']);
    const expiry = ['sql-user', 'create', '--project', projectId, '--name', 'a', '--expires', 'soon'];
    expect((await runCommand(expiry, env)).errors).toBe('--expires must be a number of days, such as 90d\n');
    await first.close();
  });

  it('works with the statements that are printed for an administrator', async () => {
    const env = {
      DATABASE_URL: server.databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_SQL_ACCESS: 'primary',
    };
    const args = ['sql-user', 'create', '--project', fixture.projectId, '--name', 'Printed', '--print-sql'];
    const { status, output, errors } = await runCommand(args, env);
    expect(status).toBe(0);
    const url = errors.split('\n')[1] ?? '';
    expect(output).not.toContain(new URL(url).password);
    await expect(connectSql(url)).rejects.toThrow(/password authentication failed/);
    await server.dataSource.query(output);
    const printed = await connectSql(url);
    expect(await printed.rows('SELECT * FROM transactions')).toHaveLength(14);
    await printed.close();
  });
});
