import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { SdkEventsRepository } from '../../src/customers/sdk-events/sdk-events.repository.js';
import type { Json } from '../support/api-client.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import type { TestStore } from '../support/arrange-store.js';
import { eventForms, sendsTimestampMs } from '../support/sdk-event-forms.js';
import { buyer, otherShop, shop } from '../support/world.js';

const DAY_MS = 86_400_000;
const columns =
  'kind, app_id, is_sandbox, app_user_id, paywall_id, offering_id, session_id, platform, locale, data';

describe('events of SDKs', () => {
  const store = shop({ env: { SERVICE_SDK_EVENT_LIMIT: '2000' } });
  let live: { key: string; appId: string };

  beforeAll(async () => {
    const app = await store.backend.post(`${store.path}/apps`, {
      name: 'iPhone',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.events' },
    });
    const keys = await store.backend.get(`${store.path}/apps/${app.body.id}/public_api_keys`);
    live = { key: keys.body.items[0].key, appId: app.body.id };
  });

  // The limit is by minute.
  beforeEach(() => store.clock.advanceMs(60_000));

  const sdk = () => store.server.http.withKey(live.key);
  const set = (setting: string) => store.backend.post(store.path, { sdk_events: setting });
  const post = async (events: unknown[], headers: Record<string, string> = {}, client = sdk()) => {
    const answer = await client.send('POST', '/v1/events', { events }, headers);
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  };
  const seen = (appUserId: string, more: Json = {}): Json => ({
    type: 'paywall_impression',
    id: randomUUID(),
    app_user_id: appUserId,
    offering_id: 'default',
    paywall_id: 'pw1',
    timestamp: store.clock.nowMs(),
    ...more,
  });
  const rowsOf = (appUserId: string, projectId = store.projectId): Promise<Json[]> =>
    store.server.dataSource.query(
      `SELECT ${columns}, (extract(epoch FROM at) * 1000)::float8 AS at FROM sdk_events
       WHERE project_id = $1 AND app_user_id = $2 ORDER BY at, id`,
      [projectId, appUserId],
    );
  const viewsOf = (appUserId: string, projectId = store.projectId): Promise<Json[]> =>
    store.server.dataSource.query(
      `SELECT environment, paywall_id, (extract(epoch FROM first_at) * 1000)::float8 AS first,
         (extract(epoch FROM initiated_at) * 1000)::float8 AS initiated
       FROM paywall_views WHERE project_id = $1 AND app_user_id = $2 ORDER BY environment, paywall_id`,
      [projectId, appUserId],
    );
  const counted = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${store.server.baseUrl}/metrics`)).text();
    const samples = text.matchAll(/^tenure_sdk_events_total\{result="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...samples].map(([, result, count]) => [result, Number(count)]));
  };
  const changesOf = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const before = await counted();
    await work();
    const changes = Object.entries(await counted()).map(([name, count]) => [
      name,
      count - (before[name] ?? 0),
    ]);
    return Object.fromEntries(changes.filter(([, count]) => count !== 0)) as Record<string, number>;
  };

  describe('each form', () => {
    beforeAll(() => set('all'));
    afterAll(() => set('essential'));

    it.each(eventForms.map((form) => [form.sdk, form.row.kind, form] as const))(
      'stores from %s a %s',
      async (_, __, form) => {
        const appUserId = `form-${randomUUID()}`;
        const at = store.clock.nowMs() - 5_000;
        const time = sendsTimestampMs(form) ? 'timestamp_ms' : 'timestamp';
        const event = { ...form.event, id: randomUUID(), app_user_id: appUserId, [time]: at };
        await post([event], { 'x-platform': 'iOS' });
        expect(await rowsOf(appUserId)).toEqual([
          {
            paywall_id: null,
            offering_id: null,
            locale: null,
            ...form.row,
            app_id: live.appId,
            is_sandbox: false,
            app_user_id: appUserId,
            session_id: form.session,
            platform: 'iOS',
            at,
          },
        ]);
      },
    );
  });

  it('stores each once, however often it is sent', async () => {
    const events = [seen('repeated'), seen('repeated', { type: 'paywall_close' })];
    const changes = await changesOf(async () => {
      await post([...events, ...events]);
      await Promise.all([post(events), post(events.toReversed())]);
    });
    expect(await rowsOf('repeated')).toHaveLength(2);
    expect(changes).toEqual({ stored: 8 });
  });

  it('stores those of a phone with a wrong clock once, at the time of receipt', async () => {
    const event = seen('ahead', { timestamp: store.clock.nowMs() + 40 * DAY_MS });
    const at = store.clock.nowMs();
    await post([event, event]);
    store.clock.advanceMs(3 * 60_000);
    await post([event]);
    expect((await rowsOf('ahead')).map((row) => row.at)).toEqual([at]);
    expect(await viewsOf('ahead')).toMatchObject([{ first: at }]);
  });

  it('creates no customer', async () => {
    await post([seen('stranger')]);
    expect((await store.backend.get(`${store.path}/customers/stranger`)).status).toBe(404);
    expect(await rowsOf('stranger')).toHaveLength(1);
  });

  it('counts those of a Test Store app, or with X-Is-Sandbox, as sandbox', async () => {
    await post([seen('tester')], {}, store.sdk);
    await post([seen('tester')], { 'x-is-sandbox': 'true' });
    await post([seen('tester')], { 'x-is-sandbox': 'false' });
    const rows = (await rowsOf('tester')).map((row) => Number(row.is_sandbox));
    expect(rows.toSorted()).toEqual([0, 1, 1]);
    expect((await viewsOf('tester')).map((view) => view.environment)).toEqual(['production', 'sandbox']);
  });

  it('assigns those of a signed-in customer to that customer', async () => {
    await turnSignInOn(store.server, store.projectId);
    const { appUserId, client } = await signInAnonymously(store.server, store);
    await post([seen('another-customer')], {}, client);
    expect(await rowsOf(appUserId)).toHaveLength(1);
    expect(await rowsOf('another-customer')).toEqual([]);
  });

  it('assigns those of a backend to the app of X-Platform, and drops them without one', async () => {
    const changes = await changesOf(async () => {
      await post([seen('backend')], { 'x-platform': 'iOS' }, store.backend);
      await post([seen('backend')], {}, store.backend);
      for (const platform of ['beos', 'amazon'])
        await post([seen('backend')], { 'x-platform': platform }, store.backend);
    });
    expect((await rowsOf('backend')).map((row) => row.app_id)).toEqual([live.appId]);
    expect(changes).toEqual({ stored: 1, no_app: 3 });
  });

  it('separates projects', async () => {
    const other: TestStore = await otherShop(store);
    const event = seen('shared');
    await post([event]);
    await post([event], {}, other.sdk);
    expect(await rowsOf('shared')).toHaveLength(1);
    expect(await rowsOf('shared', other.projectId)).toMatchObject([{ app_id: other.appId }]);
    expect(await viewsOf('shared', other.projectId)).toHaveLength(1);
    await other.backend.post(other.path, { sdk_events: 'off' });
    await post([seen('shared')], {}, other.sdk);
    expect(await rowsOf('shared', other.projectId)).toHaveLength(1);
    await store.server.http.withKey(other.publicKey).post(`${store.path}`, { sdk_events: 'off' });
    await post([seen('shared')]);
    expect(await rowsOf('shared')).toHaveLength(2);
  });

  it('counts what cannot be read and answers 200', async () => {
    const changes = await changesOf(async () => {
      for (const body of ['', '{', '[]', '{"events":7}', 'x'.repeat(1024 * 1024)]) {
        const answer = await sdk().send('POST', '/v1/events', body, { 'content-type': 'application/json' });
        expect([answer.status, answer.text]).toEqual([200, '{}']);
      }
      await post([
        seen('mixed'),
        seen('mixed', { type: 'sdk_initialized' }),
        seen('mixed', { id: null }),
        seen('mixed', { timestamp: 1_000 }),
        seen('mixed', { type: 'rc_ads_ad_loaded' }),
        { type: 'web_billing', event_name: 'checkout_session_start' },
      ]);
    });
    expect(changes).toEqual({
      malformed: 5,
      stored: 1,
      unknown_type: 2,
      invalid: 1,
      too_old: 1,
      not_essential: 1,
    });
    expect(await rowsOf('mixed')).toHaveLength(1);
    const large = await sdk().send('POST', '/v1/events', 'x'.repeat(1024 * 1024 + 1));
    expect(large.status).toBe(413);
  });

  it('drops those beyond the limit of an app until the next minute', async () => {
    const many = (count: number) => Array.from({ length: count }, () => seen('eager'));
    const changes = await changesOf(async () => {
      for (let batch = 0; batch < 4; batch++) await post(many(490));
      await post(many(50));
      await post([seen('eager')], {}, store.sdk);
      store.clock.advanceMs(60_000);
      await post(many(1));
    });
    expect(changes).toEqual({ stored: 2002, limited: 10 });
  });

  it('asks for them again while the database is away', async () => {
    const repository = store.server.app.get(SdkEventsRepository, { strict: false });
    const failing = jest.spyOn(repository, 'store').mockRejectedValueOnce(new Error('away'));
    const event = seen('outage');
    const refused = await sdk().post('/v1/events', { events: [event] });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    await post([event]);
    expect(await rowsOf('outage')).toHaveLength(1);
    failing.mockRestore();
  });

  it('refuses more while 5,000 wait', async () => {
    const others = [await otherShop(store), await otherShop(store), await otherShop(store)];
    const repository = store.server.app.get(SdkEventsRepository, { strict: false });
    let free = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const slow = jest.spyOn(repository, 'store').mockReturnValue(held);
    const requests = [sdk(), ...others.map((other) => other.sdk)]
      .flatMap((client) => [client, client, client])
      .slice(0, 11)
      .map((client) =>
        client.post('/v1/events', { events: Array.from({ length: 500 }, () => seen('queued')) }),
      );
    // Only a refused request can end before the others are stored.
    expect((await Promise.race(requests)).status).toBe(503);
    free();
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    slow.mockRestore();
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 10 }, () => 200), 503]);
    await post([seen('queued')]);
    expect(await rowsOf('queued')).toHaveLength(1);
  });

  describe('views', () => {
    it('gives one view for each customer, paywall and environment', async () => {
      const at = store.clock.nowMs();
      await post([
        seen('viewer', { timestamp: at - 1_000 }),
        seen('viewer', { timestamp: at - 3_000 }),
        seen('viewer', { type: 'paywall_close', timestamp: at - 9_000 }),
        seen('viewer', { type: 'paywall_cancel', timestamp: at - 500 }),
        seen('viewer', { type: 'paywall_cancel', timestamp: at - 700 }),
        seen('viewer', { paywall_id: undefined, timestamp: at - 2_000 }),
        seen('viewer', { paywall_id: 'pw2', type: 'paywall_purchase_initiated', timestamp: at - 100 }),
      ]);
      const touch = { type: 'paywall_component_interacted', component_type: 'purchase_button' };
      await post([seen('viewer', { ...touch, paywall_id: undefined, timestamp: at - 50 })]);
      expect(await viewsOf('viewer')).toEqual([
        { environment: 'production', paywall_id: '', first: at - 2_000, initiated: at - 50 },
        { environment: 'production', paywall_id: 'pw1', first: at - 3_000, initiated: at - 700 },
        { environment: 'production', paywall_id: 'pw2', first: at - 100, initiated: at - 100 },
      ]);
    });

    it('writes no view again if nothing becomes earlier', async () => {
      const version = () =>
        store.server.dataSource.query(`SELECT xmin::text FROM paywall_views WHERE app_user_id = 'unchanged'`);
      const event = seen('unchanged');
      await post([event]);
      const before = await version();
      store.clock.advanceMs(1_000);
      await post([event, seen('unchanged')]);
      expect(await version()).toEqual(before);
    });

    it('gives the same rows in any order, with each event sent three times', async () => {
      const kinds = ['paywall_impression', 'paywall_cancel', 'paywall_close', 'custom_paywall_impression'];
      const base = store.clock.nowMs();
      const one = fc.record({
        type: fc.constantFrom(...kinds),
        paywall_id: fc.constantFrom('pw1', 'pw2', undefined),
        timestamp: fc.integer({ min: base - 50, max: base }),
        id: fc.uuid(),
      });
      const orders = fc.array(one, { minLength: 1, maxLength: 12 }).chain((events) =>
        fc.record({
          events: fc.constant(events),
          shuffled: fc.shuffledSubarray([...events, ...events, ...events], { minLength: 3 * events.length }),
          cut: fc.nat({ max: 3 * events.length }),
        }),
      );
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(orders, async ({ events, shuffled, cut }) => {
          store.clock.advanceMs(60_000);
          const [once, thrice] = [`once-${++runs}`, `thrice-${runs}`];
          const of = (appUserId: string, list: object[]) =>
            list.map((event) => ({ ...event, app_user_id: appUserId }));
          await post(of(once, events));
          const ofThrice = of(thrice, shuffled).map((event: Json) => ({
            ...event,
            id: `${event.id.slice(0, 35)}${event.id.endsWith('0') ? 1 : 0}`,
          }));
          await Promise.all([post(ofThrice.slice(0, cut)), post(ofThrice.slice(cut))]);
          const anonymous = (rows: Json[]) =>
            rows.map((row) => JSON.stringify({ ...row, app_user_id: null })).sort();
          expect(anonymous(await rowsOf(thrice))).toEqual(anonymous(await rowsOf(once)));
          expect(await viewsOf(thrice)).toEqual(await viewsOf(once));
        }),
        { numRuns: 25 },
      );
    });
  });

  describe('a customer', () => {
    const survey = (appUserId: string) =>
      seen(appUserId, {
        type: 'customer_center_survey_option_chosen',
        survey_option_id: 'other',
        additional_context: `Words of ${appUserId}`,
      });

    it('exports and erases those under all ids of a customer', async () => {
      const [erased, other] = [buyer(store), buyer(store)];
      await erased.info();
      await other.info();
      const anonymous = `$RCAnonymousID:${'e'.repeat(32)}`;
      await store.sdk.post(`${erased.v1}/alias`, { new_app_user_id: anonymous });
      await post([seen(erased.id), survey(anonymous), seen(other.id)]);
      const { text } = await store.backend.get(`${erased.path}/export`);
      const lines = text
        .split('\n')
        .filter(Boolean)
        .map((line): Json => JSON.parse(line));
      const kinds = lines
        .filter(({ object }) => object === 'sdk_event')
        .map(({ kind, data }) => [kind, data]);
      expect(kinds).toEqual(
        expect.arrayContaining([
          ['paywall_impression', {}],
          [
            'customer_center_survey_option_chosen',
            { survey_option_id: 'other', additional_context: `Words of ${anonymous}` },
          ],
        ]),
      );
      expect(lines.filter(({ object }) => object === 'paywall_view')).toMatchObject([
        { app_user_id: erased.id },
      ]);

      store.clock.advanceMs(1);
      expect((await store.backend.delete(erased.path)).status).toBe(200);
      for (const id of [erased.id, anonymous]) {
        expect([await rowsOf(id), await viewsOf(id)]).toEqual([[], []]);
      }
      expect([await rowsOf(other.id), await viewsOf(other.id)]).toEqual([
        [expect.anything()],
        [expect.anything()],
      ]);
      const { body: log } = await store.backend.get(`${store.path}/audit_logs?limit=1`);
      expect(log.items[0].additional_data.erased).toMatchObject({ sdk_events: 2 });
    });

    it('erases many in batches', async () => {
      const erased = buyer(store);
      await erased.info();
      await store.server.dataSource.query(
        `INSERT INTO sdk_events (project_id, at, id, received_at, kind, app_id, is_sandbox, app_user_id, data)
         SELECT $1, now() - n * interval '1 hour', gen_random_uuid(), now(), 'paywall_close', 'app', false, $2, '{}'
         FROM generate_series(1, 2300) n`,
        [store.projectId, erased.id],
      );
      expect((await store.backend.delete(erased.path)).status).toBe(200);
      expect(await rowsOf(erased.id)).toEqual([]);
      const { body: log } = await store.backend.get(`${store.path}/audit_logs?limit=1`);
      expect(log.items[0].additional_data.erased).toMatchObject({ sdk_events: 2300 });
    });

    it('follows a merge', async () => {
      const [source, target] = [buyer(store, `$RCAnonymousID:${'f'.repeat(32)}`), buyer(store)];
      await source.info();
      await target.info();
      await post([seen(source.id), seen(target.id)]);
      const merge = { app_user_id: source.id, new_app_user_id: target.id };
      expect((await store.sdk.post('/v1/subscribers/identify', merge)).status).toBe(200);
      const { text } = await store.backend.get(`${target.path}/export`);
      const owners = text.split('\n').filter((line) => line.includes('"object":"paywall_view"'));
      expect(owners).toHaveLength(2);
    });
  });

  describe('the setting', () => {
    it('starts as essential and changes by REST', async () => {
      const other = await otherShop(store);
      expect((await other.backend.get(other.path)).body.sdk_events).toBe('essential');
      for (const setting of ['all', 'off', 'essential']) {
        store.clock.advanceMs(1);
        const answer = await other.backend.post(other.path, { sdk_events: setting });
        expect([answer.status, answer.body.sdk_events]).toEqual([200, setting]);
      }
      const { body: log } = await other.backend.get(`${other.path}/audit_logs?limit=1`);
      expect(log.items[0].additional_data).toMatchObject({ changed_fields: ['sdk_events'] });
    });

    it.each(['some', '', null, 7, ['all']])('refuses %j by name', async (setting) => {
      const answer = await store.backend.post(store.path, { sdk_events: setting });
      expect([answer.status, answer.body.param]).toEqual([400, 'sdk_events']);
    });

    it('takes effect at once', async () => {
      const step = () =>
        seen('switched', {
          type: 'workflows',
          event_name: 'workflow_step_started',
          properties: { workflow_id: 'wfpw1' },
        });
      await post([step()]);
      await set('all');
      await post([step()]);
      await set('off');
      const changes = await changesOf(() => post([step(), seen('switched')]));
      await set('essential');
      await post([step(), seen('switched')]);
      const kinds = (await rowsOf('switched')).map((row) => row.kind as string);
      expect(kinds.toSorted()).toEqual(['paywall_impression', 'workflow_step_started']);
      expect(changes).toEqual({ off: 2 });
    });
  });

  it('takes at most 450 bytes an event with its indexes', async () => {
    await set('essential');
    store.clock.advanceMs(60_000);
    const project = await otherShop(store);
    const appUserIds = Array.from(
      { length: 490 },
      () => `$RCAnonymousID:${randomUUID().replaceAll('-', '')}`,
    );
    const visits = ['paywall_impression', 'paywall_close', 'paywall_impression', 'paywall_cancel'].map(
      (type, visit) =>
        appUserIds.map((appUserId, n) =>
          seen(appUserId, {
            ...{ type, session_id: randomUUID(), paywall_id: 'pw0123456789abcdef', paywall_revision: 12 },
            ...{ display_mode: 'full_screen', dark_mode: false, locale: 'en_US', version: 1 },
            timestamp: store.clock.nowMs() - 60_000 + visit * 10_000 + n,
          }),
        ),
    );
    const size = async (): Promise<number> => {
      const [row] = await store.server.dataSource.query(
        `SELECT sum(pg_table_size(relid) + pg_indexes_size(relid))::float8 AS bytes
         FROM pg_partition_tree('sdk_events') WHERE isleaf`,
      );
      return row.bytes;
    };
    const before = await size();
    for (const events of visits) await post(events, { 'x-platform': 'iOS' }, project.sdk);
    expect(((await size()) - before) / (4 * 490)).toBeLessThan(450);
  });
});
