import type { CustomerSelection } from '../../src/support/customer-list/customer-selection.policy.js';
import {
  countStatement,
  type ListScope,
  pageStatement,
  usesTags,
} from '../../src/support/customer-list/listed-customers.repository.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const CUSTOMERS = 40_000;

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** A project with many customers, most of whom are alike; others have combinations that hardly any customer has. */
describe('plans of lists of customers with filters', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    const { dataSource } = server;
    await dataSource.query(
      `INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, tags, access_until,
         spent_usd_micros, refunds)
       SELECT $1, 'cust' || n, to_timestamp($2 / 1000.0) - n * interval '1 minute',
         to_timestamp($2 / 1000.0) - n * interval '1 second',
         array_remove(ARRAY[$1 || '|platform:' || (ARRAY['ios', 'android'])[n % 2 + 1],
           $1 || '|country:' || (ARRAY['US', 'DE', 'FR', 'JP'])[n % 4 + 1],
           $1 || '|version:' || (CASE WHEN n % 5000 = 0 THEN '0.1' ELSE '2.0' END),
           CASE n % 20 WHEN 0 THEN $1 || '|live' ELSE $1 || '|never_bought' END,
           CASE n % 20 WHEN 0 THEN $1 || '|subscribed' END, CASE n % 20 WHEN 0 THEN $1 || '|store:app_store' END], NULL),
         CASE n % 20 WHEN 0 THEN to_timestamp($2 / 1000.0) + (n % 40 - 10) * interval '1 day' END,
         CASE n % 20 WHEN 0 THEN n * 1000 ELSE 0 END, CASE n % 4000 WHEN 0 THEN 1 ELSE 0 END
       FROM generate_series(1, $3::int) n`,
      [store.projectId, TEST_START_MS, CUSTOMERS],
    );
    await dataSource.query(
      `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
       SELECT $1, 'cust' || n, a.name, a.value, 0, 'sdk', now() FROM generate_series(1, $2::int) n
       CROSS JOIN LATERAL (VALUES ('$email', 'person' || n || '@example.com'), ('plan', 'p' || n % 3)) a (name, value)`,
      [store.projectId, CUSTOMERS],
    );
    await dataSource.query(
      `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
       SELECT $1, 'user-' || n, 'cust' || n, false, now() FROM generate_series(1, $2::int) n`,
      [store.projectId, CUSTOMERS],
    );
    await dataSource.query('VACUUM ANALYZE listed_customers, customer_attributes, customer_aliases');
  });

  afterAll(() => server.close());

  const everyone: CustomerSelection = {
    environment: 'production',
    tags: [],
    anyOf: [],
    status: null,
    firstSeen: { from: null, before: null },
    lastSeen: { from: null, before: null },
    spentAtLeastMicros: null,
  };
  const tag = (text: string): string => `${store.projectId}|${text}`;
  const scopeOf = (more: Partial<CustomerSelection>, rest: Partial<ListScope> = {}): ListScope => ({
    selection: { ...everyone, ...more },
    customerIds: null,
    attribute: null,
    now: new Date(TEST_START_MS),
    ...rest,
  });

  /** The nodes of the plan with which the statement runs; large tables are never read in full. */
  async function explain(
    scope: ListScope,
    { text, values }: { text: string; values: unknown[] },
    bitmapsOnly = usesTags(scope),
  ): Promise<Plan[]> {
    return server.dataSource.transaction(async (manager) => {
      const indexScan = bitmapsOnly ? 'off' : 'on';
      await manager.query(
        `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', $1, true),
           set_config('enable_indexonlyscan', $1, true)`,
        [indexScan],
      );
      const [row] = await manager.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        values,
      );
      const nodes = row ? nodesOf(row['QUERY PLAN'][0]!.Plan) : [];
      const tables = ['listed_customers', 'customer_attributes', 'customer_aliases'];
      const scans = nodes.filter((node) => tables.includes(node['Relation Name'] ?? ''));
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      return nodes;
    });
  }
  const indexes = (nodes: Plan[]): string[] => nodes.flatMap((node) => node['Index Name'] ?? []);
  const read = (nodes: Plan[]): number =>
    Math.max(
      ...nodes
        .filter((node) => node['Relation Name'] !== undefined)
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
    );
  const descending = (sort: 'last_seen' | 'first_seen' | 'spent') => ({ sort, direction: 'DESC' }) as const;
  const page = { limit: 51, after: null };

  it.each([
    ['last_seen', 'listed_customers_by_last_seen'],
    ['first_seen', 'listed_customers_by_first_seen'],
    ['spent', 'listed_customers_by_spent'],
  ] as const)('reads a page sorted by %s from its index', async (sort, index) => {
    const scope = scopeOf({});
    const first = pageStatement(scope, store.projectId, descending(sort), { ...page, sortsAll: false });
    const nodes = await explain(scope, first);
    expect(indexes(nodes)).toEqual([index]);
    expect(read(nodes)).toBeLessThanOrEqual(51);
    const value = sort === 'spent' ? 20_000_000 : new Date(TEST_START_MS - 10_000_000);
    const behind = { limit: 51, after: [value, 'cust5'] as const, sortsAll: false };
    const later = await explain(scope, pageStatement(scope, store.projectId, descending(sort), behind));
    expect(indexes(later)).toEqual([index]);
    expect(read(later)).toBeLessThanOrEqual(60);
  });

  it('finds rare and impossible combinations by the index of tags', async () => {
    for (const tags of [
      ['version:0.1'],
      ['version:0.1', 'platform:ios', 'live'],
      ['platform:android', 'country:US'],
      ['never_bought', 'store:app_store'],
    ]) {
      const scope = scopeOf({ tags: tags.map(tag) });
      const nodes = await explain(scope, countStatement(scope, store.projectId));
      expect(indexes(nodes)).toContain('listed_customers_by_tag');
      const sorted = pageStatement(scope, store.projectId, descending('last_seen'), {
        ...page,
        sortsAll: true,
      });
      expect(indexes(await explain(scope, sorted))).toContain('listed_customers_by_tag');
    }
  });

  it('reads at most the counted customers of a common combination', async () => {
    const scope = scopeOf({ tags: [tag('platform:ios'), tag('version:2.0')] });
    expect(read(await explain(scope, countStatement(scope, store.projectId)))).toBeLessThanOrEqual(20_000);
    const ordered = pageStatement(scope, store.projectId, descending('last_seen'), {
      ...page,
      sortsAll: false,
    });
    expect(read(await explain(scope, ordered, false))).toBeLessThan(1_000);
  });

  it.each<[string, Partial<CustomerSelection>]>([
    ['active', { status: 'active', tags: ['live'] }],
    ['expired', { status: 'expired', tags: ['subscribed'] }],
    ['any of several products', { anyOf: [['live_product:a', 'subscribed']] }],
  ])('finds customers who are %s by the index of tags', async (_, { tags = [], anyOf = [], ...more }) => {
    const scope = scopeOf({ ...more, tags: tags.map(tag), anyOf: anyOf.map((group) => group.map(tag)) });
    const nodes = await explain(scope, countStatement(scope, store.projectId));
    expect(indexes(nodes)).toContain('listed_customers_by_tag');
    expect(read(nodes)).toBeLessThanOrEqual(CUSTOMERS / 20);
  });

  it('finds refunded customers by an index of their own', async () => {
    const scope = scopeOf({ status: 'refunded' });
    const nodes = await explain(scope, countStatement(scope, store.projectId));
    expect(indexes(nodes)).toEqual(['listed_customers_refunded']);
    expect(read(nodes)).toBeLessThanOrEqual(CUSTOMERS / 4000);
  });

  it('finds ranges by the index of their column', async () => {
    const spent = scopeOf({ spentAtLeastMicros: 39_900_000 });
    const nodes = await explain(spent, countStatement(spent, store.projectId));
    expect(indexes(nodes)).toEqual(['listed_customers_by_spent']);
    const recent = scopeOf({ lastSeen: { from: new Date(TEST_START_MS - 60_000), before: null } });
    expect(indexes(await explain(recent, countStatement(recent, store.projectId)))).toEqual([
      'listed_customers_by_last_seen',
    ]);
  });

  it('reads only the rows of customers that a search or an attribute has found', async () => {
    const scope = scopeOf({ tags: [tag('platform:ios')] }, { customerIds: ['cust2', 'cust4', 'cust5'] });
    const found = pageStatement(scope, store.projectId, descending('spent'), { ...page, sortsAll: true });
    expect(read(await explain(scope, found))).toBeLessThanOrEqual(3);
  });

  it('checks a common attribute only for the rows of the page', async () => {
    const scope = scopeOf({}, { attribute: { name: 'plan', value: 'p1' } });
    const ordered = pageStatement(scope, store.projectId, descending('last_seen'), {
      ...page,
      sortsAll: false,
    });
    expect(read(await explain(scope, ordered))).toBeLessThan(1_000);
  });

  it('answers within the usual time', async () => {
    for (const query of [
      '',
      'search=user-123',
      'search=PERSON123',
      'attribute_name=plan&attribute_value=p1',
    ]) {
      const { status } = await store.backend.get(`${store.path}/filtered_customers?${query}`);
      expect([query, status]).toEqual([query, 200]);
    }
  });
});
