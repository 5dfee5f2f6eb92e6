import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createTestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { shop } from '../support/world.js';

const DAY_MS = 86_400_000;

describe('identity', () => {
  const store = shop({ hasReplica: true });

  let count = 0;
  const token = (atMs = store.clock.nowMs()): string => `test_${atMs}_identity-${++count}`;
  const device = (): string => `$RCAnonymousID:${(++count).toString(16).padStart(32, '0')}`;
  const person = (): string => `person-${++count}`;
  const onReplica = (): ApiClient => store.replica.http.withKey(store.publicKey);
  const info = async (id: string) =>
    (await store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`)).body.subscriber;
  const post = (id: string, fetchToken: string, more: object = {}, client = store.sdk): Promise<Answer> =>
    client.post('/v1/receipts', {
      app_user_id: id,
      fetch_token: fetchToken,
      product_id: 'pro_monthly',
      ...more,
    });
  const identify = (from: string, to: string, client = store.sdk): Promise<Answer> =>
    client.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
  const customer = (id: string, suffix = ''): Promise<Answer> =>
    store.backend.get(`${store.path}/customers/${encodeURIComponent(id)}${suffix}`);
  const eventTypes = async (id: string): Promise<string[]> =>
    (await customer(id, '/events')).body.items.map(({ type }: Json) => type);
  const entitlements = async (id: string): Promise<string[]> => Object.keys((await info(id)).entitlements);
  const history = async (id: string, kind: 'subscriptions' | 'purchases'): Promise<Json[]> => {
    const [owned] = (await customer(id, `/${kind}`)).body.items;
    const answer = await store.backend.get(`${store.path}/${kind}/${owned.id}/ownership_history`);
    return answer.body.items;
  };

  describe('signing in', () => {
    it('adds an unknown id to an anonymous customer', async () => {
      const [from, to] = [device(), person()];
      await post(from, token());
      const answer = await identify(from, to);
      expect([answer.status, answer.body.subscriber.original_app_user_id]).toEqual([201, from]);
      expect(await history(to, 'subscriptions')).toEqual([]);
    });

    it('merges an anonymous customer into one without an anonymous id, and the record says why', async () => {
      const [from, to] = [device(), person()];
      await info(to);
      await post(from, token());
      await post(from, token(), { product_id: 'coins_100' });
      store.clock.advanceMs(1);
      const answer = await store.sdk.post(
        '/v1/subscribers/identify',
        { app_user_id: from, new_app_user_id: to },
        { 'x-request-id': 'sign-in-request' },
      );
      expect([answer.status, answer.body.subscriber.original_app_user_id]).toEqual([200, to]);
      for (const kind of ['subscriptions', 'purchases'] as const) {
        expect(await history(to, kind)).toEqual([
          {
            object: 'ownership_change',
            id: expect.stringMatching(/^own_/),
            occurred_at: store.clock.nowMs(),
            from_customer_id: from,
            to_customer_id: to,
            rule: 'sign_in',
            is_restore: null,
            request_id: 'sign-in-request',
          },
        ]);
      }
      const [alias] = (await customer(to, '/events')).body.items;
      expect(alias).toMatchObject({ type: 'SUBSCRIBER_ALIAS', body: { original_app_user_id: to } });
      expect(alias.body.aliases.sort()).toEqual([from, to].sort());
    });

    it('switches the SDK to a customer with an anonymous id; the purchases stay behind', async () => {
      const [first, second, to] = [device(), device(), person()];
      await identify(first, to);
      await post(second, token());
      expect((await identify(second, to)).status).toBe(200);
      expect([await entitlements(to), await entitlements(second)]).toEqual([[], ['pro']]);
    });

    it('switches an identified customer to the other one, created when new, and nothing moves', async () => {
      const [from, to] = [person(), person()];
      await post(from, token());
      expect((await identify(from, to)).status).toBe(201);
      expect((await identify(from, to)).status).toBe(200);
      expect([await entitlements(to), await entitlements(from)]).toEqual([[], ['pro']]);
    });

    it('changes nothing with one id twice, or with two of one customer', async () => {
      const [from, to] = [device(), person()];
      await identify(from, to);
      const before = await eventTypes(to);
      for (const [a, b] of [
        [from, to],
        [to, from],
        [to, to],
        [from, from],
      ] as const) {
        expect((await identify(a, b)).status).toBe(200);
      }
      expect(await eventTypes(to)).toEqual(before);
    });

    it('never takes the account along from an anonymous id of a customer who signed in before', async () => {
      const [old, alice, bob, carol] = [device(), person(), person(), person()];
      await identify(old, alice);
      await post(alice, token());
      await info(bob);
      expect((await identify(old, bob)).status).toBe(200);
      expect((await identify(old, carol)).status).toBe(201);
      expect(await entitlements(alice)).toEqual(['pro']);
      expect([await entitlements(bob), await entitlements(carol)]).toEqual([[], []]);
    });

    it('keeps the first value of what is written once, and as many custom attributes as fit', async () => {
      const [from, to] = [device(), person()];
      const attributes = (id: string, values: object) =>
        store.sdk.post(`/v1/subscribers/${encodeURIComponent(id)}/attributes`, { attributes: values });
      const many = (prefix: string, count: number) =>
        Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`${prefix}${n}`, { value: 'x', updated_at_ms: n + 1 }]),
        );
      await attributes(from, {
        ...many('from', 49),
        own0: { value: 'newer', updated_at_ms: 99 },
        $mediaSource: { value: 'later', updated_at_ms: 20 },
        $campaign: { value: 'first', updated_at_ms: 5 },
        $email: { value: 'newer@example.com', updated_at_ms: 20 },
      });
      await attributes(to, {
        ...many('own', 48),
        $mediaSource: { value: 'first', updated_at_ms: 10 },
        $campaign: { value: 'later', updated_at_ms: 10 },
        $email: { value: 'older@example.com', updated_at_ms: 10 },
      });
      await store.backend.post(`${store.path}/customers/${to}/attributes`, {
        attributes: [{ name: '$keyword', value: 'of the backend' }],
      });
      await attributes(from, { $keyword: { value: 'of a device', updated_at_ms: 1 } });
      expect((await identify(from, to)).status).toBe(200);
      const { body } = await store.backend.get(`${store.path}/customers/${to}?expand=attributes`);
      const merged = Object.fromEntries(
        body.attributes.items.map(({ name: key, value }: Json) => [key, value]),
      );
      expect(merged).toMatchObject({
        $mediaSource: 'first',
        $campaign: 'first',
        $keyword: 'of the backend',
        $email: 'newer@example.com',
        own0: 'newer',
      });
      const custom = Object.keys(merged).filter((key) => !key.startsWith('$'));
      expect(custom).toHaveLength(50);
      expect(custom.filter((key) => key.startsWith('from')).toSorted()).toEqual(['from47', 'from48']);
    });

    it('counts reserved names that this version does not know as custom attributes', async () => {
      const [from, to] = [device(), person()];
      const attributes = (id: string, prefix: string, count: number) => {
        const names = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
        const written = names.map((name, n) => [name, { value: 'x', updated_at_ms: n + 1 }]);
        return store.sdk.post(`/v1/subscribers/${encodeURIComponent(id)}/attributes`, {
          attributes: Object.fromEntries(written),
        });
      };
      await attributes(from, '$from', 30);
      await attributes(to, '$own', 30);
      await attributes(to, 'own', 10);
      expect((await identify(from, to)).status).toBe(200);
      const { body } = await store.backend.get(`${store.path}/customers/${to}/attributes?limit=100`);
      const names: string[] = body.items.map(({ name }: Json) => name);
      expect(names).toHaveLength(50);
      expect(names.filter((name) => name.startsWith('$from')).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, n) => `$from${20 + n}`),
      );
      expect((await attributes(to, 'one_more', 1)).body.attribute_errors).toHaveLength(1);
    });

    it('keeps the earlier first sight, the newer attribute, and the override of the existing customer', async () => {
      const [from, to] = [device(), person()];
      const attributes = (id: string, values: object) =>
        store.sdk.post(`/v1/subscribers/${encodeURIComponent(id)}/attributes`, { attributes: values });
      const early = store.clock.nowMs();
      await attributes(from, {
        a: { value: 'old', updated_at_ms: 1 },
        b: { value: 'new', updated_at_ms: 9 },
      });
      store.clock.advanceMs(DAY_MS);
      await attributes(to, { a: { value: 'kept', updated_at_ms: 2 }, b: { value: 'x', updated_at_ms: 8 } });
      await identify(from, to);
      const { body } = await store.backend.get(`${store.path}/customers/${to}?expand=attributes`);
      expect(body.first_seen_at).toBe(early);
      expect(body.attributes.items.map(({ name, value }: Json) => [name, value])).toEqual([
        ['a', 'kept'],
        ['b', 'new'],
      ]);
    });

    it.each<[string, ('from' | 'to')[], 'from' | 'to' | null]>([
      ['keeps the override of the existing customer', [], 'to'],
      ['keeps it also when the offering of the other override was deleted', ['from'], 'to'],
      [
        'takes the override of the other customer when the offering of the existing one was deleted',
        ['to'],
        'from',
      ],
      ['drops both overrides when their offerings were deleted', ['from', 'to'], null],
    ])('%s', async (_, deleted, kept) => {
      const ids = { from: device(), to: person() };
      const shown = async (): Promise<unknown> =>
        (await store.sdk.get(`/v1/subscribers/${ids.to}/offerings`)).body.current_offering_id;
      const byDefault = await shown();
      const override = async (whose: 'from' | 'to'): Promise<{ id: string; lookup_key: string }> => {
        const key = `${whose}_of_${ids.to}`;
        const { body } = await store.backend.post(`${store.path}/offerings`, {
          lookup_key: key,
          display_name: key,
        });
        await info(ids[whose]);
        const path = `${store.path}/customers/${encodeURIComponent(ids[whose])}/actions/assign_offering`;
        expect((await store.backend.post(path, { offering_id: body.id })).status).toBe(200);
        return body;
      };
      const offerings = { from: await override('from'), to: await override('to') };
      for (const whose of deleted) {
        const { status } = await store.backend.delete(`${store.path}/offerings/${offerings[whose].id}`);
        expect(status).toBe(200);
      }
      await identify(ids.from, ids.to);
      expect(await shown()).toBe(kept === null ? byDefault : offerings[kept].lookup_key);
    });

    it('ignores a backend as contact, unless it acts for a platform', async () => {
      const lastSeen = async (headers: Record<string, string>): Promise<unknown> => {
        const [from, to] = [device(), person()];
        const body = { app_user_id: from, new_app_user_id: to };
        expect((await store.backend.post('/v1/subscribers/identify', body, headers)).status).toBe(201);
        return (await store.backend.get(`${store.path}/customers/${to}`)).body.last_seen_at;
      };
      expect(await lastSeen({})).toBeNull();
      expect(await lastSeen({ 'x-platform': 'ios' })).toBe(store.clock.nowMs());
    });

    it('knows the device that was seen last, and of the other one what that did not tell', async () => {
      const phone = { 'x-platform': 'iOS', 'x-version': '5.86.0', 'x-client-version': '2.0' };
      const tablet = { 'x-platform': 'android', 'x-version': '10.17.0', 'x-storefront': 'DE' };
      const hybrid = { ...tablet, 'x-platform-flavor': 'flutter' };
      const read = (id: string, headers: Record<string, string>) =>
        store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`, headers);
      for (const [first, second, seen] of [
        [hybrid, phone, ['iOS', 'DE', '5.86.0', null]],
        [phone, hybrid, ['android', 'DE', '10.17.0', 'flutter']],
      ] as const) {
        const [to, from] = [person(), device()];
        await read(to, first);
        store.clock.advanceMs(DAY_MS);
        await read(from, second);
        await identify(from, to);
        const rows = await store.server.dataSource.query<Json[]>(
          `SELECT last_seen_platform, last_seen_country, last_seen_sdk_version, last_seen_platform_flavor,
             last_seen_app_version
           FROM customers WHERE project_id = $1 AND original_app_user_id = $2`,
          [store.projectId, to],
        );
        expect(rows.map((row) => Object.values(row as object))).toEqual([[...seen, '2.0']]);
      }
    });

    it('sends SUBSCRIBER_ALIAS only to webhooks that ask for it by name', async () => {
      const create = async (eventTypes: string[]): Promise<string> => {
        const body = { name: 'Hook', url: 'http://127.0.0.1:9/hook', event_types: eventTypes };
        const answer = await store.backend.post(`${store.path}/integrations/webhooks`, body);
        return answer.body.id;
      };
      const [asked, all] = [await create(['subscriber_alias']), await create([])];
      await identify(device(), person());
      const rows = await store.server.dataSource.query<{ integration: string; type: string }[]>(
        `SELECT webhook_integration_id AS integration, event_type AS type FROM webhook_deliveries
         WHERE event_type = 'SUBSCRIBER_ALIAS'`,
      );
      expect(rows).toEqual([{ integration: asked, type: 'SUBSCRIBER_ALIAS' }]);
      for (const id of [asked, all]) await store.backend.delete(`${store.path}/integrations/webhooks/${id}`);
    });
  });

  describe('aliases', () => {
    const alias = (path: string, body: object): Promise<Answer> =>
      store.sdk.post(`/v1/subscribers/${encodeURIComponent(path)}/alias`, body);

    it('makes two anonymous ids one customer, the older one', async () => {
      const [older, newer] = [device(), device()];
      await post(older, token());
      store.clock.advanceMs(DAY_MS);
      await post(newer, token(), { product_id: 'coins_100' });
      const answer = await alias(newer, { app_user_id: newer, new_app_user_id: older });
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect((await info(newer)).original_app_user_id).toBe(older);
      expect(Object.keys((await info(older)).non_subscriptions)).toEqual(['coins_100']);
      expect((await history(older, 'purchases'))[0]).toMatchObject({ rule: 'alias' });
    });

    it('works with unknown ids, and with the id of the path alone', async () => {
      const [one, other, third] = [device(), device(), device()];
      expect((await alias(one, { new_app_user_id: other })).status).toBe(200);
      expect((await info(other)).original_app_user_id).toBe(one);
      expect((await alias(third, { new_app_user_id: one })).status).toBe(200);
      expect((await info(third)).original_app_user_id).toBe(one);
    });

    it('treats an alias of an anonymous and an identified id as a sign-in, in either order', async () => {
      const [a, b, alice, bob] = [device(), device(), person(), person()];
      await alias(a, { new_app_user_id: alice });
      await info(bob);
      await alias(bob, { new_app_user_id: b });
      expect((await info(alice)).original_app_user_id).toBe(a);
      expect((await info(b)).original_app_user_id).toBe(bob);
    });

    it('never make two people one, whichever ids name them', async () => {
      const [a, b, alice, bob] = [device(), device(), person(), person()];
      await identify(a, alice);
      await identify(b, bob);
      for (const [path, other] of [
        [alice, bob],
        [a, b],
        [a, bob],
      ] as const) {
        expect((await alias(path, { new_app_user_id: other })).status).toBe(200);
      }
      expect((await info(alice)).original_app_user_id).toBe(a);
      expect((await info(bob)).original_app_user_id).toBe(b);
    });

    it.each([{}, { new_app_user_id: '' }, { new_app_user_id: 'a/b' }, { new_app_user_id: 'guest' }])(
      'refuses %j with 7220',
      async (body) => {
        const answer = await alias(device(), body);
        expect([answer.status, answer.body.code]).toEqual([400, 7220]);
      },
    );
  });

  describe('whose purchase it is', () => {
    type Outcome = 'merge' | 'move' | 'refuse';
    const expected = (behavior: string, restore: boolean, ownerKnown: boolean, active: boolean): Outcome => {
      if (!ownerKnown) return 'merge';
      if (behavior === 'transfer') return 'move';
      if (behavior === 'transfer_if_no_active') return active ? 'refuse' : 'move';
      if (behavior === 'share') return restore ? 'merge' : 'refuse';
      return 'refuse';
    };
    const purchases = [
      { product: 'pro_monthly', ageMs: 0, active: true },
      { product: 'pro_monthly', ageMs: 60 * DAY_MS, active: false },
      { product: 'coins_100', ageMs: 0, active: false },
    ];
    const cases = [true, false].flatMap((restore) =>
      [true, false].flatMap((ownerKnown) =>
        [true, false].flatMap((posterKnown) =>
          purchases.map((purchase) => ({ restore, ownerKnown, posterKnown, ...purchase })),
        ),
      ),
    );

    afterAll(() =>
      store.backend.post(store.path, { transfer_behavior: 'transfer', sandbox_transfer_behavior: null }),
    );

    it.each([
      ['transfer', null],
      ['transfer_if_no_active', 'transfer_if_no_active'],
      ['share', 'keep'],
      ['keep', 'share'],
    ])(
      'decides project setting %s, sandbox setting %s: 24 cases',
      async (project, sandbox) => {
        await store.backend.post(store.path, {
          transfer_behavior: project,
          sandbox_transfer_behavior: sandbox,
        });
        const behavior = sandbox ?? project;
        for (const { restore, ownerKnown, posterKnown, product, ageMs, active } of cases) {
          const owner = ownerKnown ? person() : device();
          const poster = posterKnown ? person() : device();
          const fetchToken = token(store.clock.nowMs() - ageMs);
          const posted = { product_id: product, is_restore: restore };
          await post(owner, fetchToken, { product_id: product });
          store.clock.advanceMs(10);
          const answer = await post(poster, fetchToken, posted);
          const outcome = expected(behavior, restore, ownerKnown, active);
          const name = JSON.stringify({ behavior, restore, ownerKnown, posterKnown, product, ageMs });
          const kind = product === 'coins_100' ? 'purchases' : 'subscriptions';
          if (outcome === 'refuse') {
            expect([name, answer.status, answer.body.code]).toEqual([name, 400, 7102]);
            expect([name, (await customer(owner, `/${kind}`)).body.items.length]).toEqual([name, 1]);
            expect([name, await history(owner, kind)]).toEqual([name, []]);
            continue;
          }
          expect([name, answer.status]).toEqual([name, 200]);
          const [owned, ...others] = (await customer(poster, `/${kind}`)).body.items;
          expect([name, owned?.original_customer_id, others.length]).toEqual([name, owner, 0]);
          const sameCustomer = (await info(owner)).original_app_user_id === owned.customer_id;
          expect([name, sameCustomer]).toEqual([name, outcome === 'merge']);
          const types = await eventTypes(poster);
          const wanted = outcome === 'move' ? 'TRANSFER' : 'SUBSCRIBER_ALIAS';
          expect([name, types.filter((type) => type === wanted).length]).toEqual([name, 1]);
          expect([name, types.includes('EXPIRATION') && active]).toEqual([name, false]);
          const rule = ownerKnown ? behavior : 'anonymous_owner';
          const records = await history(poster, kind);
          // A poster without an identified id joins the owner, whose purchase it stays.
          const stays = outcome === 'merge' && !posterKnown;
          const record = { from_customer_id: owner, to_customer_id: poster, rule, is_restore: restore };
          expect([name, records]).toEqual([name, stays ? [] : [expect.objectContaining(record)]]);
        }
      },
      60_000,
    );

    it.each(['transfer', 'transfer_if_no_active', 'share', 'keep'] as const)(
      'tells the SDK beforehand, with the setting %s, how a restore will be answered',
      async (behavior) => {
        await store.backend.post(store.path, {
          transfer_behavior: behavior,
          sandbox_transfer_behavior: null,
        });
        for (const { ownerKnown, posterKnown, product, ageMs } of cases.filter(({ restore }) => restore)) {
          const owner = ownerKnown ? person() : device();
          const poster = posterKnown ? person() : device();
          const fetchToken = token(store.clock.nowMs() - ageMs);
          const ask = async (id: string): Promise<Answer> =>
            store.sdk.post(`/v1/subscribers/${encodeURIComponent(id)}/restore/eligibility`, {
              fetch_token: fetchToken,
            });
          const allowed = { is_purchase_allowed_by_restore_behavior: true };
          expect((await ask(poster)).body).toEqual(allowed);
          await post(owner, fetchToken, { product_id: product });
          expect((await ask(owner)).body).toEqual(allowed);
          const { status, body } = await ask(poster);
          // Asking changes nothing, and creates no customer.
          expect((await customer(poster)).status).toBe(404);
          const answer = await post(poster, fetchToken, { product_id: product, is_restore: true });
          const name = JSON.stringify({ behavior, ownerKnown, posterKnown, product, ageMs });
          expect([name, status, body.is_purchase_allowed_by_restore_behavior]).toEqual([
            name,
            200,
            answer.status === 200,
          ]);
        }
      },
      60_000,
    );

    it('checks a token; one that nothing is known of may be posted', async () => {
      const path = `/v1/subscribers/${person()}/restore/eligibility`;
      for (const body of [{}, { fetch_token: 5 }, { fetch_token: '' }, []]) {
        expect((await store.sdk.post(path, body)).status).toBe(400);
      }
      const unknown = await store.sdk.post(path, { fetch_token: 'a.b.c' });
      expect([unknown.status, unknown.body.is_purchase_allowed_by_restore_behavior]).toEqual([200, true]);
    });

    describe('that changes hands', () => {
      const withSetting = (behavior: string) =>
        store.backend.post(store.path, { transfer_behavior: behavior, sandbox_transfer_behavior: null });
      /** Everything about the one subscription of a customer but who owns it. */
      const story = async (id: string): Promise<Json> => {
        const [{ customer_id: owner, ...subscription }] = (await customer(id, '/subscriptions')).body.items;
        const path = `${store.path}/subscriptions/${subscription.id}`;
        const payments = (await store.backend.get(`${path}/transactions`)).body.items;
        const entitled = (await store.backend.get(`${path}/entitlements`)).body.items;
        expect([typeof owner, payments.length, entitled.length]).toEqual(['string', 1, 1]);
        return { subscription, payments, entitled };
      };

      it('row 83: a moved subscription keeps its state and history, and continues for its new owner', async () => {
        await withSetting('transfer');
        const [owner, newOwner] = [person(), person()];
        const fetchToken = token();
        await post(owner, fetchToken);
        const [{ id }] = (await customer(owner, '/subscriptions')).body.items;
        const act = { subscription_id: id, scenario: 'cancel' };
        expect((await store.backend.post(`${store.path}/test_purchases`, act)).status).toBe(201);
        const before = await story(owner);
        expect(before.subscription.auto_renewal_status).toBe('will_not_renew');
        store.clock.advanceMs(10);
        expect((await post(newOwner, fetchToken, { is_restore: true })).status).toBe(200);
        expect(await story(newOwner)).toEqual(before);
        expect((await customer(owner, '/subscriptions')).body.items).toEqual([]);
        expect([await entitlements(owner), await entitlements(newOwner)]).toEqual([[], ['pro']]);
        const recorded = ['TRANSFER', 'CANCELLATION', 'INITIAL_PURCHASE'];
        expect([await eventTypes(owner), await eventTypes(newOwner)]).toEqual([recorded, ['TRANSFER']]);
        store.clock.advanceMs(10);
        const again = await store.backend.post(`${store.path}/test_purchases`, {
          ...act,
          scenario: 'uncancel',
        });
        expect(again.status).toBe(201);
        expect(await eventTypes(newOwner)).toEqual(['UNCANCELLATION', 'TRANSFER']);
        expect(await eventTypes(owner)).toEqual(recorded);
      });

      it.each([
        ['transfer', 200],
        ['transfer_if_no_active', 400],
        ['keep', 400],
        ['share', 200],
      ])(
        'row 88: an anonymous poster gets a purchase as the transfer behavior %s says',
        async (behavior, status) => {
          await withSetting(behavior);
          const [owner, poster] = [person(), device()];
          const fetchToken = token();
          await post(owner, fetchToken);
          store.clock.advanceMs(10);
          const answer = await post(poster, fetchToken, { is_restore: true });
          expect([answer.status, answer.body.code]).toEqual([status, status === 200 ? undefined : 7102]);
          const isShared = behavior === 'share';
          expect(await entitlements(owner)).toEqual(behavior === 'transfer' ? [] : ['pro']);
          expect(await entitlements(poster)).toEqual(status === 200 ? ['pro'] : []);
          const types = (await eventTypes(owner)).filter((type) => type !== 'INITIAL_PURCHASE');
          expect(types).toEqual(status === 400 ? [] : [isShared ? 'SUBSCRIBER_ALIAS' : 'TRANSFER']);
          expect((await info(owner)).original_app_user_id === (await info(poster)).original_app_user_id).toBe(
            isShared,
          );
        },
      );
    });

    it('moves all purchases of a receipt at once with each other owner told once', async () => {
      const [a, b] = [person(), person()];
      await store.backend.post(store.path, {
        transfer_behavior: 'transfer',
        sandbox_transfer_behavior: null,
      });
      const first = token();
      await post(a, first);
      await post(a, token());
      store.clock.advanceMs(10);
      await post(b, first);
      expect((await customer(a, '/subscriptions')).body.items).toHaveLength(1);
      expect((await customer(b, '/subscriptions')).body.items).toHaveLength(1);
      expect((await eventTypes(a)).filter((type) => type === 'TRANSFER')).toHaveLength(1);
    });

    it('records two moves under one request id as two', async () => {
      const ids = [person(), person(), person()];
      const tokens = [token(), token()];
      await post(ids[0]!, tokens[0]!);
      await post(ids[0]!, tokens[1]!);
      for (const [index, fetchToken] of tokens.entries()) {
        const body = { app_user_id: ids[index + 1], fetch_token: fetchToken, product_id: 'pro_monthly' };
        const answer = await store.sdk.post('/v1/receipts', body, { 'x-request-id': 'the-same-again' });
        expect(answer.status).toBe(200);
      }
    });

    it('pages the history, with the permission of its kind, for purchases of the project only', async () => {
      const [a, b] = [person(), person()];
      const fetchToken = token();
      await post(a, fetchToken);
      for (const id of [b, a, b]) {
        store.clock.advanceMs(10);
        await post(id, fetchToken);
      }
      const [{ id }] = (await customer(b, '/subscriptions')).body.items;
      const path = `${store.path}/subscriptions/${id}/ownership_history`;
      const first = await store.backend.get(`${path}?limit=2`);
      expect(first.body.items.map(({ to_customer_id: to }: Json) => to)).toEqual([b, a]);
      const second = await store.backend.get(first.body.next_page);
      expect([second.body.items.length, second.body.next_page]).toEqual([1, null]);
      expect((await store.backend.get(`${path}?starting_after=own_x`)).body.param).toBe('starting_after');
      expect((await store.backend.get(path.replace('/subscriptions/', '/purchases/'))).status).toBe(404);
      const other = await createTestStore(store.server);
      expect((await other.backend.get(path.replace(store.projectId, other.projectId))).status).toBe(404);
    });
  });

  describe('the transfer action', () => {
    const transfer = (from: string, body: unknown, client = store.backend): Promise<Answer> =>
      client.post(`${store.path}/customers/${encodeURIComponent(from)}/actions/transfer`, body);

    it('gives everything to a customer who is created for it, with one TRANSFER in both histories', async () => {
      const [from, to] = [person(), person()];
      await post(from, token());
      await post(from, token(), { product_id: 'coins_100' });
      store.clock.advanceMs(10);
      const answer = await transfer(from, { target_customer_id: to });
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).sort()).toEqual(['source_customer', 'target_customer']);
      const { source_customer: source, target_customer: target } = answer.body;
      expect([source.id, source.active_entitlements.items]).toEqual([from, []]);
      expect([target.id, target.last_seen_at]).toEqual([to, null]);
      expect(target.active_entitlements.items).toHaveLength(1);
      expect([await entitlements(from), await entitlements(to)]).toEqual([[], ['pro']]);
      expect(await eventTypes(to)).toEqual(['TRANSFER']);
      expect((await eventTypes(from))[0]).toBe('TRANSFER');
      const [{ body }] = (await customer(to, '/events')).body.items;
      expect(body).toMatchObject({
        transferred_from: [from],
        transferred_to: [to],
        app_id: store.appId,
        store: 'TEST_STORE',
        environment: 'SANDBOX',
      });
      for (const kind of ['subscriptions', 'purchases'] as const) {
        expect(await history(to, kind)).toMatchObject([{ rule: 'transfer_action', is_restore: null }]);
      }
    });

    it('takes only the purchases of the apps that are named', async () => {
      const [from, to] = [person(), person()];
      await post(from, token());
      const other = await store.backend.post(`${store.path}/apps`, { name: 'Other', type: 'test_store' });
      const nothing = await transfer(from, { target_customer_id: to, app_ids: [other.body.id] });
      expect([nothing.status, nothing.body.type]).toEqual([422, 'unprocessable_entity_error']);
      expect((await customer(to)).status).toBe(404);
      const answer = await transfer(from, { target_customer_id: to, app_ids: [store.appId] });
      expect(answer.status).toBe(200);
    });

    it.each<[string, unknown, number, string | undefined]>([
      ['no target', {}, 400, 'target_customer_id'],
      ['a target that is no id', { target_customer_id: 'a/b' }, 400, 'target_customer_id'],
      ['apps that are no list', { target_customer_id: 'x', app_ids: 'app' }, 400, 'app_ids'],
      ['no apps', { target_customer_id: 'x', app_ids: [] }, 400, 'app_ids'],
      ['an unknown app', { target_customer_id: 'x', app_ids: ['app0'] }, 404, 'app_ids'],
      ['the source itself', { target_customer_id: 'mover' }, 422, 'target_customer_id'],
    ])('refuses %s', async (_, body, status, param) => {
      await post('mover', `test_${store.clock.nowMs()}_mover`);
      const answer = await transfer('mover', body);
      expect([answer.status, answer.body.param]).toEqual([status, param]);
      expect((await transfer('nobody-at-all', { target_customer_id: 'x' })).status).toBe(404);
      expect((await customer('x')).status).toBe(404);
    });
  });

  describe('at the same moment, on two servers', () => {
    const clients = (): ApiClient[] => [store.sdk, onReplica()];
    const some = <T>(list: readonly T[], seed: number): T => list[seed % list.length]!;
    const statuses = (answers: Answer[]): number[] =>
      [...new Set(answers.map(({ status }) => status))].sort();

    it('sign-ins and purchases of the same few ids never fail and lose no purchase', async () => {
      for (let round = 0; round < 4; round++) {
        const ids = [device(), device(), person(), person()];
        const tokens = Array.from({ length: 6 }, () => token());
        const calls = Array.from({ length: 48 }, (_, n) => {
          const client = some(clients(), n);
          const [one, other] = [some(ids, n * 7 + (n >> 2)), some(ids, n * 5 + 1)];
          if (n % 3 === 0) return identify(one, other, client);
          if (n % 11 === 0) {
            return client.post(`/v1/subscribers/${encodeURIComponent(one)}/alias`, {
              new_app_user_id: other,
            });
          }
          if (n % 13 === 0) {
            return client.post(`/v1/subscribers/${encodeURIComponent(one)}/attributes`, {
              attributes: { note: { value: String(n), updated_at_ms: n } },
            });
          }
          return post(one, some(tokens, n >> 1), {}, client);
        });
        const answers = await Promise.all(calls);
        expect(statuses(answers).filter((status) => ![200, 201].includes(status))).toEqual([]);
        const rows = await store.server.dataSource.query<{ key: string; events: number }[]>(
          `SELECT s.store_key AS key, count(e.id) AS events FROM subscriptions s
           JOIN customers c ON c.project_id = s.project_id AND c.id = s.customer_id
           JOIN events e ON e.project_id = s.project_id AND e.subscription_id = s.id AND e.type = 'INITIAL_PURCHASE'
           WHERE s.store_key = ANY ($1) GROUP BY s.store_key ORDER BY s.store_key`,
          [tokens],
        );
        expect(rows).toEqual(tokens.sort().map((key) => ({ key, events: 1 })));
      }
      expect(await brokenInvariants(store.server.dataSource)).toEqual({});
    });

    it('leaves nothing half done after grants, transfers, merges, deletions and purchases of the same customers', async () => {
      const backends = [store.backend, store.replica.http.with({ authorization: '' })];
      const key = await store.session.post(`${store.path}/api_keys`, { name: 'Replica' });
      backends[1] = store.replica.http.withKey(key.body.key);
      for (let round = 0; round < 3; round++) {
        const ids = [device(), person(), person(), person()];
        await Promise.all(ids.map((id) => post(id, token())));
        const answers = await Promise.all(
          Array.from({ length: 80 }, (_, n) => {
            const [one, other] = [some(ids, n * 3 + (n >> 3)), some(ids, n + 1)];
            const backend = some(backends, n >> 1);
            const path = `${store.path}/customers/${encodeURIComponent(one)}`;
            const entitlement = { entitlement_id: store.entitlements.pro.id };
            switch (n % 10) {
              case 0:
                return backend.post(`${path}/actions/transfer`, { target_customer_id: other });
              case 1:
                return backend.delete(path);
              case 2:
                return backend.post(`${path}/attributes`, { attributes: [{ name: 'n', value: String(n) }] });
              case 3:
                return identify(one, other, some(clients(), n >> 2));
              case 4:
                return backend.post(`${store.path}/customers`, { id: one });
              case 5: {
                const expiresAtMs = store.clock.nowMs() + (n + 1) * DAY_MS;
                return backend.post(`${path}/actions/grant_entitlement`, {
                  ...entitlement,
                  expires_at: expiresAtMs,
                });
              }
              case 6:
                return backend.post(`${path}/actions/revoke_granted_entitlement`, entitlement);
              case 7:
                return backend.post(`${path}/actions/assign_offering`, { offering_id: store.offering.id });
              case 8:
                return some(clients(), n >> 2).post(`/v1/subscribers/${encodeURIComponent(one)}/alias`, {
                  new_app_user_id: other,
                });
              default:
                return post(one, token(), {}, some(clients(), n >> 2));
            }
          }),
        );
        // 404 and 409: the customer was deleted or created meanwhile; 422: nothing left to transfer.
        expect(statuses(answers).filter((status) => ![200, 201, 404, 409, 422].includes(status))).toEqual([]);
        expect(await brokenInvariants(store.server.dataSource)).toEqual({});
      }
    });
  });
});
