import { datasets } from '../../src/exports/datasets/datasets.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { sqlViews } from '../support/sql-access.js';

/** Tables that the views read, with the reason. A SQL user has no privilege on any of them. */
const sources: Record<string, string> = {
  report_customers: 'rows of data sets, made for readers',
  report_subscriptions: 'rows of data sets, made for readers',
  report_transactions: 'rows of data sets, made for readers',
  sql_users: 'leads from the role to the project',
  events: 'the log of events is append-only, so a copy for readers would only double it',
  store_transactions: 'the ledger is append-only, so a copy for readers would only double it',
};

/** Columns of data sets with another type in a view. */
const otherTypes: Record<string, string> = { 'transactions.entitlement_identifiers': 'text[]' };

const typesOf: Record<string, string[]> = {
  text: ['text'],
  boolean: ['boolean'],
  time: ['timestamp with time zone'],
  decimal: ['numeric'],
  micros: ['bigint'],
  integer: ['integer', 'bigint'],
  json: ['jsonb'],
};

interface View {
  name: string;
  options: string[];
  definition: string;
  owner: string;
  tables: string[];
}

/** Columns keep their name, type and meaning. New ones come at the end, and `transactions` gets none. */
describe('the views of SQL users', () => {
  let server: TestServer;
  let views: View[];

  beforeAll(async () => {
    server = await startTestServer();
    views = await server.dataSource.query<View[]>(
      `SELECT c.relname AS name, c.reloptions AS options, pg_get_viewdef(c.oid) AS definition,
         pg_get_userbyid(c.relowner) AS owner,
         ARRAY(SELECT DISTINCT d.refobjid::regclass::text FROM pg_rewrite r
           JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
             AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
           WHERE r.ev_class = c.oid ORDER BY 1) AS tables
       FROM pg_class c WHERE c.relnamespace = 'tenure_v1'::regnamespace ORDER BY 1`,
    );
  });

  afterAll(() => server.close());

  const columnsOf = async (view: string): Promise<[name: string, type: string][]> => {
    const rows = await server.dataSource.query<{ name: string; type: string }[]>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = ('tenure_v1.' || $1)::regclass AND attnum > 0 ORDER BY attnum`,
      [view],
    );
    return rows.map(({ name, type }) => [name, type]);
  };

  it('has a barrier, the rights of their owner, and the project of the role on each table', () => {
    expect(views.map(({ name }) => name)).toEqual([...sqlViews].sort());
    // PostgreSQL omits the alias of the only table.
    for (const { name, options, definition, tables } of views) {
      expect([name, options]).toEqual([name, ['security_barrier=true']]);
      expect([name, tables.filter((table) => !(table in sources))]).toEqual([name, []]);
      const aliases = [
        ...definition.matchAll(/(?:FROM|JOIN) \(*(report_\w+|store_transactions|events) (\w+)/g),
      ];
      expect([name, aliases.length]).toEqual([name, tables.length - 1]);
      for (const [, table, alias] of aliases) {
        const isFiltered = new RegExp(
          `(?:${alias}\\.)?project_id = \\( SELECT u\\.project_id\\s+FROM sql_users u\\s+WHERE \\(\\(u\\.role_name = CURRENT_USER\\) AND \\(\\(u\\.expires_at IS NULL\\) OR \\(u\\.expires_at > now\\(\\)\\)\\)\\)\\)`,
        ).test(definition);
        const isJoined = new RegExp(`\\(${alias}\\.project_id = \\w+\\.project_id\\)`).test(definition);
        expect([name, table, isFiltered || isJoined]).toEqual([name, table, true]);
      }
    }
    expect(new Set(views.flatMap(({ tables }) => tables))).toEqual(new Set(Object.keys(sources)));
  });

  it('has the columns of the data sets', async () => {
    for (const { name, columns } of datasets.filter((dataset) => dataset.name !== 'deletions')) {
      const found = await columnsOf(name);
      const more = name === 'transactions' ? ['customer_id', 'app_id'] : [];
      expect([name, found.map(([column]) => column)]).toEqual([
        name,
        [...columns.map((column) => column.name), ...more],
      ]);
      const types = new Map(found);
      for (const column of columns) {
        const other = otherTypes[`${name}.${column.name}`];
        const allowed = other === undefined ? typesOf[column.type] : [other];
        expect([name, column.name, allowed]).toEqual([
          name,
          column.name,
          expect.arrayContaining([types.get(column.name)]),
        ]);
      }
    }
  });

  it('has revenue by day', async () => {
    expect(await columnsOf('daily_revenue')).toEqual([
      ['day', 'date'],
      ['environment', 'text'],
      ['store', 'text'],
      ['app_id', 'text'],
      ['product_identifier', 'text'],
      ['country', 'text'],
      ['gross_usd', 'numeric'],
      ['refunds_usd', 'numeric'],
      ['net_usd', 'numeric'],
      ['tax_usd', 'numeric'],
      ['commission_usd', 'numeric'],
      ['proceeds_usd', 'numeric'],
      ['charges', 'bigint'],
      ['refunds', 'bigint'],
    ]);
  });

  it('has no statistics on the columns of report rows, which would reveal values of other projects', async () => {
    const kept = await server.dataSource.query<{ name: string }[]>(
      `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
       WHERE attrelid = ANY ('{report_transactions,report_customers,report_subscriptions}'::regclass[])
         AND attnum > 0 AND attstattarget IS DISTINCT FROM 0 ORDER BY 1`,
    );
    expect(kept.map(({ name }) => name)).toEqual([
      'report_customers.project_id',
      'report_subscriptions.project_id',
      'report_transactions.project_id',
    ]);
  });
});
