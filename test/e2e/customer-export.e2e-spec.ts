import http from 'node:http';
import {
  columnsLeftOut,
  exportSections,
  tablesLeftOut,
} from '../../src/support/export/export-sections.sql.js';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { Json } from '../support/api-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** A column that leads from a row to a customer, or to something that is a customer's. */
const ABOUT_CUSTOMERS =
  '(customer_id|app_user_id|subscription_id|purchase_id|purchase_key|event_id|delivery_id|subject)$';

describe('the export of a customer', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    await store.backend.post(`${store.path}/integrations/webhooks`, {
      name: 'Hook',
      url: 'http://127.0.0.1:9/hook',
    });
  });

  afterAll(() => server.close());

  const path = (id: string): string => `${store.path}/customers/${encodeURIComponent(id)}`;
  let tokens = 0;
  const buy = async (id: string, more: object = {}): Promise<string> => {
    const token = `test_${server.clock.nowMs()}_export-${++tokens}`;
    const body = { app_user_id: id, fetch_token: token, product_id: 'pro_monthly', ...more };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
    return token;
  };
  const linesOf = (text: string): Json[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const exported = async (id: string): Promise<Json[]> => {
    const answer = await store.backend.get(`${path(id)}/export`);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    return linesOf(answer.text);
  };

  /** A customer with at least one record of every kind. */
  const customerWithEverything = async (id: string): Promise<{ tokens: string[]; giver: string }> => {
    const device = `$RCAnonymousID:${(++tokens).toString(16).padStart(32, '0')}`;
    const code = `C${++tokens}`;
    await store.backend.post(`${store.path}/virtual_currencies`, {
      code,
      name: 'Gold',
      product_grants: [{ product_ids: [store.products.coins.id], amount: 100 }],
    });
    const first = await buy(device, { attributes: { $email: { value: `${id}@example.com` } } });
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: id });
    const second = await buy(id, { product_id: 'coins_100' });
    const giver = `giver-of-${id}`;
    await buy(giver, { attributes: { $email: { value: 'giver@example.com' } } });
    await store.backend.post(`${path(giver)}/actions/transfer`, { target_customer_id: id });
    await store.backend.post(`${path(id)}/actions/grant_entitlement`, {
      entitlement_id: store.entitlements.pro.id,
      expires_at: server.clock.nowMs() + 86_400_000,
    });
    await store.backend.post(`${path(id)}/actions/assign_offering`, { offering_id: store.offering.id });
    await store.backend.post(`${path(id)}/notes`, { text: 'Called on Monday.' });
    await store.backend.post(`${store.path}/blocked_customers`, { app_user_id: id, note: 'chargebacks' });
    await server.dataSource.query(
      `INSERT INTO store_accounts (project_id, app_id, kind, account_key, customer_id, seen_at)
       SELECT project_id, $2, 'app_account_token', $1, customer_id, now() FROM customer_aliases WHERE app_user_id = $1`,
      [id, store.appId],
    );
    await server.dataSource.query(
      `INSERT INTO redemption_links (project_id, id, customer_id, purchase_kind, purchase_id, store, environment,
         created_at, expires_at)
       SELECT project_id, 'rlnk-' || $1, customer_id, 'subscription', 'sub_web', 'stripe', 'production', now(), now()
       FROM customer_aliases WHERE app_user_id = $1`,
      [id],
    );
    await server.dataSource.query(
      `INSERT INTO refund_requests (project_id, id, app_id, store, environment, store_request_key, customer_id,
         requested_at, received_at, deadline_at, answer_status, attempts)
       SELECT project_id, 'rfrq-' || $1, $2, 'app_store', 'production', $1, customer_id, now(), now(), now(), 'held', 0
       FROM customer_aliases WHERE app_user_id = $1`,
      [id, store.appId],
    );
    await store.sdk.post('/v1/external_purchase_tokens', { app_user_id: id, purchase_type: 'LINK_OUT' });
    const other = await store.backend.post(`${store.path}/offerings`, {
      lookup_key: `other-${id}`,
      display_name: 'Other',
    });
    const experiment = await store.backend.post(`${store.path}/experiments`, {
      display_name: 'Two offerings',
      offering_a_id: store.offering.id,
      offering_b_id: other.body.id,
    });
    await server.dataSource.query(
      `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id,
         is_sandbox)
       SELECT project_id, customer_id, $2, 'a', now(), $1, false FROM customer_aliases WHERE app_user_id = $1`,
      [id, experiment.body.id],
    );
    const provider = await store.backend.post(`${store.path}/auth/providers`, {
      kind: 'firebase',
      firebase_project_id: `export-${id}`,
    });
    await server.dataSource.query(
      `INSERT INTO auth_identities (project_id, provider_id, subject, app_user_id, logins, last_login_at, created_at)
       VALUES ($1, $2, $3, $3, 1, now(), now())`,
      [store.projectId, provider.body.id, id],
    );
    await server.dataSource.query(
      `INSERT INTO customer_sessions (project_id, id, app_id, app_user_id, method, provider_id, subject, family_hash,
         refresh_hash, signed_in_at, last_used_at, expires_at)
       VALUES ($1, 'cses_' || $4, $2, $4, 'firebase', $3, $4, sha256($4::bytea), sha256($4::bytea), now(), now(), now())`,
      [store.projectId, store.appId, provider.body.id, id],
    );
    const seen = { type: 'paywall_impression', id: `seen-by-${id}`, timestamp: server.clock.nowMs() };
    await store.sdk.post('/v1/events', { events: [{ ...seen, app_user_id: id, offering_id: 'default' }] });
    await server.app.get(LastSeenRecorder).flush();
    return { tokens: [first, second], giver };
  };

  it('holds every kind of record with every column, purchase tokens included', async () => {
    const { tokens: bought } = await customerWithEverything('ada');
    const [head, ...rest] = await exported('ada');
    const end = rest.pop();
    expect(head).toEqual({
      object: 'customer_export',
      project_id: store.projectId,
      customer_id: expect.stringMatching(/^\$RCAnonymousID:/),
      exported_at: server.clock.nowMs(),
    });
    expect(end).toEqual({ object: 'customer_export.end', records: rest.length });
    const text = JSON.stringify(rest);
    for (const token of bought) expect(text).toContain(token);
    const columns = await server.dataSource.query<{ table: string; name: string }[]>(
      `SELECT table_name AS table, column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY column_name`,
    );
    for (const { object, table } of exportSections) {
      const [record] = rest.filter((line) => line.object === object);
      const wanted = columns
        .filter((column) => column.table === table)
        .map(({ name }) => name)
        .filter((name) => !(name in columnsLeftOut) && !(`${table}.${name}` in columnsLeftOut));
      expect([object, Object.keys(record ?? {}).sort()]).toEqual([object, [...wanted, 'object'].sort()]);
    }
    expect(new Set(rest.map(({ object }) => object as string))).toEqual(
      new Set(exportSections.map(({ object }) => object)),
    );
  });

  it('leaves out no table about customers without a reason, and gives no reason in vain', async () => {
    const about = await server.dataSource.query<{ table: string }[]>(
      // Partitions are part of their table.
      `SELECT DISTINCT c.relname AS table FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND a.attname ~ $1 AND NOT a.attisdropped ORDER BY 1`,
      [ABOUT_CUSTOMERS],
    );
    const known = [...exportSections.map(({ table }) => table), ...Object.keys(tablesLeftOut)];
    expect(about.map(({ table }) => table).filter((table) => !known.includes(table))).toEqual([]);
    const all = await server.dataSource.query<{ table: string; name: string }[]>(
      `SELECT table_name AS table, column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public'`,
    );
    const exists = (name: string): boolean =>
      all.some((column) => [column.table, column.name, `${column.table}.${column.name}`].includes(name));
    expect([...known, ...Object.keys(columnsLeftOut)].filter((name) => !exists(name))).toEqual([]);
  });

  it('gives times in epoch milliseconds and amounts in micros, and nothing of who stands beside the customer', async () => {
    const { giver } = await customerWithEverything('bea');
    await buy('bystander');
    const lines = await exported('bea');
    const sales = lines.filter(({ object }) => object === 'transaction');
    expect(sales.find(({ store_product_id: sold }) => sold === 'pro_monthly')).toMatchObject({
      amount_micros: 9_990_000,
      currency: 'USD',
      recorded_at: server.clock.nowMs(),
    });
    expect(JSON.stringify(lines)).not.toContain('bystander');
    const theirs = await exported(giver);
    expect(theirs.filter(({ object }) => object === 'event').map(({ type }) => type as string)).toEqual(
      expect.arrayContaining(['INITIAL_PURCHASE', 'TRANSFER']),
    );
    expect(JSON.stringify(theirs)).toContain('giver@example.com');
    expect(JSON.stringify(theirs)).not.toContain('bea@example.com');
  });

  it('finds the customer by each of their ids, and knows no deleted one and no other project', async () => {
    await customerWithEverything('cleo');
    const [head] = await exported('cleo');
    const [byDevice] = await exported(head.customer_id);
    expect(byDevice.customer_id).toBe(head.customer_id);
    const stranger = await createTestStore(server);
    const foreign = path('cleo').replace(store.projectId, stranger.projectId);
    expect((await stranger.backend.get(`${foreign}/export`)).status).toBe(404);
    await store.backend.delete(path('cleo'));
    const gone = await store.backend.get(`${path('cleo')}/export`);
    expect([gone.status, gone.body.type]).toEqual([404, 'resource_missing']);
  });

  it('needs the permission to read customers, subscriptions and purchases', async () => {
    await buy('dan');
    for (const missing of ['customers', 'subscriptions', 'purchases']) {
      const held = ['customers', 'subscriptions', 'purchases'].filter((area) => area !== missing);
      const permissions = held.map((area) => `customer_information:${area}:read`);
      const { client } = await createSecretKey(store.session, store.projectId, permissions);
      expect([missing, (await client.get(`${path('dan')}/export`)).status]).toEqual([missing, 403]);
    }
  });

  it('appears in the audit log', async () => {
    await buy('eve');
    server.clock.advanceMs(1);
    await exported('eve');
    const { items } = (await store.backend.get(`${store.path}/audit_logs`)).body;
    const rows = items.filter(({ target_identifier: target }: Json) => target === 'eve');
    expect(rows).toMatchObject([
      {
        action_type: 'customer_exported',
        target_type: 'customer',
        additional_data: { method: 'GET', status: 200 },
      },
    ]);
  });

  it('reads one snapshot, without concurrent writes', async () => {
    await buy('fay');
    const [alias] = await server.dataSource.query<{ customer_id: string }[]>(
      `SELECT customer_id FROM customer_aliases WHERE app_user_id = 'fay'`,
    );
    // Far more than fits into the buffers between here and there.
    await server.dataSource.query(
      `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, delivery, body)
       SELECT $1, $3::timestamptz + n * interval '1 ms', 'evt' || n, $3, 'TEST', 'evt' || n, $2, 'suppressed',
         json_build_object('filler', repeat('x', 4000))
       FROM generate_series(1, 3000) AS n`,
      [store.projectId, alias?.customer_id, new Date(server.clock.nowMs())],
    );
    const key = await createSecretKey(store.session, store.projectId);
    const text = await new Promise<string>((resolve, reject) => {
      const url = `${server.baseUrl}${path('fay')}/export`;
      const request = http.get(url, { headers: { authorization: `Bearer ${key.key}` } }, (response) => {
        let read = '';
        response.once('readable', () => {
          void buy('fay', { product_id: 'coins_100' }).then(() => {
            response.on('data', (chunk: Buffer) => (read += chunk.toString()));
            response.on('end', () => resolve(read));
          }, reject);
        });
        response.on('error', reject);
      });
      request.on('error', reject);
    });
    // This one request did not go through the client that counts what is audited.
    await server.dataSource.query(`DELETE FROM audit_logs WHERE actor_identifier = $1`, [key.id]);
    const lines = linesOf(text);
    expect(lines.at(-1)).toEqual({ object: 'customer_export.end', records: lines.length - 2 });
    expect(lines.filter(({ object }) => object === 'event')).toHaveLength(3_001);
    expect(lines.filter(({ object }) => object === 'purchase')).toHaveLength(0);
    const later = await exported('fay');
    expect(later.filter(({ object }) => object === 'purchase')).toHaveLength(1);
  });

  it('continues for others after readers who went away, and refuses a third at once', async () => {
    const key = await createSecretKey(store.session, store.projectId);
    const headers = { authorization: `Bearer ${key.key}` };
    // The first bytes are here, the rest waits for a reader.
    const reader = (): Promise<http.IncomingMessage> =>
      new Promise((resolve, reject) => {
        http
          .get(`${server.baseUrl}${path('fay')}/export`, { headers, agent: false }, (response) => {
            response.once('readable', () => resolve(response));
          })
          .on('error', reject);
      });
    const readers = await Promise.all([reader(), reader()]);
    const refused = await store.backend.get(`${path('fay')}/export`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    for (const response of readers) response.destroy();
    let answer = await store.backend.get(`${path('fay')}/export`);
    while (answer.status === 503) answer = await store.backend.get(`${path('fay')}/export`);
    expect(linesOf(answer.text).at(-1).object).toBe('customer_export.end');
    await server.dataSource.query(`DELETE FROM audit_logs WHERE actor_identifier = $1`, [key.id]);
  });
});
