import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { BUILT_AT, ReportFixture } from '../support/report-fixture.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const expected = parse<Record<string, string>>(
  readFileSync(new URL('../support/report-fixture.csv', import.meta.url)),
  { columns: true },
);

const time = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;
const decimal = (column: string): string => `trim_scale(${column})::text`;

/** All 44 columns as texts; nulls are empty. JSON is compared by value. */
const columns: Record<string, string> = {
  rc_original_app_user_id: 'c.original_app_user_id',
  rc_last_seen_app_user_id_alias: 'c.last_seen_app_user_id',
  country: 't.country',
  country_source: 't.country_source',
  product_identifier: 't.product_identifier',
  product_display_name: 't.product_display_name',
  product_duration: 't.product_duration',
  start_time: time('t.start_time'),
  end_time: time('t.end_time'),
  grace_period_end_time: time('t.grace_period_end_time'),
  effective_end_time: time('t.effective_end_time'),
  store: 't.store',
  is_auto_renewable: 't.is_auto_renewable::text',
  is_trial_period: 't.is_trial_period::text',
  is_in_intro_offer_period: 't.is_in_intro_offer_period::text',
  is_sandbox: 't.is_sandbox::text',
  price_in_usd: decimal('t.price_in_usd'),
  purchase_price_in_usd: decimal('t.purchase_price_in_usd'),
  takehome_percentage: decimal('t.takehome_percentage'),
  tax_percentage: decimal('t.tax_percentage'),
  commission_percentage: decimal('t.commission_percentage'),
  store_transaction_id: 't.store_transaction_id',
  original_store_transaction_id: 't.original_store_transaction_id',
  refunded_at: time('t.refunded_at'),
  unsubscribe_detected_at: time('t.unsubscribe_detected_at'),
  billing_issues_detected_at: time('t.billing_issues_detected_at'),
  purchased_currency: 't.purchased_currency',
  price_in_purchased_currency: decimal('t.price_in_purchased_currency'),
  purchase_price_in_purchased_currency: decimal('t.purchase_price_in_purchased_currency'),
  entitlement_identifiers: 'to_json(t.entitlement_identifiers)::text',
  renewal_number: 't.renewal_number::text',
  is_trial_conversion: 't.is_trial_conversion::text',
  presented_offering: 't.presented_offering',
  ownership_type: 't.ownership_type',
  reserved_subscriber_attributes: 'c.reserved_attributes::text',
  custom_subscriber_attributes: 'c.custom_attributes::text',
  platform: 'c.last_seen_platform',
  experiment_id: 'c.experiment_id',
  experiment_variant: 'c.experiment_variant',
  updated_at: time('greatest(t.changed_at, c.tx_changed_at)'),
  offer: 't.offer',
  offer_type: 't.offer_type',
  first_seen_time: time('c.first_seen_at'),
  auto_resume_time: time('t.auto_resume_time'),
};

type Row = Record<string, string>;

describe('the fixture of report rows', () => {
  let server: TestServer;
  let fixture: ReportFixture;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_FX_PROVIDER: 'http', SERVICE_FX_URL: 'http://127.0.0.1:9/' },
    });
    fixture = await ReportFixture.create(server);
    await fixture.build();
  });

  afterAll(() => server.close());

  async function transactions(afterSeq = 0): Promise<Row[]> {
    const rows = await fixture.query<Row>(
      `SELECT ${Object.entries(columns)
        .map(([name, value]) => `coalesce(${value}, '') AS ${name}`)
        .join(', ')}
       FROM report_transactions t JOIN report_customers c ON c.project_id = $1 AND c.customer_id = t.customer_id
       WHERE t.project_id = $1 AND greatest(t.seq, c.tx_seq) > $2`,
      afterSeq,
    );
    return rows.map((row) => ({
      ...row,
      store_transaction_id: fixture.nameOf(row.store_transaction_id ?? ''),
      original_store_transaction_id: fixture.nameOf(row.original_store_transaction_id ?? ''),
    }));
  }

  async function seq(): Promise<number> {
    const [row] = await fixture.query<{ seq: number }>(
      'SELECT seq FROM report_projects WHERE project_id = $1',
    );
    return Number(row?.seq);
  }

  const byId = (rows: readonly Row[]): Record<string, Row> =>
    Object.fromEntries(
      rows.map((row) => [
        row.store_transaction_id,
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            /^(reserved|custom)_|^entitlement/.test(name) && value !== '' ? JSON.parse(value) : value,
          ]),
        ),
      ]),
    );

  const without = (row: Row | undefined, ...names: string[]): Row =>
    Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !names.includes(name)));

  it('computes all columns of 14 transactions', async () => {
    expect(expected).toHaveLength(14);
    expect(Object.keys(expected[0] ?? {})).toEqual(Object.keys(columns));
    // The clock of the database sets the time of the change.
    const built = (await transactions()).map((row) => ({
      ...row,
      updated_at: BUILT_AT.replace('T', ' ').slice(0, 19),
    }));
    expect(byId(built)).toEqual(byId(expected));
  });

  it('changes one row when a refund is reversed', async () => {
    const before = await seq();
    await fixture.reverseRefund();
    await fixture.rollUp();
    const changed = await transactions(before);
    expect(changed).toHaveLength(1);
    const [was] = expected.filter((row) => row.store_transaction_id === '1003');
    expect(
      without(changed[0], 'updated_at', 'reserved_subscriber_attributes', 'custom_subscriber_attributes'),
    ).toEqual({
      ...without(was, 'updated_at', 'reserved_subscriber_attributes', 'custom_subscriber_attributes'),
      price_in_usd: '9.99',
      price_in_purchased_currency: '9.99',
      refunded_at: '',
      effective_end_time: '2026-03-08 09:00:00',
    });
  });

  it("changes the rows of a customer with a new attribute's value, and none when it is sent again", async () => {
    const before = await seq();
    const known = byId(await transactions());
    const send = async (): Promise<void> => {
      server.clock.advanceMs(60_000);
      const answer = await fixture.backend.post('/v1/subscribers/bob/attributes', {
        attributes: { a: { value: '1', updated_at_ms: server.clock.nowMs() } },
      });
      expect(answer.status).toBe(200);
      await fixture.rollUp();
    };
    await send();
    const sentAtMs = server.clock.nowMs();
    const changed = byId(await transactions(before));
    expect(Object.keys(changed).sort()).toEqual(['GPA.1', 'GPA.1..0', 'GPA.2', 'GPA.3']);
    for (const [id, row] of Object.entries(changed)) {
      expect({ ...row, updated_at: '' }).toEqual({
        ...known[id],
        updated_at: '',
        custom_subscriber_attributes: { a: { value: '1', updated_at_ms: sentAtMs } },
      });
    }
    const after = await seq();
    await send();
    expect(await seq()).toBe(after);
    await fixture.query(
      `INSERT INTO report_changes (project_id, customer_id, changed_at)
       SELECT $1, id, now() FROM customers WHERE project_id = $1`,
    );
    await fixture.rollUp();
    expect(await transactions(after)).toEqual([]);
  });

  it('changes nothing when a customer opens the app again', async () => {
    const before = await seq();
    await fixture.query(
      `UPDATE customers SET last_seen_at = now(), last_seen_app_version = '9' WHERE project_id = $1`,
    );
    await fixture.rollUp();
    expect(await seq()).toBe(before);
  });

  it('changes the rows of the buyers of a product that gets another name', async () => {
    const before = await seq();
    const [product] = await fixture.query<{ id: string }>(
      `SELECT id FROM products WHERE project_id = $1 AND store_identifier = 'pro:yearly'`,
    );
    const renamed = await fixture.backend.post(`/v2/projects/${fixture.projectId}/products/${product?.id}`, {
      display_name: 'Pro, yearly',
    });
    expect(renamed.status).toBe(200);
    await fixture.rollUp();
    const changed = await transactions(before);
    expect(changed.map(({ store_transaction_id: id, product_display_name: name }) => [id, name])).toEqual([
      ['GPA.2', 'Pro, yearly'],
    ]);
  });

  it('keeps only the keys of an erased customer', async () => {
    const before = await seq();
    const erased = await fixture.backend.delete(`/v2/projects/${fixture.projectId}/customers/dan`);
    expect(erased.status).toBe(200);
    // Before any rollup.
    const deletions = await fixture.query<{ dataset: string; count: number }>(
      `SELECT dataset, count(*)::int AS count FROM report_deletions WHERE project_id = $1 AND seq > $2
       GROUP BY 1 ORDER BY 1`,
      before,
    );
    expect(deletions).toEqual([
      { dataset: 'customers', count: 1 },
      { dataset: 'subscriptions', count: 4 },
      { dataset: 'transactions', count: 4 },
    ]);
    await fixture.rollUp();
    expect(await transactions()).toHaveLength(10);
    for (const table of [
      'report_transactions',
      'report_customers',
      'report_subscriptions',
      'report_deletions',
      'report_changes',
    ]) {
      const found = await fixture.query(
        `SELECT t FROM ${table} t WHERE project_id = $1 AND t::text ~ '\\mdan\\M'`,
      );
      expect(found).toEqual([]);
    }
    expect(await fixture.query('SELECT 1 FROM report_changes WHERE project_id = $1')).toEqual([]);
  });
});
