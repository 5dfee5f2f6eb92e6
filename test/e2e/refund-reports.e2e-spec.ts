import fc from 'fast-check';
import type { RefundFacts } from '../../libs/targeting/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import { sevenRequests, type StoredRefundRequest, storeRefundRequests } from '../support/refund-fixture.js';
import { otherShop, shop } from '../support/world.js';

const problem = ({ status, body }: Answer) => [status, body.type, body.param];

const facts: RefundFacts = {
  original_app_user_id: 'ada',
  app_config: 'app1',
  country: 'US',
  custom_attribute: {},
  refund_reason: 'OTHER',
  price_usd: 9.99,
};

describe('reports on refund requests', () => {
  const store = shop();
  const { post, get, remove } = catalogCalls(store);
  let apps: Record<'app_store' | 'play_store', string>;
  let policyId: string;
  const narrowKeys: ApiClient[] = [];

  beforeAll(async () => {
    const newApp = async (type: string, fields: object): Promise<string> =>
      (await post('/apps', { name: type, type, [type]: fields })).body.id;
    apps = {
      app_store: await newApp('app_store', { bundle_id: 'com.example.app' }),
      play_store: await newApp('play_store', { package_name: 'com.example.app' }),
    };
    policyId = (await get('/refund_policies')).body.items[0].id;
    for (const permission of ['customer_information:purchases:read', 'project_configuration:apps:read'])
      narrowKeys.push((await createSecretKey(store.session, store.projectId, [permission])).client);
    store.clock.setMs(Date.UTC(2026, 10, 28, 12));
  });

  const arrange = (requests: readonly StoredRefundRequest[]): Promise<void> =>
    storeRefundRequests(store.server.dataSource, { projectId: store.projectId, apps, policyId }, requests);

  afterEach(async () => {
    await store.server.dataSource.query('DELETE FROM refund_requests WHERE project_id = $1', [
      store.projectId,
    ]);
    for (const { id, is_default } of (await get('/refund_policies')).body.items)
      if (!is_default) await remove(`/refund_policies/${id}`);
  });

  describe('statistics', () => {
    const statistics = async (query = ''): Promise<Json> =>
      (await get(`/refund_requests/statistics${query}`)).body;

    describeAccess(
      () => store.server,
      'GET',
      (id) => `/v2/projects/${id}/refund_requests/statistics`,
      'customer_information:purchases:read',
    );

    it('counts answers, outcomes and money of seven requests', async () => {
      await arrange(sevenRequests);
      const { by_policy, by_reason, by_store, ...all } = await statistics();
      expect(all).toEqual({
        object: 'refund_statistics',
        start_date: '2026-11-01',
        end_date: '2026-11-28',
        requests: 7,
        sent: 5,
        not_wanted: 2,
        refused: 0,
        expired: 0,
        refunded: 3,
        partially_refunded: 1,
        declined: 1,
        reversed: 1,
        open: 2,
        amount_requested: 124.93,
        amount_refunded: 43.98,
        refunded_share: 60,
      });
      expect(by_policy).toEqual([
        expect.objectContaining({ id: policyId, requests: 6, sent: 5, amount_refunded: 43.98 }),
        expect.objectContaining({ id: null, requests: 1, not_wanted: 1, refunded_share: null }),
      ]);
      expect(by_store).toEqual([
        expect.objectContaining({ id: 'app_store', requests: 5, refunded: 2, refunded_share: 50 }),
        expect.objectContaining({ id: 'play_store', requests: 2, refunded: 1, refunded_share: 100 }),
      ]);
      expect(by_reason.map((row: Json) => [row.id, row.requests]).sort()).toEqual([
        ['CHARGEBACK', 2],
        ['FULFILLMENT_ISSUE', 1],
        ['NONE', 1],
        ['OTHER', 1],
        ['UNINTENDED_PURCHASE', 1],
        ['UNSATISFIED_WITH_PURCHASE', 1],
      ]);
    });

    it('narrows by days, environment, store and app', async () => {
      await arrange([
        ...sevenRequests,
        { id: 'r8', day: 2, environment: 'sandbox', answerStatus: 'refused' },
      ]);
      const counted = async (query: string) => (await statistics(query)).requests;
      expect(await counted('?start_date=2026-11-03&end_date=2026-11-04')).toBe(2);
      expect(await counted('?store=play_store')).toBe(2);
      expect(await counted(`?app_id=${apps.app_store}`)).toBe(5);
      expect(await statistics('?environment=sandbox')).toMatchObject({ requests: 1, refused: 1 });
    });

    it('assigns a request to its day in UTC, and answers the last 28 days by default', async () => {
      await arrange(sevenRequests);
      const at = (id: string, time: string): Promise<unknown> =>
        store.server.dataSource.query('UPDATE refund_requests SET requested_at = $1 WHERE id = $2', [
          time,
          id,
        ]);
      await at('r1', '2026-11-02T23:59:59.999Z');
      await at('r2', '2026-11-03T00:00:00.000Z');
      await at('r7', '2026-10-31T23:59:59.999Z');
      const days = async (from: number, to: number): Promise<number> =>
        (await statistics(`?start_date=2026-11-0${from}&end_date=2026-11-0${to}`)).requests;
      const single = [1, 2, 3, 4, 5, 6, 7].map((day) => days(day, day));
      expect(await Promise.all(single)).toEqual([0, 1, 2, 1, 1, 1, 0]);
      expect(await days(1, 7)).toBe(6);
      expect((await statistics()).requests).toBe(6);
      store.clock.setMs(Date.UTC(2026, 10, 30));
      expect(await statistics()).toMatchObject({
        start_date: '2026-11-03',
        end_date: '2026-11-30',
        requests: 5,
      });
      store.clock.setMs(Date.UTC(2026, 10, 28, 12));
    });

    it('answers zeros for days without requests', async () => {
      expect(await statistics('?start_date=2026-01-01&end_date=2026-01-01')).toMatchObject({
        requests: 0,
        amount_requested: 0,
        refunded_share: null,
        by_policy: [],
        by_reason: [],
        by_store: [],
      });
    });

    it('counts requests without a decision of the store as open, even when none is expected any more', async () => {
      await arrange([{ id: 'r1', day: 2, outcome: 'no_resolution', outcomeDay: 27 }]);
      expect(await statistics()).toMatchObject({ requests: 1, open: 1, refunded_share: null });
    });

    it.each([
      ['start_date=2026-13-01', 'start_date'],
      ['end_date=today', 'end_date'],
      ['start_date=2026-11-02&end_date=2026-11-01', 'end_date'],
      ['environment=test', 'environment'],
      ['store=stripe', 'store'],
    ])('rejects %s at %s', async (query, param) => {
      expect(problem(await get(`/refund_requests/statistics?${query}`))).toEqual([
        400,
        'parameter_error',
        param,
      ]);
    });

    it("leaves out another project's requests", async () => {
      await arrange(sevenRequests);
      const other = await otherShop(store);
      const { body } = await other.backend.get(`${other.path}/refund_requests/statistics`);
      expect(body.requests).toBe(0);
      const foreign = await store.backend.get(`${other.path}/refund_requests/statistics`);
      expect(foreign.status).toBe(404);
    });
  });

  describe('the chart of refund requests', () => {
    /** Non-zero days with the values of all measures. */
    const days = async (query = '', name = 'refund_request'): Promise<[number, number[]][]> => {
      const range = 'start_date=2026-11-01&end_date=2026-11-28';
      const { body } = await get(`/charts/${name}?${range}${query}`);
      const byDay = new Map<number, number[]>();
      for (const { cohort, value, segment = 0 } of body.values) {
        if (segment !== 0) continue;
        const day = new Date(cohort * 1000).getUTCDate();
        byDay.set(day, [...(byDay.get(day) ?? []), value]);
      }
      return [...byDay].filter(([, values]) => values.some((value) => value !== 0));
    };
    const select = (store: string) => `&selectors=${encodeURIComponent(JSON.stringify({ store }))}`;
    const ofApple = [
      [2, [1, 1, 0, 0]],
      [3, [1, 0, 0, 0]],
      [4, [0, 0, 1, 0]],
      [5, [0, 0, 0, 1]],
    ];
    const ofGoogle = [
      [6, [0, 0, 0, 1]],
      [7, [1, 0, 0, 0]],
    ];

    it('counts granted, declined, reversed and open requests by the day of the request', async () => {
      await arrange(sevenRequests);
      expect(await days()).toEqual(ofApple);
      expect(await days(select('play_store'))).toEqual(ofGoogle);
      expect(await days(select('all'))).toEqual([...ofApple, ...ofGoogle]);
    });

    it('answers under the name of the App Store alone, too', async () => {
      await arrange(sevenRequests);
      expect(await days('', 'app_store_refund_requests')).toEqual(ofApple);
    });

    it('leaves sandbox requests to charts of the sandbox', async () => {
      await arrange([...sevenRequests, { id: 'r8', day: 9, environment: 'sandbox' }]);
      expect(await days()).toEqual(ofApple);
      expect(await days('&environment=sandbox')).toEqual([[9, [0, 0, 0, 1]]]);
    });

    it.each([
      ['refund_reason', ['CHARGEBACK', 'FULFILLMENT_ISSUE', 'NONE', 'OTHER']],
      ['app', ['app_store', 'play_store']],
      ['answer', ['not_wanted', 'sent']],
      ['policy', ['Unknown']],
      ['product', ['Unknown']],
    ])('splits requests by %s, and the parts add up', async (segment, names) => {
      await arrange(sevenRequests);
      const range = 'start_date=2026-11-01&end_date=2026-11-28&resolution=month';
      const { body } = await get(`/charts/refund_request?${range}&segment=${segment}${select('all')}`);
      const [total, ...parts] = body.segments.map((_: Json, index: number) =>
        body.values
          .filter((row: Json) => row.segment === index)
          .reduce((sum: number, row: Json) => sum + row.value, 0),
      );
      expect(total).toBe(7);
      expect(parts.reduce((sum: number, part: number) => sum + part, 0)).toBe(7);
      const shown = body.segments.map((row: Json) => row.display_name);
      expect(shown).toEqual(expect.arrayContaining(names));
    });

    it('counts days as incomplete while the store may still decide', async () => {
      const range = 'start_date=2026-10-01&end_date=2026-11-28';
      const { body } = await get(`/charts/refund_request?${range}`);
      const complete = body.values.filter((row: Json) => !row.incomplete);
      expect(new Date(complete.at(-1).cohort * 1000).toISOString().slice(0, 10)).toBe('2026-10-28');
    });
  });

  describe('the preview of refund policies', () => {
    const path = '/refund_policies/actions/preview';
    const preview = async (body: object = {}): Promise<Json> => {
      const answer = await post(path, body);
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const fallback = { display_name: 'All others', preference: 'neutral' };

    describeAccess(
      () => store.server,
      'POST',
      (id) => `/v2/projects/${id}${path}`,
      'customer_information:purchases:read',
    );

    it('decides past requests by drafts, and lists those that would be answered differently', async () => {
      await arrange([
        { id: 'r1', day: 2, usd: 4.99, preference: 'grant_full', facts: { ...facts, price_usd: 4.99 } },
        { id: 'r2', day: 3, preference: 'decline', facts },
        { id: 'r3', day: 4, store: 'play_store', usd: 19.99, preference: 'neutral', facts },
      ]);
      const cheap = {
        display_name: 'Cheap',
        preference: 'grant_full',
        stores: ['app_store'],
        conditions: [{ field: 'price_usd', operator: '<', value: 5 }],
      };
      expect(await preview({ policies: [cheap, fallback] })).toEqual({
        object: 'refund_policy_preview',
        requests: 3,
        by_policy: [
          {
            policy: { id: null, display_name: 'Cheap', preference: 'grant_full' },
            requests: 1,
            amount_in_usd: 4.99,
          },
          {
            policy: { id: null, display_name: 'All others', preference: 'neutral' },
            requests: 2,
            amount_in_usd: 29.98,
          },
        ],
        by_preference: [
          { preference: 'grant_full', requests: 1, amount_in_usd: 4.99 },
          { preference: 'grant_prorated', requests: 0, amount_in_usd: 0 },
          { preference: 'decline', requests: 0, amount_in_usd: 0 },
          { preference: 'neutral', requests: 2, amount_in_usd: 29.98 },
          { preference: 'do_not_answer', requests: 0, amount_in_usd: 0 },
        ],
        changed: [{ request_id: 'r2', before: 'decline', after: 'neutral' }],
        changed_requests: 1,
        approximate: 0,
      });
    });

    it('evaluates requests that settings decided, but none that policies never see', async () => {
      const off = { decidedBy: 'setting', preference: 'do_not_answer', answerStatus: 'not_wanted' } as const;
      await arrange([
        { id: 'fixed', day: 2, decidedBy: 'setting', policyId: null, facts },
        { id: 'off', day: 2, ...off, answerReason: 'off', policyId: null, facts },
        { id: 'consent', day: 2, ...off, answerReason: 'no_consent', policyId: null, facts },
        { id: 'attribute', day: 2, decidedBy: 'customer_attribute', policyId: null, facts },
        { id: 'sandbox', day: 2, environment: 'sandbox', facts },
        { id: 'erased', day: 2, facts: null },
      ]);
      const { requests, changed } = await preview();
      expect(requests).toBe(2);
      expect(changed.map((row: Json) => row.request_id)).toEqual(['off', 'fixed']);
    });

    it('never changes the answer of a person', async () => {
      await arrange([{ id: 'r1', day: 2, decidedBy: 'person', preference: 'grant_full', facts }]);
      expect(await preview()).toMatchObject({ requests: 1, changed: [], changed_requests: 0 });
    });

    it('counts requests whose attributes were not stored as approximate', async () => {
      await arrange([
        { id: 'r1', day: 2, preference: 'neutral', facts },
        { id: 'r2', day: 2, preference: 'neutral', facts: { ...facts, custom_attribute: { plan: null } } },
      ]);
      const gold = {
        display_name: 'Gold',
        preference: 'grant_full',
        conditions: [{ field: 'custom_attribute', operator: 'in', value: ['gold'], context: 'plan' }],
      };
      expect((await preview({ policies: [gold, fallback] })).approximate).toBe(1);
      expect((await preview()).approximate).toBe(0);
    });

    it('looks back as many days as asked for', async () => {
      await arrange([
        { id: 'r1', day: 2, facts },
        { id: 'r2', day: 27, facts },
      ]);
      expect((await preview({ days: 7 })).requests).toBe(1);
      expect((await preview({ days: 90 })).requests).toBe(2);
    });

    it('changes nothing under the policies that decided', async () => {
      const price = fc.integer({ min: 0, max: 20 });
      const anyPolicy = fc.record({
        display_name: fc.constant('A policy'),
        preference: fc.constantFrom('grant_full', 'decline', 'do_not_answer'),
        conditions: fc.array(
          fc.record({
            field: fc.constant('price_usd'),
            operator: fc.constantFrom('<', '>='),
            value: price,
          }),
          { maxLength: 2 },
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyPolicy, { maxLength: 4 }),
          fc.array(fc.option(price), { minLength: 1, maxLength: 8 }),
          async (policies, prices) => {
            const inOrder = [...policies, { ...fallback, conditions: [] }];
            const decided = prices.map((price_usd, index) => ({
              id: `r${index}`,
              day: 2,
              facts: { ...facts, price_usd: price_usd ?? undefined },
              // A plain reading of the rule: the first policy whose comparisons all hold.
              preference: inOrder.find(({ conditions }) =>
                conditions.every(
                  ({ operator, value }) =>
                    price_usd !== null && (operator === '<' ? price_usd < value : price_usd >= value),
                ),
              )?.preference,
            }));
            await arrange(decided);
            const found = await preview({ policies: inOrder });
            await store.server.dataSource.query('DELETE FROM refund_requests WHERE project_id = $1', [
              store.projectId,
            ]);
            expect([found.requests, found.changed]).toEqual([prices.length, []]);
          },
        ),
        { numRuns: 15 },
      );
    });

    it('decides by the saved policies without drafts', async () => {
      await post('/refund_policies', { display_name: 'All', preference: 'decline' });
      await arrange([{ id: 'r1', day: 2, preference: 'neutral', facts }]);
      const { by_policy, changed } = await preview();
      expect(by_policy.map((row: Json) => [row.policy.display_name, row.requests])).toEqual([
        ['All', 1],
        ['All others', 0],
      ]);
      expect(changed).toEqual([{ request_id: 'r1', before: 'neutral', after: 'decline' }]);
    });

    it.each<[object, string]>([
      [{ days: 91 }, 'days'],
      [{ policies: [] }, 'policies'],
      [{ policies: [{ ...fallback, conditions: [{ field: 'x' }] }] }, 'policies[0].conditions[0].field'],
      [{ policies: [{ ...fallback, stores: ['play_store'] }] }, 'policies[0].stores'],
      [{ policies: [{ ...fallback, preference: 'x' }] }, 'policies.0.preference'],
      [
        {
          policies: [
            { ...fallback, id: 'rfpl1' },
            { ...fallback, id: 'rfpl1' },
          ],
        },
        'policies[1].id',
      ],
    ])('rejects %j at %s', async (body, param) => {
      expect(problem(await post(path, body))).toEqual([400, 'parameter_error', param]);
    });

    it('needs both permissions', async () => {
      for (const client of narrowKeys)
        expect((await client.post(`${store.path}${path}`, {})).status).toBe(403);
    });

    it("leaves out another project's requests", async () => {
      await arrange([{ id: 'r1', day: 2, facts }]);
      const other = await otherShop(store);
      expect((await other.backend.post(`${other.path}${path}`, {})).body.requests).toBe(0);
    });
  });
});
