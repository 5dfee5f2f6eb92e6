import { type TestStore, createTestStore } from '../support/arrange-store.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { connectSql, createSqlUser, type SqlClient } from '../support/sql-access.js';
import { Buyer, type Shop } from '../support/world.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Views with a row for each customer. */
const views = ['transactions', 'customers', 'subscriptions', 'ledger'] as const;
const tables = ['report_transactions', 'report_customers', 'report_subscriptions', 'store_transactions'];

describe('a cursor of a SQL user', () => {
  let server: TestServer;
  let own: TestStore;
  let other: TestStore;
  let sql: SqlClient;
  /** Ids of customers by app user id. */
  let ids: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    own = await createTestStore(server);
    other = await createTestStore(server);
    const user = await createSqlUser(own);
    await createSqlUser(other);
    for (const [store, names] of [
      [own, ['ada', 'bob']],
      [other, ['cat', 'dan']],
    ] as const)
      for (const name of names) {
        server.clock.advanceMs(1);
        const buyer = new Buyer({ ...store, server, clock: server.clock } as Shop, name);
        expect((await buyer.buy()).status).toBe(200);
      }
    await rollUpReports(server);
    const rows = await server.dataSource.query<{ name: string; id: string }[]>(
      'SELECT app_user_id AS name, customer_id AS id FROM customer_aliases WHERE project_id = ANY ($1)',
      [[own.projectId, other.projectId]],
    );
    ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
    sql = await connectSql(user.connection_url);
  });

  afterEach(() => sql.close());

  /** Customers in the answer, by name. */
  const namesOf = (rows: { customer_id: string }[]): string[] =>
    rows
      .map(({ customer_id: id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
      .sort((a, b) => a.localeCompare(b));
  const customersIn = async (view: string): Promise<string[]> =>
    namesOf((await sql.rows(`SELECT customer_id FROM ${view}`)) as never);

  /** A customer whose rows are in the other project, as after a restore or by hand. */
  const move = async (): Promise<void> => {
    for (const table of tables)
      await server.dataSource.query(
        `UPDATE ${table} SET project_id = $1 WHERE project_id = $2 AND customer_id = $3`,
        [own.projectId, other.projectId, ids.cat],
      );
  };
  const erase = async (): Promise<void> => {
    expect((await own.backend.delete(`${own.path}/customers/ada`)).status).toBe(200);
    await rollUpReports(server);
  };
  const deleteProject = async ({ session, path }: TestStore): Promise<void> => {
    expect((await session.delete(path)).status).toBe(200);
  };

  it.each<[string, () => Promise<void>, string[]]>([
    ['a customer of another project is moved to the own one', move, ['ada', 'bob', 'cat']],
    ['a customer is erased', erase, ['bob']],
    ['the other project is deleted', () => deleteProject(other), ['ada', 'bob']],
    ['the own project is deleted', () => deleteProject(own), []],
  ])(
    'keeps the rows of its start while %s, and the next statement has the new ones',
    async (_, change, after) => {
      await sql.rows('BEGIN');
      const first: Record<string, string[]> = {};
      for (const view of views) {
        await sql.rows(`DECLARE of_${view} CURSOR FOR SELECT customer_id FROM ${view}`);
        first[view] = namesOf((await sql.rows(`FETCH 1 FROM of_${view}`)) as never);
      }
      await change();
      for (const view of views) {
        const rest = namesOf((await sql.rows(`FETCH ALL FROM of_${view}`)) as never);
        expect([view, [...(first[view] ?? []), ...rest].sort()]).toEqual([view, ['ada', 'bob']]);
        expect([view, await customersIn(view)]).toEqual([view, after]);
      }
      await sql.rows('COMMIT');
      for (const view of views) expect([view, await customersIn(view)]).toEqual([view, after]);
    },
  );

  it('shows the rows of its snapshot, as all statements of a REPEATABLE READ transaction do', async () => {
    await sql.rows('BEGIN ISOLATION LEVEL REPEATABLE READ');
    expect(await customersIn('customers')).toEqual(['ada', 'bob']);
    await move();
    await erase();
    for (const view of views) expect([view, await customersIn(view)]).toEqual([view, ['ada', 'bob']]);
    await sql.rows('COMMIT');
    for (const view of views) expect([view, await customersIn(view)]).toEqual([view, ['bob', 'cat']]);
  });
});
