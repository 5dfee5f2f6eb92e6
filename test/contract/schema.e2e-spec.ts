import { DatabaseService } from '../../src/platform/database/database.service.js';
import { expectedIndexes } from '../../src/platform/database/schema/expected-indexes.js';
import { definitionsOf, indexesOf } from '../../src/platform/database/schema/schema-indexes.js';
import { partitionedTables } from '../../src/platform/partitions/partitioned-tables.js';
import { deletionOrder, type ProjectTable } from '../../src/workspace/projects/purge/project-tables.js';
import { projectTables } from '../../src/workspace/projects/purge/project-tables.sql.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Columns that name the tenant: a project or an organization; `tenant_id` where it is not always a project. */
const tenants = ['project_id', 'tenant_id', 'org_id'];

/** Keys that do not begin with the tenant, and why. Everything else must, so that data can be sharded by it. */
const exceptions: Record<string, string> = {
  projects: 'the tenant itself',
  users: 'a person is a tenant of their own: people belong to several projects',
  sessions: 'found by the hash of its token, before anybody is known; belongs to a person',
  known_devices: 'of a person, like a session',
  login_attempts: 'found by the hash of its token, like a session',
  recovery_codes: 'of a person, like a session',
  account_links: 'found by the hash of its token, before anybody is known; belongs to a person',
  project_members_by_user:
    "leads from a person to their projects; the table's own key begins with the project",
  credential_routes: 'leads from the hash of a key to its project',
  invite_routes: 'leads from the hash of the token in a link to the invite, and its project',
  oauth_clients: 'programs, which have no owner until a user authorizes one',
  oauth_grants_by_user: 'leads from a person to their grants',
  oauth_grants_by_expiry: 'finds what a clean-up deletes, in any project',
  oauth_grant_routes: 'leads from the hash of a code or a token to the grant, and its project',
  oauth_repeated_access_tokens: 'leads from the hash of a token to the grant, and its project',
  organizations: 'the tenant itself',
  organization_members_by_user: 'leads from a person to their organizations',
  sso_connections_by_id:
    'leads from the id of a connection, as addresses of sign-in name it, to its organization',
  sso_domains_verified:
    'leads from a domain to the organization that has proven it; of one organization at most',
  sso_login_states_by_expiry: 'finds what a clean-up deletes, in any project',
  sso_seen_assertions_by_expiry: 'finds what a clean-up deletes, in any project',
  scim_tokens_by_hash: 'leads from the hash of a token to its organization',
  redemption_link_routes: 'leads from the hash of the token in a link to the link, and its project',
  listed_customers_by_tag: 'each tag begins with the project',
  erased_purchases_by_time: 'finds what a clean-up deletes, in any project',
  redemption_links_by_expiry: 'finds what a clean-up deletes, in any project',
  shared_store_budgets: 'a store that limits calls by address: one for all projects of the server',
  exchange_rates: 'the world has one set of exchange rates, the same for every project',
  exchange_rate_feeds: 'when those rates are fetched next',
  idempotency_keys_by_expiry: 'finds what a clean-up deletes, in any project',
  mails_due: 'finds what the job sends next, in any project',
  mails_by_age: 'finds what a clean-up deletes, in any project',
  retention_requests_by_age: 'finds what a clean-up deletes, in any project',
  retention_requests_due: 'finds what the job looks at next, in any project',
  customer_sessions_by_expiry: 'finds what a clean-up deletes, in any project',
  replaced_customer_tokens_by_issue: 'finds what a clean-up deletes, in any project',
  replaced_oauth_tokens_by_issue: 'finds what a clean-up deletes, in any project',
  revoked_access_tokens_by_expiry: 'finds what a clean-up deletes, in any project',
  public_key_owners:
    'leads from the hash of a public key to the project that used it, and outlives that project',
  app_routes: 'leads from the id of an app, as store notifications name it, to its project',
  sql_users: 'leads from a role of PostgreSQL to its project',
  sql_role_drops: 'roles of PostgreSQL, which belong to no project any more',
  sql_session_ends: 'sessions of roles, some of which belong to no project',
  notification_listeners: 'the processes of the server, which listen to the stores of every project',
  migrations: "the migration tool's own",
};

interface KeyRow {
  table: string;
  name: string;
  kind: string;
  columns: string[];
}

describe('the database schema', () => {
  let server: TestServer;
  let keys: KeyRow[];

  beforeAll(async () => {
    server = await startTestServer();
    keys = await server.dataSource.query(`
      SELECT c.relname AS "table", i.relname AS name,
        CASE WHEN x.indisprimary THEN 'primary' WHEN x.indisunique THEN 'unique' ELSE 'index' END AS kind,
        (SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(x.indkey::int[]) WITH ORDINALITY k(number, place)
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number) AS columns
      FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT c.relname, f.conname, 'foreign',
        (SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(f.conkey) WITH ORDINALITY k(number, place)
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number)
      FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid WHERE f.contype = 'f'
        AND c.relnamespace = 'public'::regnamespace`);
  });

  afterAll(() => server.close());

  it('has the tenant first in every key, unique constraint, foreign key and index', () => {
    const wrong = keys.filter(
      ({ table, name, kind, columns }) =>
        !tenants.includes(columns[0] ?? '') &&
        !(table in exceptions) &&
        !(name in exceptions) &&
        !(kind === 'foreign' && columns[0] === 'user_id'),
    );
    expect(wrong).toEqual([]);
    expect(keys.length).toBeGreaterThan(40);
  });

  it('has no exception that is not needed any more', () => {
    const names = new Set(keys.flatMap(({ table, name }) => [table, name]));
    expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
  });

  it('has a primary key on every table, and time in the keys of what is only ever added', () => {
    const primary = new Map(
      keys.filter(({ kind }) => kind === 'primary').map(({ table, columns }) => [table, columns]),
    );
    const tables = new Set(keys.map(({ table }) => table));
    expect([...tables].filter((table) => !primary.has(table))).toEqual([]);
    expect(primary.get('events')).toContain('created_at');
    expect(primary.get('store_transactions')).toContain('recorded_at');
    expect(primary.get('webhook_deliveries')).toContain('created_at');
    expect(primary.get('webhook_attempts')).toContain('attempted_at');
    expect(primary.get('audit_logs')).toContain('occurred_at');
    expect(primary.get('organization_audit_logs')).toContain('occurred_at');
    expect(primary.get('store_notifications')).toContain('received_at');
  });

  it('matches the partitions that maintenance knows, each table by its time', async () => {
    const parents = await server.dataSource.query<{ name: string; column: string }[]>(
      `SELECT c.relname AS name, a.attname AS "column" FROM pg_partitioned_table p
       JOIN pg_class c ON c.oid = p.partrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (p.partattrs::int2[])`,
    );
    const known = partitionedTables.map(({ name, column }) => ({ name, column }));
    expect(parents).toEqual(expect.arrayContaining(known));
    expect(parents).toHaveLength(known.length);
  });

  it('tells the deletion of projects about every table of theirs, children before parents', async () => {
    const executor = server.app.get(DatabaseService);
    const order = deletionOrder(await executor.query<ProjectTable>(projectTables, []));
    const tables = await server.dataSource.query<{ name: string }[]>(
      `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND a.attname = 'project_id'`,
    );
    expect([...order].sort()).toEqual(tables.map(({ name }) => name).sort());
    const pairs = await server.dataSource.query<{ child: string; parent: string }[]>(
      `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
       WHERE contype = 'f' AND conrelid <> confrelid`,
    );
    const inner = pairs.filter(({ child, parent }) => order.includes(child) && order.includes(parent));
    expect(inner.length).toBeGreaterThan(5);
    const wrong = inner.filter(({ child, parent }) => order.indexOf(child) > order.indexOf(parent));
    expect(wrong).toEqual([]);
  });

  it('finds the rows of a project in each of those tables by an index', () => {
    const tables = new Set(
      keys.filter(({ columns }) => columns.includes('project_id')).map(({ table }) => table),
    );
    const indexed = new Set(
      keys
        .filter(({ kind, columns }) => kind !== 'foreign' && columns[0] === 'project_id')
        .map(({ table }) => table),
    );
    expect([...tables].filter((table) => !indexed.has(table))).toEqual([]);
  });

  it('makes the indexes that `tenure doctor` expects (if not: npm run schema:indexes)', async () => {
    expect(definitionsOf(await indexesOf(server.dataSource))).toEqual(expectedIndexes);
  });

  it('migrates once: a second run has nothing to do', async () => {
    const { runMigrations } = await import('../../src/platform/database/schema/migrate.js');
    expect(await Promise.all([runMigrations(server.databaseUrl), runMigrations(server.databaseUrl)])).toEqual(
      [[], []],
    );
  });
});
