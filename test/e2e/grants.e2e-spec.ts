import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { shop } from '../support/world.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('promotional grants', () => {
  const store = shop();

  let count = 0;
  const person = (): string => `granted-${++count}`;
  const inDays = (days: number): number => store.clock.nowMs() + days * DAY_MS;
  const v1 = (id: string, action: string, entitlement = 'pro'): string =>
    `/v1/subscribers/${encodeURIComponent(id)}/entitlements/${entitlement}/${action}`;
  const v2 = (id: string, suffix = ''): string =>
    `${store.path}/customers/${encodeURIComponent(id)}${suffix}`;
  const promote = (id: string, body: unknown, entitlement = 'pro'): Promise<Answer> =>
    store.backend.post(v1(id, 'promotional', entitlement), body);
  const grant = (id: string, body: object, client = store.backend): Promise<Answer> =>
    client.post(v2(id, '/actions/grant_entitlement'), body);
  const revoke = (id: string, entitlementId: unknown = store.entitlements.pro.id): Promise<Answer> =>
    store.backend.post(v2(id, '/actions/revoke_granted_entitlement'), { entitlement_id: entitlementId });
  const events = async (id: string): Promise<Json[]> =>
    (await store.backend.get(v2(id, '/events'))).body.items.map(({ body }: Json) => body);
  const subscriptions = async (id: string): Promise<Json[]> =>
    (await store.backend.get(v2(id, '/subscriptions'))).body.items;
  const active = async (id: string): Promise<Json[]> =>
    (await store.backend.get(v2(id, '/active_entitlements'))).body.items;
  const lastAudit = async (): Promise<Json> =>
    (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items[0];
  const known = async (): Promise<string> => {
    const id = person();
    await store.sdk.get(`/v1/subscribers/${id}`);
    return id;
  };

  describe('through REST v1', () => {
    it('creates the customer and grants the entitlement, as the SDKs read it', async () => {
      const id = person();
      const end = inDays(30);
      const answer = await promote(id, { end_time_ms: end });
      expect(answer.status).toBe(200);
      const { subscriber } = answer.body;
      const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
      expect(subscriber.entitlements).toEqual({
        pro: {
          expires_date: iso(end),
          grace_period_expires_date: null,
          product_identifier: 'rc_promo_pro_custom',
          purchase_date: iso(store.clock.nowMs()),
        },
      });
      expect(subscriber.subscriptions.rc_promo_pro_custom).toMatchObject({
        store: 'promotional',
        is_sandbox: false,
        period_type: 'normal',
        ownership_type: 'PURCHASED',
        expires_date: iso(end),
        unsubscribe_detected_at: iso(store.clock.nowMs()),
        refunded_at: null,
        price: { amount: 0, currency: 'USD' },
        store_transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(subscriber.subscriber_attributes).toEqual({});
      const phone = await store.sdk.get(`/v1/subscribers/${id}`);
      expect([phone.status, phone.body.subscriber.entitlements]).toEqual([200, subscriber.entitlements]);
    });

    it.each<[string, number]>([
      ['daily', Date.UTC(2026, 1, 1, 12)],
      ['three_day', Date.UTC(2026, 1, 3, 12)],
      ['weekly', Date.UTC(2026, 1, 7, 12)],
      ['two_week', Date.UTC(2026, 1, 14, 12)],
      ['monthly', Date.UTC(2026, 1, 28, 12)],
      ['two_month', Date.UTC(2026, 2, 31, 12)],
      ['three_month', Date.UTC(2026, 3, 30, 12)],
      ['six_month', Date.UTC(2026, 6, 31, 12)],
      ['yearly', Date.UTC(2027, 0, 31, 12)],
      ['lifetime', Date.UTC(2226, 0, 31, 12)],
    ])('%s counts calendar time from the given start', async (duration, end) => {
      const start = Date.UTC(2026, 0, 31, 12);
      const answer = await promote(person(), { duration, start_time_ms: start });
      const subscription = answer.body.subscriber.subscriptions[`rc_promo_pro_${duration}`];
      expect(new Date(subscription.expires_date as string).getTime()).toBe(end);
      // The grant itself begins at once.
      expect(answer.body.subscriber.entitlements.pro.purchase_date).toBe(answer.body.request_date);
    });

    it('prefers a date to a duration', async () => {
      const answer = await promote(person(), { end_time_ms: inDays(2), duration: 'yearly' });
      expect(Object.keys(answer.body.subscriber.subscriptions)).toEqual(['rc_promo_pro_custom']);
    });

    it.each<[string, (now: number) => unknown]>([
      ['no body', () => undefined],
      ['no end', () => ({})],
      ['an unknown duration', () => ({ duration: 'fortnight' })],
      ['an end that is no number', () => ({ end_time_ms: 'soon' })],
      ['an end that is no whole number', (now) => ({ end_time_ms: now + 0.5 })],
      ['an end now', (now) => ({ end_time_ms: now })],
      ['an end in the past', (now) => ({ end_time_ms: now - 1 })],
      ['an end beyond what dates can say', () => ({ end_time_ms: 8e15 })],
      ['a start that puts the end into the past', () => ({ duration: 'daily', start_time_ms: 0 })],
      ['a start that puts the end too far', () => ({ duration: 'lifetime', start_time_ms: 253402300799999 })],
      ['a start behind the end', (now) => ({ end_time_ms: now + 1000, start_time_ms: now + 2000 })],
    ])('refuses %s with 7226', async (_, body) => {
      const id = person();
      const answer = await promote(id, body(store.clock.nowMs()));
      expect([answer.status, answer.body.code]).toEqual([400, 7226]);
      expect((await store.backend.get(v2(id))).status).toBe(404);
    });

    it('refuses unknown entitlements, public keys and impossible ids', async () => {
      const body = { duration: 'daily' };
      const unknown = await promote(person(), body, 'unknown');
      expect([unknown.status, unknown.body.code]).toEqual([404, 7259]);
      const phone = await store.sdk.post(v1(person(), 'promotional'), body);
      expect([phone.status, phone.body.code]).toEqual([403, 7225]);
      const slash = await promote('a/b', body);
      expect([slash.status, slash.body.code]).toEqual([400, 7220]);
      const stranger = await createTestStore(store.server);
      const id = await known();
      expect((await stranger.backend.post(v1(id, 'revoke_promotionals'))).status).toBe(404);
    });

    it('revokes them: access ends now, for every grant of the entitlement and nothing else', async () => {
      const id = person();
      await store.sdk.post('/v1/receipts', {
        app_user_id: id,
        fetch_token: `test_${store.clock.nowMs()}_own`,
        product_id: 'pro_monthly',
      });
      for (const days of [400, 500]) await promote(id, { end_time_ms: inDays(days) });
      store.clock.advanceMs(HOUR_MS);
      const answer = await store.backend.post(v1(id, 'revoke_promotionals'));
      expect(answer.status).toBe(200);
      expect(answer.body.subscriber.entitlements.pro.product_identifier).toBe('pro_monthly');
      const states = (await subscriptions(id)).map(({ store: name, status }: Json) => [name, status]);
      expect(states.sort()).toEqual([
        ['promotional', 'expired'],
        ['promotional', 'expired'],
        ['test_store', 'active'],
      ]);
      const again = await store.backend.post(v1(id, 'revoke_promotionals'));
      expect(again.status).toBe(200);
      const types = (await events(id)).map(({ type }) => type as string).sort();
      expect(types.filter((type) => type === 'EXPIRATION')).toHaveLength(2);
      expect((await store.backend.post(v1('nobody-here', 'revoke_promotionals'))).status).toBe(404);
      expect((await store.backend.post(v1(id, 'revoke_promotionals', 'unknown'))).status).toBe(404);
    });
  });

  describe('through REST v2', () => {
    it('appears as an active entitlement and a promotional subscription without money', async () => {
      const id = await known();
      const expiresAt = inDays(7);
      const answer = await grant(id, { entitlement_id: store.entitlements.pro.id, expires_at: expiresAt });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ object: 'customer', id });
      expect(answer.body.active_entitlements.items).toEqual([
        {
          object: 'customer.active_entitlement',
          entitlement_id: store.entitlements.pro.id,
          expires_at: expiresAt,
        },
      ]);
      const [subscription] = await subscriptions(id);
      expect(subscription).toMatchObject({
        product_id: null,
        status: 'active',
        gives_access: true,
        auto_renewal_status: 'will_not_renew',
        store: 'promotional',
        environment: 'production',
        ends_at: expiresAt,
        store_subscription_identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
        total_revenue_in_usd: { gross: 0 },
      });
      expect(subscription.entitlements.items.map((item: Json) => item.id)).toEqual([
        store.entitlements.pro.id,
      ]);
      const rows = await store.server.dataSource.query<unknown[]>(
        'SELECT 1 FROM store_transactions WHERE subscription_id = $1',
        [subscription.id],
      );
      expect(rows).toEqual([]);
      expect(await lastAudit()).toMatchObject({
        action_type: 'customer_entitlement_granted',
        target_identifier: id,
        additional_data: {
          entitlement_id: store.entitlements.pro.id,
          expires_at: expiresAt,
          duplicate: false,
        },
      });
    });

    it('reports start and revocation', async () => {
      const id = await known();
      const grantedAt = store.clock.nowMs();
      await grant(id, { entitlement_id: store.entitlements.pro.id, expires_at: inDays(7) });
      store.clock.advanceMs(HOUR_MS);
      const revokedAt = store.clock.nowMs();
      const answer = await revoke(id);
      expect([answer.status, answer.body.active_entitlements.items]).toEqual([200, []]);
      const [expiration, cancellation, purchase] = await events(id);
      expect(purchase).toMatchObject({
        type: 'INITIAL_PURCHASE',
        period_type: 'PROMOTIONAL',
        store: 'PROMOTIONAL',
        environment: 'PRODUCTION',
        price: 0,
        app_user_id: id,
        product_id: 'rc_promo_pro_custom',
        entitlement_ids: ['pro'],
        transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(purchase).not.toHaveProperty('app_id');
      expect(cancellation).toMatchObject({ type: 'CANCELLATION', cancel_reason: 'DEVELOPER_INITIATED' });
      expect(expiration).toMatchObject({
        type: 'EXPIRATION',
        expiration_reason: 'DEVELOPER_INITIATED',
        expiration_at_ms: store.clock.nowMs(),
        entitlement_ids: ['pro'],
      });
      const listed: Json[] = (await store.backend.get(v2(id, '/events'))).body.items;
      expect(listed.map(({ occurred_at: ms }) => ms)).toEqual([revokedAt, revokedAt, grantedAt]);
      // The newest row of the audit log is the later one.
      store.clock.advanceMs(1);
      expect((await revoke(id)).status).toBe(200);
      expect(await events(id)).toHaveLength(3);
      expect(await lastAudit()).toMatchObject({
        action_type: 'customer_granted_entitlement_revoked',
        additional_data: { revoked: 0 },
      });
    });

    it('ends on time', async () => {
      const id = await known();
      await grant(id, { entitlement_id: store.entitlements.pro.id, expires_at: inDays(1) });
      store.clock.advanceMs(DAY_MS);
      expect(await active(id)).toEqual([]);
      expect((await subscriptions(id))[0]).toMatchObject({ status: 'expired', gives_access: false });
      const again = await grant(id, { entitlement_id: store.entitlements.pro.id, expires_at: inDays(1) });
      expect([again.status, (await active(id)).length]).toEqual([201, 1]);
    });

    it('merges grants whose ends are within two hours, even if many arrive at once', async () => {
      const id = await known();
      const end = inDays(30);
      const entitlement = { entitlement_id: store.entitlements.pro.id };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          n % 2
            ? grant(id, { ...entitlement, expires_at: end + n * 60_000 })
            : promote(id, { end_time_ms: end - n * 60_000 }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 ? 201 : 200)));
      expect(await subscriptions(id)).toHaveLength(1);
      await grant(id, { ...entitlement, expires_at: end + 3 * HOUR_MS });
      expect(await subscriptions(id)).toHaveLength(2);
      expect((await events(id)).map(({ type }) => type as string)).toEqual([
        'INITIAL_PURCHASE',
        'INITIAL_PURCHASE',
      ]);
    });

    it('grants the longest access where there is more than one', async () => {
      const id = await known();
      const end = inDays(90);
      for (const expiresAt of [inDays(10), end, inDays(20)]) {
        await grant(id, { entitlement_id: store.entitlements.pro.id, expires_at: expiresAt });
      }
      expect((await active(id)).map(({ expires_at: at }: Json) => at as number)).toEqual([end]);
    });

    it.each<[string, (now: number, proId: string) => object, number, string]>([
      ['no entitlement', (now) => ({ expires_at: now + DAY_MS }), 400, 'entitlement_id'],
      [
        'an unknown entitlement',
        (now) => ({ entitlement_id: 'entl0', expires_at: now + 1 }),
        404,
        'entitlement_id',
      ],
      ['no end', (_, proId) => ({ entitlement_id: proId }), 400, 'expires_at'],
      ['an end now', (now, proId) => ({ entitlement_id: proId, expires_at: now }), 400, 'expires_at'],
      ['an end in the past', (_, proId) => ({ entitlement_id: proId, expires_at: 1 }), 400, 'expires_at'],
      ['no number', (_, proId) => ({ entitlement_id: proId, expires_at: 'soon' }), 400, 'expires_at'],
      ['an end too far', (_, proId) => ({ entitlement_id: proId, expires_at: 8e15 }), 400, 'expires_at'],
      ['null', (_, proId) => ({ entitlement_id: proId, expires_at: null }), 400, 'expires_at'],
    ])('refuses %s, naming the field', async (_, body, status, param) => {
      const id = await known();
      const answer = await grant(id, body(store.clock.nowMs(), store.entitlements.pro.id as string));
      expect([answer.status, answer.body.param]).toEqual([status, param]);
      expect(await subscriptions(id)).toEqual([]);
    });

    it('never create a customer, and need the permission', async () => {
      const body = { entitlement_id: store.entitlements.pro.id, expires_at: inDays(1) };
      expect((await grant('nobody-here', body)).status).toBe(404);
      expect((await revoke('nobody-here')).status).toBe(404);
      const id = await known();
      expect((await revoke(id, 'entl0')).status).toBe(404);
      expect((await revoke(id, null)).body.param).toBe('entitlement_id');
      const reader = await createSecretKey(store.session, store.projectId, ['customer_information:*:read']);
      expect((await grant(id, body, reader.client)).status).toBe(403);
    });

    it('refuses an archived entitlement with 422; existing grants stay and can be revoked', async () => {
      const id = await known();
      const made = await store.backend.post(`${store.path}/entitlements`, {
        lookup_key: 'old',
        display_name: 'Old',
      });
      const body = { entitlement_id: made.body.id, expires_at: inDays(1) };
      await grant(id, body);
      await store.backend.post(`${store.path}/entitlements/${made.body.id}/actions/archive`);
      const answer = await grant(id, { ...body, expires_at: inDays(9) });
      expect([answer.status, answer.body.type, answer.body.referenced_object_ids]).toEqual([
        422,
        'entity_references_archived_entities',
        [made.body.id],
      ]);
      const old = await promote(id, { duration: 'yearly' }, 'old');
      expect([old.status, old.body.code]).toEqual([400, 7226]);
      expect(await active(id)).toHaveLength(1);
      expect((await revoke(id, made.body.id)).body.active_entitlements.items).toEqual([]);
    });

    it('ends access from grants of a deleted entitlement', async () => {
      const id = await known();
      const made = await store.backend.post(`${store.path}/entitlements`, {
        lookup_key: 'gone',
        display_name: 'Gone',
      });
      await grant(id, { entitlement_id: made.body.id, expires_at: inDays(1) });
      await store.backend.delete(`${store.path}/entitlements/${made.body.id}`);
      expect(await active(id)).toEqual([]);
      const info = await store.sdk.get(`/v1/subscribers/${id}`);
      expect([info.status, info.body.subscriber.entitlements]).toEqual([200, {}]);
    });
  });

  describe('go along', () => {
    it('moves when customers become one, and when everything is transferred, but not with one app', async () => {
      const device = `$RCAnonymousID:${'7'.repeat(32)}`;
      const [owner, newOwner] = [await known(), person()];
      await promote(device, { duration: 'yearly' });
      await store.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: owner });
      expect(await active(owner)).toHaveLength(1);
      const transfer = (body: object) =>
        store.backend.post(v2(owner, '/actions/transfer'), { target_customer_id: newOwner, ...body });
      expect((await transfer({ app_ids: [store.appId] })).status).toBe(422);
      expect((await transfer({})).status).toBe(200);
      expect([await active(owner), (await active(newOwner)).length]).toEqual([[], 1]);
      const [event] = await events(newOwner);
      expect(event).toMatchObject({ type: 'TRANSFER', store: 'PROMOTIONAL', environment: 'PRODUCTION' });
      expect(event).not.toHaveProperty('app_id');
    });

    it('leaves nothing half done with grants, revocations, transfers, sign-ins and deletions at once', async () => {
      for (let round = 0; round < 3; round++) {
        const device = `$RCAnonymousID:${String(round).repeat(32)}`;
        const [one, other] = [await known(), await known()];
        const ids = [device, one, other];
        const body = (n: number) => ({
          entitlement_id: store.entitlements.pro.id,
          expires_at: inDays(n * 10 + 1),
        });
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, n) => {
            const id = ids[(n * 7 + (n >> 2)) % 3] as string;
            switch (n % 5) {
              case 0:
                return grant(id, body(n));
              case 1:
                return promote(id, { end_time_ms: inDays(n * 10 + 5) });
              case 2:
                return revoke(id);
              case 3:
                return n % 2
                  ? store.backend.delete(v2(id))
                  : store.backend.post(v2(id, '/actions/transfer'), { target_customer_id: other });
              default:
                return store.sdk.post('/v1/subscribers/identify', {
                  app_user_id: device,
                  new_app_user_id: one,
                });
            }
          }),
        );
        const odd = answers.filter(({ status }) => ![200, 201, 404, 422].includes(status));
        expect(odd.map(({ status, text }) => [status, text])).toEqual([]);
        expect(await brokenInvariants(store.server.dataSource)).toEqual({});
      }
    });
  });
});
