import { createSecretKey, joinAs, signUp } from '../support/arrange.js';
import type { Json } from '../support/api-client.js';
import { walkList } from '../support/walk-list.js';
import { shop } from '../support/world.js';

const DAY_MS = 86_400_000;
const MAX = 2_000_000_000;

describe('virtual currencies', () => {
  const store = shop();
  let path: string;

  beforeAll(() => {
    path = `${store.path}/virtual_currencies`;
  });

  let made = 0;
  const define = async (more: object = {}): Promise<Json> => {
    store.clock.advanceMs(1);
    const body = { code: `C${++made}`, name: `Currency ${made}`, ...more };
    const answer = await store.backend.post(path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const buy = async (appUserId: string, productId: string) => {
    const token = `test_${store.clock.nowMs()}_vc-${++made}`;
    const body = { app_user_id: appUserId, fetch_token: token, product_id: productId };
    expect((await store.sdk.post('/v1/receipts', body)).status).toBe(200);
    return { ...body, token };
  };
  const balancesPath = (appUserId: string) =>
    `${store.path}/customers/${encodeURIComponent(appUserId)}/virtual_currencies`;
  const balance = async (appUserId: string, code: string): Promise<number | undefined> => {
    const { body } = await store.backend.get(`${balancesPath(appUserId)}?include_empty_balances=true`);
    return body.items.find((item: Json) => item.currency_code === code)?.balance;
  };
  const adjust = (appUserId: string, adjustments: object, more: object = {}) =>
    store.backend.post(`${balancesPath(appUserId)}/transactions`, { adjustments, ...more });
  const newCustomer = async (): Promise<string> => {
    const id = `player-${++made}`;
    await store.sdk.get(`/v1/subscribers/${id}`);
    return id;
  };

  describe('definitions', () => {
    it('creates, reads, changes and deletes them', async () => {
      const body = {
        code: 'GLD',
        name: 'Gold',
        description: 'Shiny',
        product_grants: [{ product_ids: [store.products.coins.id], amount: 100 }],
      };
      const created = await store.backend.post(path, body);
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        object: 'virtual_currency',
        project_id: store.projectId,
        code: 'GLD',
        name: 'Gold',
        description: 'Shiny',
        state: 'active',
        created_at: store.clock.nowMs(),
        product_grants: [
          {
            object: 'virtual_currency.product_grant',
            product_ids: [store.products.coins.id],
            amount: 100,
            trial_amount: 0,
            expire_at_cycle_end: false,
          },
        ],
      });
      expect((await store.backend.get(`${path}/GLD`)).body).toEqual(created.body);
      store.clock.advanceMs(1);
      const updated = await store.backend.post(`${path}/GLD`, {
        name: 'Gold!',
        description: null,
        product_grants: null,
      });
      expect(updated.body).toMatchObject({ name: 'Gold!', description: null, product_grants: null });
      const [log] = (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items;
      expect(log.additional_data.changes).toEqual({
        name: { old: 'Gold', new: 'Gold!' },
        description: { old: 'Shiny', new: null },
        product_grants: {
          old: [
            {
              product_ids: [store.products.coins.id],
              amount: 100,
              trial_amount: 0,
              expire_at_cycle_end: false,
            },
          ],
          new: null,
        },
      });
      const gone = await store.backend.delete(`${path}/GLD`);
      expect(gone.body).toMatchObject({ object: 'virtual_currency', id: 'GLD' });
      expect((await store.backend.get(`${path}/GLD`)).status).toBe(404);
    });

    it('allows one code each, in any number of requests at once', async () => {
      const body = { code: 'ONCE', name: 'Once' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.backend.post(path, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body).toMatchObject({ type: 'resource_already_exists', param: 'code' });
      expect((await store.backend.post(path, { code: 'once', name: 'Another' })).status).toBe(201);
    });

    it.each([
      ['code', { code: 'TOOLONGCODE', name: 'x' }],
      ['code', { code: 'A-B', name: 'x' }],
      ['name', { code: 'X', name: '' }],
      ['name', { code: 'X' }],
      [
        'product_grants.0.amount',
        { code: 'X', name: 'x', product_grants: [{ product_ids: ['p'], amount: 0 }] },
      ],
      [
        'product_grants.0.product_ids',
        { code: 'X', name: 'x', product_grants: [{ product_ids: [], amount: 1 }] },
      ],
    ])('names the invalid field: %s', async (param, body) => {
      const answer = await store.backend.post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ type: 'parameter_error', param });
    });

    it('refuses unknown products and a product in two grants, and then changes nothing', async () => {
      const currency = await define();
      const unknown = { product_grants: [{ product_ids: ['prodnone'], amount: 1 }] };
      expect((await store.backend.post(`${path}/${currency.code}`, unknown)).status).toBe(404);
      const twice = { product_ids: [store.products.coins.id], amount: 1 };
      const answer = await store.backend.post(`${path}/${currency.code}`, { product_grants: [twice, twice] });
      expect(answer.status).toBe(400);
      expect((await store.backend.get(`${path}/${currency.code}`)).body).toEqual(currency);
    });

    it('loses a grant with its product', async () => {
      const product = await store.backend.post(`${store.path}/products`, {
        store_identifier: 'short_lived',
        app_id: store.appId,
        type: 'consumable',
      });
      const grants = [{ product_ids: [product.body.id], amount: 5 }];
      const { code } = await define({ product_grants: grants });
      await store.backend.delete(`${store.path}/products/${product.body.id}`);
      expect((await store.backend.get(`${path}/${code}`)).body.product_grants).toBeNull();
    });

    it('pages oldest first, with the code as cursor', async () => {
      for (let n = 0; n < 3; n++) await define();
      const all = (await store.backend.get(`${path}?limit=100`)).body.items;
      expect(await walkList(store.backend, path, 2)).toEqual(all);
      const foreign = await store.backend.get(`${path}?starting_after=${store.products.coins.id}`);
      expect(foreign.body).toMatchObject({ type: 'parameter_error', param: 'starting_after' });
    });
  });

  describe('credits of purchases', () => {
    it('credits a consumable once, however often it is posted, and emits an event', async () => {
      const grants = [{ product_ids: [store.products.coins.id], amount: 100 }];
      const { code, name } = await define({ product_grants: grants });
      const receipt = await buy('buyer', 'coins_100');
      await store.sdk.post('/v1/receipts', receipt);
      expect(await balance('buyer', code)).toBe(100);
      const events = (await store.backend.get(`${store.path}/customers/buyer/events`)).body.items;
      const recorded = events.filter(({ type }: Json) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
      expect(recorded).toHaveLength(1);
      expect(recorded[0].body).toMatchObject({
        app_user_id: 'buyer',
        product_id: 'coins_100',
        product_display_name: 'Name of coins_100',
        purchase_environment: 'SANDBOX',
        source: 'in_app_purchase',
        store: 'TEST_STORE',
        transaction_id: receipt.token,
        sequence: 2,
        virtual_currency_transaction_id: expect.stringMatching(/^vatx/),
      });
      expect(recorded[0].body.adjustments).toContainEqual({
        amount: 100,
        currency: { code, name, description: null },
      });
      const { body } = await store.sdk.get('/v1/subscribers/buyer/virtual_currencies');
      expect(body.virtual_currencies[code]).toEqual({ balance: 100, name, code });
      await store.backend.delete(`${path}/${code}`);
    });

    it('expires credits of a subscription with its period if configured', async () => {
      const grant = { product_ids: [store.products.monthly.id], amount: 50, expire_at_cycle_end: true };
      const { code } = await define({ product_grants: [grant] });
      await buy('member', 'pro_monthly');
      await adjust('member', { [code]: 7 });
      expect(await balance('member', code)).toBe(57);
      expect((await adjust('member', { [code]: -10 })).status).toBe(200);
      store.clock.advanceMs(32 * DAY_MS);
      expect(await balance('member', code)).toBe(7);
      await store.backend.delete(`${path}/${code}`);
    });

    it('uses those of the trial during a trial', async () => {
      const trial = await store.backend.post(`${store.path}/products`, {
        store_identifier: 'with_trial',
        app_id: store.appId,
        type: 'subscription',
        subscription: { duration: 'P1M', trial_duration: 'P1W' },
      });
      const grant = { product_ids: [trial.body.id], amount: 50, trial_amount: 3 };
      const { code } = await define({ product_grants: [grant] });
      await buy('tester', 'with_trial');
      expect(await balance('tester', code)).toBe(3);
    });

    it('stops while the currency is archived, and balances stay readable', async () => {
      const grants = [{ product_ids: [store.products.coins.id], amount: 10 }];
      const { code } = await define({ product_grants: grants });
      await buy('saver', 'coins_100');
      expect((await store.backend.post(`${path}/${code}/actions/archive`)).body.state).toBe('inactive');
      await buy('saver', 'coins_100');
      expect(await balance('saver', code)).toBe(10);
      const refused = await adjust('saver', { [code]: 1 });
      expect(refused.status).toBe(422);
      await store.backend.post(`${path}/${code}/actions/unarchive`);
      expect((await adjust('saver', { [code]: 1 })).status).toBe(200);
      await store.backend.delete(`${path}/${code}`);
    });

    it('moves them along when an anonymous customer signs in to an existing one', async () => {
      const { code } = await define();
      const existing = await newCustomer();
      const anonymous = `$RCAnonymousID:${String(++made).padStart(32, '0')}`;
      await store.sdk.get(`/v1/subscribers/${anonymous}`);
      await adjust(existing, { [code]: 5 });
      await adjust(anonymous, { [code]: 8 });
      await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: anonymous,
        new_app_user_id: existing,
      });
      expect(await balance(existing, code)).toBe(13);
    });
  });

  describe('refunds', () => {
    const simulate = async (body: object): Promise<Json> => {
      const answer = await store.backend.post(`${store.path}/test_purchases`, body);
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return answer.body;
    };
    const refund = (kind: 'subscriptions' | 'purchases', id: string) =>
      store.backend.post(`${store.path}/${kind}/${id}/actions/refund`);
    const person = (): string => `refunded-${++made}`;
    const currencyEvents = async (id: string): Promise<Json[]> => {
      const { body } = await store.backend.get(`${store.path}/customers/${id}/events?limit=100`);
      const recorded = body.items.filter(({ type }: Json) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
      return recorded.sort((a: Json, b: Json) => a.body.sequence - b.body.sequence);
    };
    const amounts = (events: Json[]): number[] =>
      events.flatMap(({ body }) => body.adjustments.map(({ amount }: Json) => amount));
    const granting = (productId: string, amount: number, more: object = {}) =>
      define({ product_grants: [{ product_ids: [productId], amount, ...more }] });

    it('takes back all credits of a one-time purchase, and emit it', async () => {
      const { code, name } = await granting(store.products.coins.id, 100);
      const id = person();
      const { purchase, store_transaction_id: token } = await simulate({
        app_user_id: id,
        product_id: 'coins_100',
      });
      await adjust(id, { [code]: 5 });
      expect((await refund('purchases', purchase.id)).status).toBe(200);
      expect(await balance(id, code)).toBe(5);
      const events = await currencyEvents(id);
      expect(amounts(events)).toEqual([100, -100]);
      expect(events[1]?.body).toMatchObject({
        app_user_id: id,
        product_id: 'coins_100',
        source: 'in_app_purchase',
        transaction_id: token,
        virtual_currency_transaction_id: expect.stringMatching(/^vatx/),
        adjustments: [{ amount: -100, currency: { code, name, description: null } }],
      });
      const sent = await store.server.dataSource.query<object[]>(
        'SELECT delivery FROM events WHERE id = $1',
        [events[1]?.id],
      );
      expect(sent).toEqual([{ delivery: 'send' }]);
      // Again is refused, and takes nothing.
      expect((await refund('purchases', purchase.id)).status).toBe(422);
      expect(await balance(id, code)).toBe(5);
      await store.backend.delete(`${path}/${code}`);
    });

    it('takes back the available balance and leaves no debt', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      const id = person();
      const { purchase } = await simulate({ app_user_id: id, product_id: 'coins_100' });
      await adjust(id, { [code]: -70 });
      expect((await refund('purchases', purchase.id)).status).toBe(200);
      expect(await balance(id, code)).toBe(0);
      expect(amounts(await currencyEvents(id))).toEqual([100, -30]);
      await adjust(id, { [code]: 10 });
      expect(await balance(id, code)).toBe(10);
      await store.backend.delete(`${path}/${code}`);
    });

    it('takes back only what was credited, if the balance could not hold all', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      const id = person();
      await store.backend.post(`${store.path}/customers`, { id });
      await adjust(id, { [code]: MAX - 5 });
      const { purchase } = await simulate({ app_user_id: id, product_id: 'coins_100' });
      expect(await balance(id, code)).toBe(MAX);
      expect((await refund('purchases', purchase.id)).status).toBe(200);
      expect(await balance(id, code)).toBe(MAX - 5);
      const ledger = `SELECT kind, amount::int FROM virtual_currency_transactions WHERE code = $1 ORDER BY created_at, amount DESC`;
      expect(await store.server.dataSource.query(ledger, [code])).toEqual([
        { kind: 'adjustment', amount: MAX - 5 },
        { kind: 'product_grant', amount: 5 },
        { kind: 'refund', amount: -5 },
      ]);
      expect(amounts(await currencyEvents(id))).toEqual([5, -5]);
      await store.backend.delete(`${path}/${code}`);
    });

    it('emits nothing if all of it is spent', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      const id = person();
      const { purchase } = await simulate({ app_user_id: id, product_id: 'coins_100' });
      await adjust(id, { [code]: -100 });
      expect((await refund('purchases', purchase.id)).status).toBe(200);
      expect(amounts(await currencyEvents(id))).toEqual([100]);
      await store.backend.delete(`${path}/${code}`);
    });

    it("takes back the unused share of a subscription's period, rounded up", async () => {
      store.clock.setMs(Date.UTC(2027, 3, 11));
      const { code } = await granting(store.products.monthly.id, 100, { expire_at_cycle_end: true });
      const id = person();
      // 10 of the 30 days of April that the period lasts are over.
      const { subscription } = await simulate({
        app_user_id: id,
        product_id: 'pro_monthly',
        offset_days: 10,
      });
      expect((await refund('subscriptions', subscription.id)).status).toBe(200);
      expect(await balance(id, code)).toBe(33);
      expect(amounts(await currencyEvents(id))).toEqual([100, -67]);
      await store.backend.delete(`${path}/${code}`);
    });

    it('takes nothing for a past period or a partial refund', async () => {
      const { code } = await granting(store.products.monthly.id, 100);
      const id = person();
      const { subscription, store_transaction_id: token } = await simulate({
        app_user_id: id,
        product_id: 'pro_monthly',
        scenario: 'renewal',
      });
      expect(await balance(id, code)).toBe(200);
      const url = `${store.path}/subscriptions/${subscription.id}/transactions/${token}..0/actions/refund`;
      expect((await store.backend.post(url)).status).toBe(200);
      const first = `/v1/subscribers/${id}/transactions/${token}/refund`;
      expect((await store.backend.post(first)).status).toBe(200);
      expect(await balance(id, code)).toBe(200);
      await store.backend.delete(`${path}/${code}`);
    });

    it('returns nothing when reversed, and takes no more the second time', async () => {
      const { code } = await granting(store.products.monthly.id, 100);
      const id = person();
      const { subscription } = await simulate({
        app_user_id: id,
        product_id: 'pro_monthly',
        scenario: 'refund_reversed',
      });
      expect(await balance(id, code)).toBe(0);
      expect((await refund('subscriptions', subscription.id)).status).toBe(200);
      expect(amounts(await currencyEvents(id))).toEqual([100, -100]);
      await store.backend.delete(`${path}/${code}`);
    });

    it('credits and takes back in one change for scenarios', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      const id = person();
      const { event_types: types } = await simulate({
        app_user_id: id,
        product_id: 'coins_100',
        scenario: 'refund',
      });
      expect(types).toEqual([
        'NON_RENEWING_PURCHASE',
        'CANCELLATION',
        'VIRTUAL_CURRENCY_TRANSACTION',
        'VIRTUAL_CURRENCY_TRANSACTION',
      ]);
      expect(await balance(id, code)).toBe(0);
      await store.backend.delete(`${path}/${code}`);
    });

    it('takes several currencies back with one event', async () => {
      const [gold, silver] = [
        await granting(store.products.coins.id, 100),
        await granting(store.products.coins.id, 7),
      ];
      const id = person();
      const { purchase } = await simulate({ app_user_id: id, product_id: 'coins_100' });
      await refund('purchases', purchase.id);
      const events = await currencyEvents(id);
      expect(events).toHaveLength(2);
      expect(amounts(events).sort((a, b) => a - b)).toEqual([-100, -7, 7, 100]);
      for (const { code } of [gold, silver]) await store.backend.delete(`${path}/${code}`);
    });

    it('takes from the customer who got it, even if the purchase has another owner by now', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      const [giver, receiver] = [person(), person()];
      const { purchase } = await simulate({ app_user_id: giver, product_id: 'coins_100' });
      const transfer = { target_customer_id: receiver };
      await store.backend.post(`${store.path}/customers/${giver}/actions/transfer`, transfer);
      await adjust(receiver, { [code]: 40 });
      expect((await refund('purchases', purchase.id)).status).toBe(200);
      expect([await balance(giver, code), await balance(receiver, code)]).toEqual([0, 40]);
      expect(amounts(await currencyEvents(giver))).toEqual([100, -100]);
      expect(amounts(await currencyEvents(receiver))).toEqual([]);
      await store.backend.delete(`${path}/${code}`);
    });

    it('takes at most the balance with concurrent spending, and never twice', async () => {
      const { code } = await granting(store.products.coins.id, 100);
      for (let round = 0; round < 5; round++) {
        const id = person();
        const { purchase } = await simulate({ app_user_id: id, product_id: 'coins_100' });
        const [spending, ...refunding] = await Promise.all([
          adjust(id, { [code]: -60 }),
          refund('purchases', purchase.id),
          refund('purchases', purchase.id),
        ]);
        expect(refunding.map(({ status }) => status).sort()).toEqual([200, 422]);
        expect([200, 422]).toContain(spending.status);
        expect(await balance(id, code)).toBe(0);
        const taken = spending.status === 200 ? -40 : -100;
        expect(amounts(await currencyEvents(id))).toEqual([100, taken]);
      }
      await store.backend.delete(`${path}/${code}`);
    });
  });

  describe('adjustments', () => {
    it('adds and subtracts in one call, and returns the balances after it', async () => {
      const [gold, silver] = [await define(), await define()];
      const id = await newCustomer();
      await adjust(id, { [gold.code]: 30 });
      const answer = await adjust(id, { [gold.code]: -20, [silver.code]: 10 }, { reference: 'quest-1' });
      expect(answer.status).toBe(200);
      expect(answer.body.items).toEqual([
        {
          object: 'virtual_currency_balance',
          currency_code: gold.code,
          balance: 10,
          name: gold.name,
          description: null,
        },
        {
          object: 'virtual_currency_balance',
          currency_code: silver.code,
          balance: 10,
          name: silver.name,
          description: null,
        },
      ]);
    });

    it('applies all or nothing, and never below zero or above the bound', async () => {
      const [gold, silver] = [await define(), await define()];
      const id = await newCustomer();
      await adjust(id, { [gold.code]: 5 });
      for (const adjustments of [
        { [silver.code]: 1, [gold.code]: -6 },
        { [silver.code]: 1, [gold.code]: MAX },
      ]) {
        const answer = await adjust(id, adjustments);
        expect(answer.status).toBe(422);
        expect(answer.body).toMatchObject({ type: 'unprocessable_entity_error', param: 'adjustments' });
      }
      expect([await balance(id, gold.code), await balance(id, silver.code)]).toEqual([5, 0]);
    });

    it('spends at most the balance with many requests at once', async () => {
      const { code } = await define();
      const id = await newCustomer();
      await adjust(id, { [code]: 10 });
      const answers = await Promise.all(Array.from({ length: 25 }, () => adjust(id, { [code]: -1 })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(15);
      expect(await balance(id, code)).toBe(0);
    });

    it('sends webhooks for those made by a person, and not by a backend', async () => {
      const [gold, silver] = [await define(), await define()];
      const id = await newCustomer();
      await adjust(id, { [gold.code]: 7 });
      const { session } = await joinAs(store.server, 'developer', store.projectId);
      const url = `${balancesPath(id)}/transactions`;
      const adjustments = { [gold.code]: -2, [silver.code]: 3 };
      expect((await session.post(url, { adjustments })).status).toBe(200);
      const refused = await session.post(url, { adjustments: { [gold.code]: -6 } });
      expect(refused.status).toBe(422);
      const corrected = { adjustments: { [gold.code]: 1 } };
      expect((await session.post(`${balancesPath(id)}/update_balance`, corrected)).status).toBe(200);
      const { body } = await store.backend.get(`${store.path}/customers/${id}/events`);
      expect(body.items.map(({ type }: Json) => type)).toEqual(['VIRTUAL_CURRENCY_TRANSACTION']);
      const [event] = body.items;
      expect(event.app_id).toBeNull();
      expect(event.body).toEqual({
        id: event.id,
        type: 'VIRTUAL_CURRENCY_TRANSACTION',
        event_timestamp_ms: event.occurred_at,
        sequence: 1,
        app_user_id: id,
        original_app_user_id: id,
        aliases: [id],
        country_code: null,
        store: null,
        subscriber_attributes: {},
        product_id: null,
        product_display_name: null,
        purchase_environment: null,
        transaction_id: null,
        virtual_currency_transaction_id: expect.any(String),
        source: 'admin_api',
        adjustments: [
          { amount: -2, currency: { code: gold.code, name: gold.name, description: null } },
          { amount: 3, currency: { code: silver.code, name: silver.name, description: null } },
        ],
      });
      const [sent] = await store.server.dataSource.query('SELECT delivery FROM events WHERE id = $1', [
        event.id,
      ]);
      expect(sent).toEqual({ delivery: 'send' });
      const kept = await store.server.dataSource.query(
        'SELECT DISTINCT id FROM virtual_currency_transactions WHERE id = $1',
        [event.body.virtual_currency_transaction_id],
      );
      expect(kept).toHaveLength(1);
    });

    it('corrects a balance without counting as a transaction', async () => {
      const { code } = await define();
      const id = await newCustomer();
      const answer = await store.backend.post(`${balancesPath(id)}/update_balance`, {
        adjustments: { [code]: 9 },
      });
      expect(answer.status).toBe(200);
      expect(await balance(id, code)).toBe(9);
      const rows = await store.server.dataSource.query(
        'SELECT kind FROM virtual_currency_transactions WHERE code = $1',
        [code],
      );
      expect(rows).toEqual([{ kind: 'balance_update' }]);
    });

    it.each([
      [{}, 'adjustments'],
      [{ GLD: 1.5 }, 'adjustments.GLD'],
      [{ GLD: '1' }, 'adjustments.GLD'],
      [{ GLD: MAX + 1 }, 'adjustments.GLD'],
    ])('answers 400 for %j', async (adjustments, param) => {
      const answer = await adjust(await newCustomer(), adjustments);
      expect(answer.status).toBe(400);
      expect(answer.body.param).toBe(param);
    });

    it('answers 404 for unknown customers and currencies', async () => {
      const { code } = await define();
      expect((await adjust('nobody', { [code]: 1 })).status).toBe(404);
      const unknown = await adjust(await newCustomer(), { NONE: 1 });
      expect(unknown.status).toBe(404);
      expect(unknown.body.param).toBe('adjustments.NONE');
    });

    it('knows what another server has just created or deleted, before it is announced', async () => {
      const { code, project_id: projectId } = await define();
      const id = await newCustomer();
      expect(await balance(id, code)).toBe(0);
      const elsewhere = async (change: string): Promise<void> => {
        await store.server.dataSource.query(change, [projectId, code]);
        const raise = 'UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1';
        await store.server.dataSource.query(raise, [projectId]);
      };
      await elsewhere('DELETE FROM virtual_currencies WHERE project_id = $1 AND code = $2');
      const gone = await adjust(id, { [code]: 1 });
      expect([gone.status, gone.body.param]).toEqual([404, `adjustments.${code}`]);
      await elsewhere(
        `INSERT INTO virtual_currencies (project_id, code, name, created_at) VALUES ($1, $2, 'New', now())`,
      );
      expect((await adjust(id, { [code]: 1 })).status).toBe(200);
      expect((await store.backend.delete(`${path}/${code}`)).status).toBe(200);
    });
  });

  describe('balances', () => {
    it('pages by code and hides empty ones unless asked', async () => {
      const { code } = await define();
      const id = await newCustomer();
      await adjust(id, { [code]: 4 });
      const held = await store.backend.get(balancesPath(id));
      expect(held.body.items.map((item: Json) => item.currency_code)).toEqual([code]);
      const all = await store.backend.get(`${balancesPath(id)}?include_empty_balances=true&limit=1`);
      expect(all.body.items).toHaveLength(1);
      expect(all.body.next_page).toContain('include_empty_balances=true');
      const next = await store.backend.get(all.body.next_page);
      expect(next.body.items[0].currency_code).not.toBe(all.body.items[0].currency_code);
      const bad = await store.backend.get(`${balancesPath(id)}?include_empty_balances=perhaps`);
      expect(bad.body).toMatchObject({ param: 'include_empty_balances' });
    });

    it('lists them for the SDK at zero too, and answers 304 if unchanged', async () => {
      const { code, name } = await define();
      const id = await newCustomer();
      const url = `/v1/subscribers/${id}/virtual_currencies`;
      const first = await store.sdk.get(url);
      expect(first.body.virtual_currencies[code]).toEqual({ balance: 0, name, code });
      const etag = first.headers['x-revenuecat-etag'] ?? '';
      expect((await store.sdk.get(url, { 'x-revenuecat-etag': etag })).status).toBe(304);
      await adjust(id, { [code]: 1 });
      expect((await store.sdk.get(url, { 'x-revenuecat-etag': etag })).status).toBe(200);
    });
  });

  it('hides them from other projects, and needs their permissions', async () => {
    const { code } = await define();
    const stranger = await signUp(store.server);
    expect((await stranger.session.get(`${path}/${code}`)).status).toBe(404);
    const { client } = await createSecretKey(store.backend, store.projectId, [
      'customer_information:purchases:read',
    ]);
    const refused = await client.post(`${balancesPath('buyer')}/transactions`, {
      adjustments: { [code]: 1 },
    });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('`customer_information:purchases:read_write`');
    expect((await client.get(balancesPath('buyer'))).status).toBe(200);
  });
});
