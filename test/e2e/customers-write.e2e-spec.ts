import { isoSeconds } from '../../libs/kernel/index.js';
import { ErasureJob } from '../../src/support/lifecycle/erasure.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { shop } from '../support/world.js';

const DAY_MS = 86_400_000;

describe('customers as apps and backends change them', () => {
  const store = shop();

  let count = 0;
  const person = (): string => `customer-${++count}`;
  const token = (): string => `test_${store.clock.nowMs()}_write-${++count}`;
  const v1 = (id: string, suffix = ''): string => `/v1/subscribers/${encodeURIComponent(id)}${suffix}`;
  const v2 = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const buy = (id: string, more: object = {}): Promise<Answer> =>
    store.sdk.post('/v1/receipts', {
      app_user_id: id,
      fetch_token: token(),
      product_id: 'pro_monthly',
      ...more,
    });
  const attributesOf = async (id: string): Promise<Record<string, string>> => {
    const { body } = await store.backend.get(v2(id, '/attributes?limit=100'));
    return Object.fromEntries(body.items.map(({ name, value }: Json) => [name, value]));
  };
  const post = (id: string, attributes: unknown, headers = {}): Promise<Answer> =>
    store.sdk.post(v1(id, '/attributes'), { attributes }, headers);
  const set = (id: string, attributes: unknown, client = store.backend): Promise<Answer> =>
    client.post(v2(id, '/attributes'), { attributes });
  const lastAudit = async (): Promise<Json> =>
    (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items[0];

  describe('attributes of an SDK', () => {
    it('saves them, creates the customer, and shows them to backends only', async () => {
      const id = person();
      const answer = await post(id, {
        $email: { value: 'zoe@example.com', updated_at_ms: 5 },
        level: { value: '3', updated_at_ms: 6 },
      });
      expect([answer.status, answer.body]).toEqual([200, {}]);
      const expected = {
        $email: { value: 'zoe@example.com', updated_at_ms: 5 },
        level: { value: '3', updated_at_ms: 6 },
      };
      const backend = (await store.backend.get(v1(id))).body;
      expect(backend.subscriber.subscriber_attributes).toEqual(expected);
      expect(backend.subscriber_attributes).toEqual(expected);
      const phone = (await store.sdk.get(v1(id))).body;
      expect(phone.subscriber).not.toHaveProperty('subscriber_attributes');
      expect(phone).not.toHaveProperty('subscriber_attributes');
    });

    it('ignores reads by a backend as contact, unless it acts for a platform', async () => {
      const [looked, shown] = [person(), person()];
      await store.backend.get(v1(looked));
      await store.backend.get(v1(shown), { 'x-platform': 'ios' });
      expect((await store.backend.get(v2(looked))).body.last_seen_at).toBe(null);
      expect((await store.backend.get(v2(shown))).body).toMatchObject({
        last_seen_at: store.clock.nowMs(),
        last_seen_platform: 'ios',
      });
      const { first_seen: firstSeen } = (await store.backend.get(v1(looked))).body.subscriber;
      store.clock.advanceMs(DAY_MS);
      expect((await store.backend.get(v1(looked))).body.subscriber.last_seen).toBe(firstSeen);
      expect((await store.sdk.get(v1(looked))).body.subscriber.last_seen).toBe(
        isoSeconds(store.clock.nowMs()),
      );
    });

    it('changes the tag of the answer for backends, but not for phones', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      const tags = async () =>
        Promise.all(
          [store.sdk, store.backend].map(
            async (client) => (await client.get(v1(id))).headers['x-revenuecat-etag'],
          ),
        );
      const [phone, backend] = await tags();
      await post(id, { a: { value: 'x', updated_at_ms: 1 } });
      const [phoneAfter, backendAfter] = await tags();
      expect([phone === phoneAfter, backend === backendAfter]).toEqual([true, false]);
    });

    it('stores unknown reserved names, which can be deleted again', async () => {
      const id = person();
      const names = ['$intercomContactId', '$segmentId', '$nameOfALaterSdk'];
      const answer = await post(id, Object.fromEntries(names.map((name) => [name, { value: 'x' }])));
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect(await attributesOf(id)).toEqual(Object.fromEntries(names.map((name) => [name, 'x'])));
      const deleted = { $segmentId: { value: '' }, $nameOfALaterSdk: { value: null } };
      expect((await post(id, deleted)).status).toBe(200);
      expect(await attributesOf(id)).toEqual({ $intercomContactId: 'x' });
      const backend = await set(id, [{ name: '$nameOfALaterSdk', value: 'x' }]);
      expect([backend.status, backend.body.param]).toEqual([400, 'attributes.0.name']);
    });

    it('reports a bad one by name, and saves the others', async () => {
      const id = person();
      const answer = await post(id, {
        'two words': { value: 'x' },
        $email: { value: 'nobody' },
        long: { value: 'x'.repeat(501) },
        good: { value: 'x' },
      });
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          code: 7263,
          message: expect.any(String),
          attribute_errors: [
            { key_name: 'two words', message: 'Key name format is not valid.' },
            { key_name: '$email', message: 'Value is not a valid email address.' },
            { key_name: 'long', message: 'Value is too long.' },
          ],
        },
      ]);
      expect(await attributesOf(id)).toEqual({ good: 'x' });
    });

    it.each([{}, [], { attributes: 'x' }, { attributes: { a: 'x' } }])(
      'rejects the malformed body %j: 7264',
      async (body) => {
        const answer = await store.sdk.post(v1(person(), '/attributes'), body);
        expect([answer.status, answer.body.code]).toEqual([400, 7264]);
      },
    );

    it('refuses an impossible id with 7220, never with 404', async () => {
      const answer = await post('a/b', { a: { value: 'x' } });
      expect([answer.status, answer.body.code]).toEqual([400, 7220]);
    });

    it('deletes them by null and by an empty text, and ignores an older write', async () => {
      const id = person();
      await post(id, { a: { value: 'x', updated_at_ms: 1 }, b: { value: 'y', updated_at_ms: 1 } });
      await post(id, { a: { value: null, updated_at_ms: 3 }, b: { value: '', updated_at_ms: 3 } });
      expect(await attributesOf(id)).toEqual({});
      await post(id, { a: { value: 'late', updated_at_ms: 2 } });
      expect(await attributesOf(id)).toEqual({});
      await post(id, { a: { value: 'again', updated_at_ms: 4 } });
      expect(await attributesOf(id)).toEqual({ a: 'again' });
    });

    it('keeps the newest value of each name from many requests at once', async () => {
      const id = person();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          post(id, {
            a: { value: `${n}`, updated_at_ms: n },
            b: { value: `${n}`, updated_at_ms: 100 - n },
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await attributesOf(id)).toEqual({ a: '11', b: '0' });
    });

    it('allows 50 custom ones; deletions make room', async () => {
      const id = person();
      const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, { value: 'x' }]));
      expect((await post(id, fifty)).status).toBe(200);
      const more = await post(id, { one_more: { value: 'x' }, $displayName: { value: 'Zoë' } });
      expect(more.body.attribute_errors).toEqual([
        { key_name: 'one_more', message: 'The customer has too many custom attributes.' },
      ]);
      expect(await attributesOf(id)).toMatchObject({ $displayName: 'Zoë', n49: 'x' });
      const swapped = await post(id, { one_more: { value: 'x' }, n0: { value: null } });
      expect(swapped.status).toBe(200);
      const refused = await set(id, [
        { name: 'fine', value: null },
        { name: 'too_many', value: 'x' },
      ]);
      expect([refused.status, refused.body.param]).toEqual([400, 'attributes.1.name']);
    });

    it('fills in what the SDK only references', async () => {
      const id = person();
      const headers = { 'x-platform-version': '17.2', 'x-apple-device-identifier': 'IDFV-1' };
      await post(
        id,
        { $ip: { value: 'true' }, $deviceVersion: { value: 'true' }, $idfv: { value: 'true' } },
        headers,
      );
      expect(await attributesOf(id)).toEqual({
        $deviceVersion: '17.2',
        $idfv: 'IDFV-1',
        $ip: expect.stringContaining('127.0.0.1'),
      });
    });

    it('keeps a referenced value if the request does not contain it', async () => {
      const id = person();
      await post(id, { $deviceVersion: { value: 'true' } }, { 'x-platform-version': '17.2' });
      expect((await post(id, { $deviceVersion: { value: 'true' } })).status).toBe(200);
      expect(await attributesOf(id)).toEqual({ $deviceVersion: '17.2' });
    });

    it('refuses only the bad ones in a receipt, without failing it', async () => {
      const id = person();
      const attributes = { 'two words': { value: 'x' }, $unheardOf: { value: 'y' } };
      const bought = await buy(id, { attributes });
      expect([bought.status, bought.body.attributes_error_response.attribute_errors]).toEqual([
        200,
        [{ key_name: 'two words', message: 'Key name format is not valid.' }],
      ]);
      expect(await attributesOf(id)).toEqual({ $unheardOf: 'y' });
    });

    it('reads them on the route of the SDKs with a secret key only, for known customers', async () => {
      const id = person();
      await post(id, { note: { value: 'x', updated_at_ms: 5 }, gone: { value: '' } });
      const path = `${v1(id)}/attributes`;
      const answer = await store.backend.get(path);
      expect([answer.status, answer.body]).toEqual([
        200,
        { subscriber_attributes: { note: { value: 'x', updated_at_ms: 5 } } },
      ]);
      const refused = await store.sdk.get(path);
      expect([refused.status, refused.body.code]).toEqual([403, 7225]);
      const unknown = await store.backend.get('/v1/subscribers/nobody-at-all/attributes');
      expect([unknown.status, unknown.body.code]).toEqual([404, 7259]);
      const { client } = await createSecretKey(store.session, store.projectId, [
        'customer_information:purchases:read',
      ]);
      expect((await client.get(path)).status).toBe(403);
    });

    it('keeps the first campaign and device; a backend may correct them', async () => {
      const id = person();
      await post(id, { $campaign: { value: 'May', updated_at_ms: 1 } });
      await post(id, { $campaign: { value: 'June', updated_at_ms: 2 } });
      expect(await attributesOf(id)).toEqual({ $campaign: 'May' });
      await set(id, [{ name: '$campaign', value: 'April' }]);
      expect(await attributesOf(id)).toEqual({ $campaign: 'April' });
    });

    it('stores attribution calls as attributes, with the token of Apple', async () => {
      const id = person();
      const data = { rc_idfa: 'idfa-1', campaign: 'May', rc_attribution_network_id: 'adj-1', odd: {} };
      const answer = await store.sdk.post(v1(id, '/attribution'), { network: 1, data });
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect(await attributesOf(id)).toEqual({ $adjustId: 'adj-1', $campaign: 'May', $idfa: 'idfa-1' });
      expect((await store.sdk.post(v1(id, '/attribution'), { data })).status).toBe(400);
      const path = v1(id, '/adservices_attribution');
      const kept = await store.sdk.post(path, { aad_attribution_token: 'token-1' });
      expect([kept.status, kept.body]).toEqual([200, {}]);
      expect((await store.sdk.post(path, { aad_attribution_token: 7 })).status).toBe(400);
    });

    it('saves those in a receipt before its events are created; a bad one never fails the receipt', async () => {
      const id = person();
      const answer = await buy(id, {
        attributes: {
          $attConsentStatus: { value: 'denied', updated_at_ms: 7 },
          'bad name': { value: 'x' },
          $email: { value: 'nobody' },
        },
      });
      expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
      expect(answer.body.attributes_error_response.attribute_errors).toEqual([
        { key_name: 'bad name', message: 'Key name format is not valid.' },
        { key_name: '$email', message: 'Value is not a valid email address.' },
      ]);
      expect(await attributesOf(id)).toEqual({ $attConsentStatus: 'denied' });
      const [event] = (await store.backend.get(v2(id, '/events'))).body.items;
      expect(event.body.subscriber_attributes).toEqual({
        $attConsentStatus: { value: 'denied', updated_at_ms: 7 },
      });
      const plain = await buy(person(), { attributes: 'not an object' });
      expect([plain.status, plain.body.attributes_error_response]).toEqual([200, undefined]);
    });

    it('saves those in a receipt that is posted again, refused or without a purchase', async () => {
      const [id, other] = [person(), person()];
      const fetchToken = token();
      const attributes = (value: string) => ({ attributes: { a: { value } } });
      await buy(id, { fetch_token: fetchToken });
      await buy(id, { fetch_token: fetchToken, ...attributes('again') });
      expect(await attributesOf(id)).toEqual({ a: 'again' });
      const refused = await buy(other, { fetch_token: 'no token', ...attributes('refused') });
      expect(refused.status).toBe(400);
      expect(await attributesOf(other)).toEqual({ a: 'refused' });
      await store.sdk.post('/v1/receipts', {
        app_user_id: other,
        app_transaction: 'jws',
        ...attributes('without'),
      });
      expect(await attributesOf(other)).toEqual({ a: 'without' });
    });
  });

  describe('attributes of a backend', () => {
    it('wins over older writes of the SDK and loses to newer ones; the answer lists all', async () => {
      const id = person();
      await post(id, { a: { value: 'sdk', updated_at_ms: store.clock.nowMs() - 1 }, z: { value: 'kept' } });
      const answer = await set(id, [
        { name: 'a', value: 'api' },
        { name: 'b', value: 'new' },
      ]);
      expect(answer.body).toMatchObject({
        object: 'list',
        next_page: null,
        url: `/v2${v2(id).slice(3)}/attributes`,
      });
      expect(answer.body.items).toEqual([
        { object: 'customer.attribute', name: 'a', value: 'api', updated_at: store.clock.nowMs() },
        { object: 'customer.attribute', name: 'b', value: 'new', updated_at: store.clock.nowMs() },
        { object: 'customer.attribute', name: 'z', value: 'kept', updated_at: store.clock.nowMs() },
      ]);
      await post(id, { a: { value: 'older', updated_at_ms: store.clock.nowMs() - 1 } });
      expect(await attributesOf(id)).toMatchObject({ a: 'api' });
      await post(id, { a: { value: 'newer', updated_at_ms: store.clock.nowMs() + 1 } });
      expect(await attributesOf(id)).toMatchObject({ a: 'newer' });
      expect(await lastAudit()).toMatchObject({
        action_type: 'customer_attributes_set',
        target_identifier: id,
        additional_data: { names: ['a', 'b'] },
      });
    });

    it.each<[unknown, string]>([
      [undefined, 'attributes'],
      [[], 'attributes'],
      [Array.from({ length: 51 }, (_, n) => ({ name: `n${n}`, value: 'x' })), 'attributes'],
      [[{ name: 'a' }], 'attributes.0.value'],
      [[{ name: 'a', value: 7 }], 'attributes.0.value'],
      [[{ value: 'x' }], 'attributes.0.name'],
      [[{ name: 'two words', value: 'x' }], 'attributes.0.name'],
      [[{ name: '$unheardOf', value: 'x' }], 'attributes.0.name'],
      [
        [
          { name: 'a', value: 'x' },
          { name: '$email', value: 'nobody' },
        ],
        'attributes.1.value',
      ],
      [[{ name: 'a', value: 'x'.repeat(501) }], 'attributes.0.value'],
    ])('%j is a 400 that names the field, and nothing is saved', async (attributes, param) => {
      const id = person();
      await post(id, { before: { value: 'x' } });
      const answer = await set(id, attributes);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
      expect(await attributesOf(id)).toEqual({ before: 'x' });
    });

    it('pages by name, and comes with the customer on request', async () => {
      const id = person();
      await post(id, { a: { value: '1' }, b: { value: '2' }, c: { value: '3' } });
      const first = await store.backend.get(v2(id, '/attributes?limit=2'));
      expect(first.body.items.map(({ name }: Json) => name)).toEqual(['a', 'b']);
      expect((await store.backend.get(first.body.next_page)).body.items).toHaveLength(1);
      expect((await store.backend.get(v2(id, '/attributes?starting_after=x'))).status).toBe(400);
      const plain = await store.backend.get(v2(id));
      const expanded = await store.backend.get(v2(id, '?expand=attributes'));
      expect([plain.body.attributes, expanded.body.attributes.items.length]).toEqual([undefined, 3]);
      expect((await set('nobody-here', [{ name: 'a', value: 'x' }])).status).toBe(404);
      expect((await store.backend.get(v2('nobody-here', '/attributes'))).status).toBe(404);
    });

    it('counts by their time through the route of the SDKs, and needs the permission', async () => {
      const id = person();
      const path = v1(id, '/attributes');
      await post(id, { $idfa: { value: 'first', updated_at_ms: 5 }, a: { value: 'x', updated_at_ms: 5 } });
      await store.backend.post(path, {
        attributes: { $idfa: { value: 'second', updated_at_ms: 6 }, a: { value: 'y', updated_at_ms: 4 } },
      });
      expect(await attributesOf(id)).toEqual({ $idfa: 'second', a: 'x' });
      const reader = await createSecretKey(store.session, store.projectId, ['customer_information:*:read']);
      const answer = await reader.client.post(path, { attributes: { a: { value: 'z' } } });
      expect([answer.status, answer.body.code]).toEqual([403, 7225]);
    });
  });

  describe('creating', () => {
    it('creates an unknown customer, with attributes', async () => {
      const id = person();
      const body = { id, attributes: [{ name: '$email', value: 'a@example.com' }] };
      const answer = await store.backend.post(`${store.path}/customers`, body);
      expect([answer.status, answer.body.id, answer.body.last_seen_at]).toEqual([201, id, null]);
      expect(answer.body).not.toHaveProperty('attributes');
      expect(await attributesOf(id)).toEqual({ $email: 'a@example.com' });
      expect(await lastAudit()).toMatchObject({ action_type: 'customer_created', target_identifier: id });
      const seen = await store.sdk.get(v1(id));
      expect([seen.status, seen.body.subscriber.original_app_user_id]).toEqual([200, id]);
    });

    it('answers 409 for an id or alias in use; one of many requests at once succeeds', async () => {
      const id = person();
      const device = `$RCAnonymousID:${'e'.repeat(32)}`;
      await store.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: id });
      for (const taken of [id, device]) {
        const answer = await store.backend.post(`${store.path}/customers`, { id: taken });
        expect([answer.status, answer.body.type, answer.body.param]).toEqual([
          409,
          'resource_already_exists',
          'id',
        ]);
      }
      const raced = person();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => store.backend.post(`${store.path}/customers`, { id: raced })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    });

    it.each<[object, string]>([
      [{}, 'id'],
      [{ id: 'a/b' }, 'id'],
      [{ id: ' ' }, 'id'],
      [{ id: 'null' }, 'id'],
      [{ id: 'x'.repeat(101) }, 'id'],
      [{ id: 'fine', attributes: {} }, 'attributes'],
      [{ id: 'fine', attributes: [{ name: 'bad name', value: 'x' }] }, 'attributes.0.name'],
    ])('answers %j with a 400 that names the field', async (body, param) => {
      const answer = await store.backend.post(`${store.path}/customers`, body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
      expect((await store.backend.get(v2('fine'))).status).toBe(404);
    });
  });

  describe('deleting', () => {
    const rowsOf = async (needle: string): Promise<string[]> => {
      const tables = [
        'customers',
        'customer_aliases',
        'customer_attributes',
        'customer_snapshots',
        'subscriptions',
        'one_time_purchases',
        'store_transactions',
        'events',
        'webhook_deliveries',
        'ownership_changes',
      ];
      const found: string[] = [];
      for (const table of tables) {
        const rows = await store.server.dataSource.query<unknown[]>(
          `SELECT 1 FROM ${table} t WHERE t::text LIKE $1 LIMIT 1`,
          [`%${needle}%`],
        );
        if (rows.length > 0) found.push(table);
      }
      return found;
    };
    const idOf = async (appUserId: string): Promise<string> => {
      const [row] = await store.server.dataSource.query<{ id: string }[]>(
        `SELECT customer_id AS id FROM customer_aliases WHERE app_user_id = $1`,
        [appUserId],
      );
      return row?.id ?? '';
    };

    const attemptsAt = async (url: string): Promise<number> => {
      const [attempts] = await store.server.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM webhook_attempts WHERE url = $1`,
        [url],
      );
      return attempts?.count ?? 0;
    };

    it.each(['v1', 'v2'] as const)(
      'removes everything permanently through %s, with a receipt',
      async (api) => {
        const startMs = store.clock.nowMs();
        const [id, device] = [person(), `$RCAnonymousID:${(api === 'v1' ? 'a' : 'b').repeat(32)}`];
        const hook = await store.backend.post(`${store.path}/integrations/webhooks`, {
          name: 'Hook',
          url: 'http://127.0.0.1:9/hook',
        });
        await buy(device, { attributes: { secret_note: { value: `note of ${id}` } } });
        await buy(device, { product_id: 'coins_100' });
        await store.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: id });
        const internal = await idOf(id);
        expect((await rowsOf(internal)).length).toBeGreaterThan(6);
        store.clock.advanceMs(1);
        const replay = { from: startMs, to: store.clock.nowMs(), status: 'all' };
        const replayed = await store.backend.post(
          `${store.path}/webhooks/${hook.body.id}/actions/replay`,
          replay,
        );
        expect(replayed.body.queued).toBeGreaterThan(0);
        await store.server.app.get(DeliveryDispatcherService).drain();
        expect(await attemptsAt('http://127.0.0.1:9/hook')).toBeGreaterThan(0);
        store.clock.advanceMs(1);
        const answer = api === 'v1' ? await store.backend.delete(v1(id)) : await store.backend.delete(v2(id));
        expect([answer.status, answer.body]).toEqual([
          200,
          api === 'v1'
            ? { app_user_id: id, deleted: true }
            : { object: 'customer', id, deleted_at: store.clock.nowMs() },
        ]);
        for (const needle of [internal, id, device, `note of ${id}`])
          expect(await rowsOf(needle)).toEqual([]);
        const [deliveries] = await store.server.dataSource.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM webhook_deliveries WHERE webhook_integration_id = $1`,
          [hook.body.id],
        );
        expect(deliveries?.count).toBe(0);
        expect(await attemptsAt('http://127.0.0.1:9/hook')).toBe(0);
        expect(await lastAudit()).toMatchObject({
          action_type: 'customer_deleted',
          target_type: 'customer',
          target_identifier: id,
          additional_data: {
            method: 'DELETE',
            erased: {
              aliases: 2,
              attributes: 1,
              subscriptions: 1,
              purchases: 1,
              transactions: 2,
              currency_transactions: 0,
              events: 3,
            },
          },
        });
        await store.backend.delete(`${store.path}/integrations/webhooks/${hook.body.id}`);
        expect((await store.backend.get(v2(id))).status).toBe(404);
        expect((await store.backend.delete(v2(id))).status).toBe(404);
        const again = await store.backend.delete(v1(id));
        expect([again.status, again.body.code]).toEqual([404, 7259]);
        expect((await store.sdk.get(v1(id))).status).toBe(201);
      },
    );

    /** A purchase, and a webhook that only a replay of `range` tells of it. */
    const boughtBeforeHook = async () => {
      const id = person();
      const from = store.clock.nowMs();
      await buy(id);
      const range = { from, to: store.clock.nowMs() + 1, status: 'all' };
      store.clock.advanceMs(5);
      const hooks = `${store.path}/integrations/webhooks`;
      const hook = await store.backend.post(hooks, { name: 'Hook', url: 'http://127.0.0.1:9/hook' });
      return { id, hooks, hook, range };
    };

    it('removes deliveries that were replayed later, too', async () => {
      const { id, hooks, hook, range } = await boughtBeforeHook();
      const replay = await store.backend.post(`${store.path}/webhooks/${hook.body.id}/actions/replay`, range);
      expect(replay.body.queued).toBeGreaterThan(0);
      expect(await rowsOf(hook.body.id)).toContain('webhook_deliveries');
      await store.backend.delete(v2(id));
      const left = await store.server.dataSource.query<unknown[]>(
        `SELECT d.id FROM webhook_deliveries d
         LEFT JOIN events e ON e.project_id = d.project_id AND e.id = d.event_id
         WHERE d.webhook_integration_id = $1 AND e.id IS NULL`,
        [hook.body.id],
      );
      expect(left).toEqual([]);
      await store.backend.delete(`${hooks}/${hook.body.id}`);
    });

    it('removes deliveries of a replay that is under way', async () => {
      const { id, hooks, hook, range } = await boughtBeforeHook();
      const held = store.server.dataSource.createQueryRunner();
      await held.startTransaction();
      // A replay ends with its audit row: now it comes as far as that.
      await held.query('LOCK TABLE audit_logs IN SHARE MODE');
      const replay = store.backend.post(`${store.path}/webhooks/${hook.body.id}/actions/replay`, range);
      await untilBlocked(store.server, 1);
      const deletion = store.backend.delete(v2(id));
      await untilBlocked(store.server, 2);
      await held.commitTransaction();
      await held.release();
      expect((await replay).body.queued).toBeGreaterThan(0);
      expect((await deletion).status).toBe(200);
      expect(await rowsOf(hook.body.id)).not.toContain('webhook_deliveries');
      await store.backend.delete(`${hooks}/${hook.body.id}`);
    });

    it('frees purchases: posted again they are the new customer’s, with their money', async () => {
      const [id, other] = [person(), person()];
      const fetchToken = token();
      await buy(id, { fetch_token: fetchToken });
      await store.backend.delete(v2(id));
      const answer = await buy(other, { fetch_token: fetchToken });
      expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
      const [subscription] = (await store.backend.get(v2(other, '/subscriptions'))).body.items;
      expect(subscription).toMatchObject({ original_customer_id: other });
      expect(subscription.total_revenue_in_usd.gross).toBe(9.99);
    });

    it('removes the customer from deliveries of a transfer to another one', async () => {
      const [giver, taker] = [person(), person()];
      const hook = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Hook',
        url: 'http://127.0.0.1:9/hook',
        include_customer_info: true,
      });
      const fetchToken = token();
      for (const id of [giver, taker]) {
        store.clock.advanceMs(10);
        await buy(id, { fetch_token: fetchToken, attributes: { secret_note: { value: `note of ${id}` } } });
      }
      await store.server.app.get(DeliveryDispatcherService).drain();
      expect(await rowsOf(taker)).toContain('webhook_deliveries');
      await store.backend.delete(v2(taker));
      expect([await rowsOf(taker), await rowsOf(`note of ${taker}`)]).toEqual([[], []]);
      await store.backend.delete(`${store.path}/integrations/webhooks/${hook.body.id}`);
    });

    it('leaves the other side of a transfer its history, without the one who is gone', async () => {
      const [giver, taker, third] = [person(), person(), person()];
      const fetchToken = token();
      for (const id of [giver, taker, third]) {
        store.clock.advanceMs(10);
        await buy(id, { fetch_token: fetchToken });
      }
      await store.backend.delete(v2(giver));
      await store.backend.delete(v2(taker));
      expect([await rowsOf(giver), await rowsOf(taker)]).toEqual([[], []]);
      const events = (await store.backend.get(v2(third, '/events'))).body.items;
      expect(events.map(({ type }: Json) => type)).toEqual(['TRANSFER']);
      expect(events[0].body).toMatchObject({ transferred_from: [], transferred_to: [third] });
      const [{ id }] = (await store.backend.get(v2(third, '/subscriptions'))).body.items;
      const history = await store.backend.get(`${store.path}/subscriptions/${id}/ownership_history`);
      expect(
        history.body.items.map(({ from_customer_id: from, to_customer_id: to }: Json) => [from, to]),
      ).toEqual([
        [null, third],
        [null, null],
      ]);
    });

    it('removes a long history a batch at a time, also when the server dies in between', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      const internal = await idOf(id);
      await store.server.dataSource.query(
        `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, delivery, body)
         SELECT $1, now() + n * interval '1 ms', 'EVENT-' || n, now(), 'RENEWAL', 'EVENT-' || n, $2, 'send', '{}'
         FROM generate_series(1, 2500) n`,
        [store.projectId, internal],
      );
      const left = async (): Promise<number> => {
        const [row] = await store.server.dataSource.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM events WHERE customer_id = $1`,
          [internal],
        );
        return row?.count ?? -1;
      };
      expect((await store.backend.delete(v2(id))).status).toBe(200);
      expect((await store.backend.get(v2(id))).status).toBe(404);
      // Another process, which knows of it from the database alone.
      const replica = await startTestServer({ databaseUrl: store.server.databaseUrl, clock: store.clock });
      await Promise.all([replica, store.server].map(({ app }) => app.get(ErasureJob).drain()));
      expect(await left()).toBe(0);
      expect(await store.server.dataSource.query('SELECT * FROM customer_erasures')).toEqual([]);
      await replica.close();
      const { body } = await store.backend.get(`${store.path}/audit_logs?limit=2`);
      const erased = { aliases: 1, attributes: 0, subscriptions: 0, purchases: 0, transactions: 0 };
      const rows = Object.fromEntries(
        body.items.map((row: Json) => [
          row.action_type,
          [row.target_identifier, row.actor_type, row.additional_data],
        ]),
      );
      const none = { ...erased, currency_transactions: 0, sdk_events: 0 };
      expect(rows).toEqual({
        customer_deleted: [
          id,
          'api_key',
          { method: 'DELETE', status: 200, erased: { ...none, events: 1000 }, complete: false },
        ],
        customer_erased: [id, 'system', { erased: { ...none, events: 2500 } }],
      });
    });

    it('succeeds for one of many requests at once', async () => {
      const id = person();
      await buy(id);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          n % 2 ? store.backend.delete(v1(id)) : store.backend.delete(v2(id)),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    });

    it('requires a secret key that may write customers', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      const phone = await store.sdk.delete(v1(id));
      expect([phone.status, phone.body.code]).toEqual([403, 7225]);
      const reader = await createSecretKey(store.session, store.projectId, ['customer_information:*:read']);
      for (const path of [v1(id), v2(id)]) expect((await reader.client.delete(path)).status).toBe(403);
      const stranger = await createTestStore(store.server);
      expect((await stranger.backend.delete(v1(id))).status).toBe(404);
      expect((await store.backend.get(v2(id))).status).toBe(200);
    });
  });

  describe('the offering of one customer', () => {
    const current = async (id: string, headers = {}): Promise<string | null> => {
      const { body } = await store.sdk.get(v1(id, '/offerings'), headers);
      expect(body.placements).toEqual({
        fallback_offering_id: body.current_offering_id,
        offering_ids_by_placement: {},
      });
      return body.current_offering_id;
    };
    const assign = (id: string, offeringId: unknown): Promise<Answer> =>
      store.backend.post(v2(id, '/actions/assign_offering'), { offering_id: offeringId });
    let special: Json;

    beforeAll(async () => {
      const body = { lookup_key: 'special', display_name: 'For few' };
      special = (await store.backend.post(`${store.path}/offerings`, body)).body;
    });

    it('applies to them alone, at once on every server, until it is removed', async () => {
      const replica = await startTestServer({ databaseUrl: store.server.databaseUrl, clock: store.clock });
      const [id, other] = [person(), person()];
      for (const one of [id, other]) await store.sdk.get(v1(one));
      expect(await current(id)).toBe('default');
      const tag = (await store.sdk.get(v1(id, '/offerings'))).headers['x-revenuecat-etag'] ?? '';
      const answer = await assign(id, special.id);
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect([await current(id), await current(other)]).toEqual(['special', 'default']);
      expect(await current(id, { 'x-revenuecat-etag': tag })).toBe('special');
      expect(await lastAudit()).toMatchObject({
        action_type: 'customer_offering_assigned',
        additional_data: { offering_id: special.id },
      });
      const removed = await store.backend.delete(v1(id, '/offerings/override'));
      expect([removed.status, removed.body.subscriber.original_app_user_id]).toEqual([200, id]);
      expect(await current(id)).toBe('default');
      await replica.close();
    });

    it('accepts lookup key or id in REST v1 and null in v2, and repeats change nothing', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      for (const name of ['special', special.id, special.id]) {
        const answer = await store.backend.post(v1(id, `/offerings/${name}/override`));
        expect([answer.status, answer.body.subscriber.original_app_user_id]).toEqual([200, id]);
        expect(await current(id)).toBe('special');
      }
      for (let times = 0; times < 2; times++) expect((await assign(id, null)).status).toBe(200);
      expect(await current(id)).toBe('default');
    });

    it('goes along when an anonymous customer signs in, unless the other has one', async () => {
      const device = (letter: string): string => `$RCAnonymousID:${letter.repeat(32)}`;
      const [fresh, existing] = [person(), person()];
      for (const one of [device('1'), device('2'), fresh, existing]) await store.sdk.get(v1(one));
      await assign(device('1'), special.id);
      await assign(device('2'), special.id);
      await assign(existing, store.offering.id);
      const identify = (from: string, to: string) =>
        store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
      await identify(device('1'), fresh);
      await identify(device('2'), existing);
      expect([await current(fresh), await current(existing)]).toEqual(['special', 'default']);
    });

    it('counts for nothing once it is archived or deleted', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      const body = { lookup_key: 'short_lived', display_name: 'Short' };
      const { id: offeringId } = (await store.backend.post(`${store.path}/offerings`, body)).body;
      await assign(id, offeringId);
      expect(await current(id)).toBe('short_lived');
      await store.backend.post(`${store.path}/offerings/${offeringId}/actions/archive`);
      expect(await current(id)).toBe('default');
      const archived = await assign(id, offeringId);
      expect([archived.status, archived.body.type, archived.body.referenced_object_ids]).toEqual([
        422,
        'entity_references_archived_entities',
        [offeringId],
      ]);
      expect((await store.backend.post(v1(id, '/offerings/short_lived/override'))).status).toBe(400);
      await store.backend.delete(`${store.path}/offerings/${offeringId}`);
      expect(await current(id)).toBe('default');
    });

    it('needs known objects, the field, and both permissions', async () => {
      const id = person();
      await store.sdk.get(v1(id));
      const unknown = await assign(id, 'ofrng0');
      expect([unknown.status, unknown.body.param]).toEqual([404, 'offering_id']);
      expect((await assign('nobody-here', special.id)).status).toBe(404);
      expect((await assign(id, undefined)).body.param).toBe('offering_id');
      expect((await assign(id, 7)).body.param).toBe('offering_id');
      for (const path of [
        v1(id, '/offerings/ofrng0/override'),
        v1('nobody-here', '/offerings/special/override'),
      ]) {
        const answer = await store.backend.post(path);
        expect([answer.status, answer.body.code]).toEqual([404, 7259]);
      }
      expect((await store.backend.delete(v1('nobody-here', '/offerings/override'))).status).toBe(404);
      expect((await store.sdk.post(v1(id, '/offerings/special/override'))).status).toBe(403);
      const half = await createSecretKey(store.session, store.projectId, ['customer_information:*']);
      const lacking = await half.client.post(v1(id, '/offerings/special/override'));
      expect([lacking.status, lacking.body.message]).toEqual([
        403,
        'This key lacks the permission (scope) `project_configuration:offerings:read`.',
      ]);
    });
  });

  describe('actions of a store', () => {
    let id: string;
    let subscribed: string;
    let bought: string;

    beforeAll(async () => {
      id = person();
      [subscribed, bought] = [token(), token()];
      await buy(id, { fetch_token: subscribed });
      await buy(id, { fetch_token: bought, product_id: 'coins_100' });
    });

    const calls = (): [string, object | undefined][] => [
      ['/subscriptions/pro_monthly/revoke', undefined],
      ['/subscriptions/pro_monthly/defer', { extend_by_days: 7 }],
      ['/subscriptions/pro_monthly/defer', { expiry_time_ms: TEST_START_MS + 90 * DAY_MS }],
      [`/subscriptions/${subscribed}/cancel`, undefined],
      [`/subscriptions/${subscribed}/extend`, { extend_by_days: 90, extend_reason_code: 0 }],
    ];
    const refunds = (): [string, object | undefined][] => [
      [`/transactions/${subscribed}/refund`, undefined],
      [`/transactions/${bought}/refund`, undefined],
    ];

    it('refuses them with 7000 if the store of the purchase has none', async () => {
      for (const [path, body] of calls()) {
        const answer = await store.backend.post(v1(id, path), body);
        expect([path, answer.status, answer.body.code]).toEqual([path, 400, 7000]);
      }
    });

    it('answers 404 with 7259 for purchases and customers that are not there', async () => {
      for (const [path, body] of [...calls(), ...refunds()]) {
        const elsewhere = v1(id, path.replace(/(pro_monthly|test_[^/]+)/, 'unknown'));
        for (const url of [elsewhere, v1('nobody-here', path)]) {
          const answer = await store.backend.post(url, body);
          expect([url, answer.status, answer.body.code]).toEqual([url, 404, 7259]);
        }
      }
      // A one-time purchase is no subscription.
      expect((await store.backend.post(v1(id, '/subscriptions/coins_100/revoke'))).status).toBe(404);
      expect((await store.backend.post(v1(id, `/subscriptions/${bought}/cancel`))).status).toBe(404);
    });

    it('refunds what was bought in the Test Store, once', async () => {
      for (const [path, body] of refunds()) {
        store.clock.advanceMs(1000);
        const answer = await store.backend.post(v1(id, path), body);
        expect([path, answer.status]).toEqual([path, 200]);
        const again = await store.backend.post(v1(id, path), body);
        expect([path, again.status, again.body.code]).toEqual([path, 400, 7000]);
      }
      const { subscriber } = (await store.backend.get(v1(id, ''))).body;
      expect(subscriber.non_subscriptions).toEqual({});
      expect(subscriber.subscriptions.pro_monthly).toMatchObject({ refunded_at: expect.any(String) });
      const { body } = await store.backend.get(`${store.path}/customers/${id}/active_entitlements`);
      expect(body.items).toEqual([]);
    });

    it.each<[string, unknown]>([
      ['defer', undefined],
      ['defer', {}],
      ['defer', { extend_by_days: 1, expiry_time_ms: 1 }],
      ['defer', { extend_by_days: 0 }],
      ['defer', { extend_by_days: 366 }],
      ['defer', { extend_by_days: '7' }],
      ['defer', { expiry_time_ms: 1.5 }],
      ['extend', {}],
      ['extend', { extend_by_days: 7 }],
      ['extend', { extend_by_days: 91, extend_reason_code: 0 }],
      ['extend', { extend_by_days: 7, extend_reason_code: 4 }],
    ])('%s with %j is a bad body: 7226', async (action, body) => {
      const answer = await store.backend.post(v1(id, `/subscriptions/pro_monthly/${action}`), body);
      expect([answer.status, answer.body.code]).toEqual([400, 7226]);
    });

    it('refuses public keys', async () => {
      for (const [path, body] of calls()) {
        const answer = await store.sdk.post(v1(id, path), body);
        expect([answer.status, answer.body.code]).toEqual([403, 7225]);
      }
    });
  });
});
