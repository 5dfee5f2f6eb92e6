import { jest } from '@jest/globals';
import fc from 'fast-check';
import { bucketOf } from '../../libs/targeting/index.js';
import { CatalogService } from '../../src/catalog/snapshot/catalog.service.js';
import { EnrollmentQueueService } from '../../src/targeting/enrollments/enrollment-queue.service.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import { signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { heardChanges } from '../support/heard-changes.js';
import { startTestServer } from '../support/test-server.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { shop } from '../support/world.js';

describe('experiments', () => {
  const store = shop({ hasReplica: true });
  let treatment: Json;

  beforeAll(async () => {
    treatment = (
      await store.backend.post(`${store.path}/offerings`, {
        lookup_key: 'treatment',
        display_name: 'Treatment',
      })
    ).body;
  });

  beforeEach(() => store.clock.advanceMs(1_000));

  const { post, get, remove } = catalogCalls(store);
  const newExperiment = async (change: object = {}): Promise<Json> => {
    const { status, body } = await post('/experiments', {
      display_name: 'A test',
      offering_a_id: store.offering.id,
      offering_b_id: treatment.id,
      ...change,
    });
    expect(status).toBe(201);
    return body;
  };
  const act = (id: string, action: string, body: object = {}) =>
    post(`/experiments/${id}/actions/${action}`, body);
  const started = async (change: object = {}): Promise<Json> => {
    const { id } = await newExperiment(change);
    const { status, body } = await act(id, 'start');
    expect(status).toBe(200);
    return body;
  };
  const offerings = (id: string, headers: Record<string, string> = {}, sdk = store.sdk) =>
    sdk.with(headers).get(`/v1/subscribers/${encodeURIComponent(id)}/offerings`);
  const shown = async (id: string): Promise<string> => (await offerings(id)).body.current_offering_id;
  const experimentOf = async (id: string): Promise<Json> =>
    (await get(`/customers/${encodeURIComponent(id)}`)).body.experiment;
  const rowsOf = (id: string): Promise<Json[]> =>
    store.server.dataSource.query(
      `SELECT e.* FROM experiment_enrollments e WHERE e.project_id = $1 AND e.experiment_id = $2 ORDER BY app_user_id`,
      [store.projectId, id],
    );
  const eventsOf = async (appUserId: string): Promise<Json[]> =>
    (await get(`/customers/${encodeURIComponent(appUserId)}/events`)).body.items.filter(
      ({ type }: Json) => type === 'EXPERIMENT_ENROLLMENT',
    );
  let made = 0;
  const anonymous = (): string => `$RCAnonymousID:${(++made).toString(16).padStart(32, 'e')}`;
  const identify = (from: string, to: string) =>
    store.sdk.post('/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
  /** What the replica shows, by the catalog of now. */
  const shownByReplica = async (id: string): Promise<string> => {
    await store.replica.app.get(CatalogService, { strict: false }).getCurrent(store.projectId);
    return (await offerings(id, {}, store.replica.http.withKey(store.publicKey))).body.current_offering_id;
  };
  /** An id whose bucket is in a range, by the hash that the document gives. */
  const idIn = (
    salt: string,
    purpose: 'enroll' | 'variant',
    from: number,
    to: number,
    next = newId,
  ): string => {
    for (;;) {
      const id = next();
      const bucket = bucketOf(salt, purpose, id);
      if (bucket >= from && bucket < to) return id;
    }
  };
  const newId = (): string => `customer-${++made}`;

  afterEach(async () => {
    for (const { id, status } of (await get('/experiments?limit=100')).body.items) {
      if (status === 'running' || status === 'paused') await act(id, 'stop');
      await remove(`/experiments/${id}`);
    }
  });

  it('moves from draft to stopped, and refuses every other step', async () => {
    const draft = await newExperiment();
    expect(draft).toMatchObject({
      object: 'experiment',
      status: 'draft',
      offering_a: { id: store.offering.id, identifier: 'default', paywall_id: null },
      offering_b: { id: treatment.id },
      offering_c: null,
      enrollment_percentage: 100,
      enrollment_mode: 'only_new',
      weights: null,
      priority: 1,
      started_at: null,
      total_running_time_seconds: 0,
      conflicts: [],
      warnings: [expect.stringContaining('Variant b')],
    });
    const statusesAfter = async (...actions: string[]): Promise<number[]> => {
      const answers = [];
      for (const action of actions) answers.push(await act(draft.id, action));
      return answers.map(({ status }) => status);
    };
    expect(await statusesAfter('pause', 'resume', 'stop')).toEqual([409, 409, 409]);
    expect(await statusesAfter('start', 'start')).toEqual([200, 409]);
    expect((await remove(`/experiments/${draft.id}`)).status).toBe(409);
    store.clock.advanceMs(10_000);
    expect(await statusesAfter('pause', 'pause', 'start')).toEqual([200, 409, 409]);
    store.clock.advanceMs(5_000);
    expect(await statusesAfter('resume', 'resume')).toEqual([200, 409]);
    store.clock.advanceMs(2_000);
    expect(await statusesAfter('stop', 'stop', 'start', 'pause', 'resume')).toEqual([
      200, 409, 409, 409, 409,
    ]);
    const { body } = await get(`/experiments/${draft.id}`);
    expect([body.status, body.total_running_time_seconds]).toEqual(['stopped', 12]);
    store.clock.advanceMs(1);
    await post(`/experiments/${draft.id}`, { notes: 'won by b' });
    const [noted] = (await get('/audit_logs?limit=1')).body.items;
    expect(noted.additional_data).toMatchObject({
      changed_fields: ['notes'],
      changes: { notes: { old: null, new: 'won by b' } },
    });
    const { body: log } = await get('/audit_logs?limit=6');
    expect(log.items.map((row: Json) => row.action_type).sort()).toEqual(
      ['created', 'paused', 'resumed', 'started', 'stopped', 'updated'].map(
        (action) => `experiment_${action}`,
      ),
    );
  });

  it.each<[object, number, string]>([
    [{ offering_b_id: 'ofrngx' }, 404, 'offering_b_id'],
    [{ offering_d_id: 'ofrngx' }, 400, 'offering_c_id'],
    [{ enrollment_percentage: 0 }, 400, 'enrollment_percentage'],
    [{ weights: [50, 51] }, 400, 'weights'],
    [{ weights: [100] }, 400, 'weights'],
    [{ primary_metric: 'luck' }, 400, 'primary_metric'],
    [{ experiment_duration_settings: { a: 'x' } }, 400, 'experiment_duration_settings'],
    [
      { targeting_conditions: [{ field: 'rollout', operator: '<', value: 5 }] },
      400,
      'targeting_conditions[0].field',
    ],
  ])('refuses %j with %i naming %s', async (change, status, param) => {
    const answer = await post('/experiments', {
      display_name: 'x',
      offering_a_id: store.offering.id,
      offering_b_id: treatment.id,
      ...change,
    });
    expect([answer.status, answer.body.param]).toEqual([status, param]);
  });

  it('needs variants that differ', async () => {
    const same = { display_name: 'x', offering_a_id: treatment.id, offering_b_id: treatment.id };
    const answer = await post('/experiments', same);
    expect([answer.status, answer.body.param]).toEqual([422, 'offering_b_id']);
    const placements = {
      placement_offerings: [{ placement_identifier: 'p', offering_a_id: null, offering_b_id: treatment.id }],
    };
    const { placements: kept } = await newExperiment({ ...same, placements });
    expect(kept.placement_offerings).toEqual([
      {
        placement_identifier: 'p',
        offering_a: null,
        offering_b: expect.objectContaining({ id: treatment.id }),
      },
    ]);
    // A placement that a variant leaves out shows the fallback, which is not the same as no offering.
    const [none] = placements.placement_offerings;
    const omitted = { ...none, offering_b_id: undefined };
    await newExperiment({ ...same, placements: { placement_offerings: [omitted] } });
    const shown = { ...none, offering_a_id: treatment.id };
    const twins = await post('/experiments', { ...same, placements: { placement_offerings: [shown] } });
    expect([twins.status, twins.body.param]).toEqual([422, 'offering_b_id']);
  });

  it('allows only harmless changes once they run', async () => {
    const { id } = await started();
    const change = async (body: object) => {
      const { status, body: answer } = await post(`/experiments/${id}`, body);
      return [status, answer.param];
    };
    expect(await change({ notes: 'n', enrollment_percentage: 50, weights: [90, 10] })).toEqual([
      200,
      undefined,
    ]);
    expect(await change({ enrollment_mode: 'new_and_existing' })).toEqual([409, 'enrollment_mode']);
    expect(await change({ enrollment_mode: 'only_new' })).toEqual([200, undefined]);
    expect(await change({ offering_b_id: store.offering.id })).toEqual([409, 'offering_a_id']);
    await act(id, 'pause');
    expect(await change({ enrollment_percentage: 60 })).toEqual([409, 'enrollment_percentage']);
    expect(await change({ display_name: 'Other', primary_metric: 'total_mrr' })).toEqual([200, undefined]);
    await act(id, 'stop');
    expect(await change({ primary_metric: 'customers' })).toEqual([409, 'primary_metric']);
    expect(await change({ display_name: 'Old', notes: null })).toEqual([200, undefined]);
  });

  it('deletes the placements of a variant that a draft loses', async () => {
    const { id } = await newExperiment({
      offering_c_id: treatment.id,
      placements: {
        fallback_offering_c_id: store.offering.id,
        placement_offerings: [
          { placement_identifier: 'p', offering_b_id: null, offering_c_id: treatment.id },
        ],
      },
    });
    const { status, body } = await post(`/experiments/${id}`, { offering_c_id: null });
    expect([status, body.offering_c]).toEqual([200, null]);
    expect(body.placements).toEqual({
      placement_offerings: [{ placement_identifier: 'p', offering_b: null }],
    });
  });

  it('shows a customer one variant for good, and notifies webhooks once', async () => {
    const receiver = await startReceiver();
    const hook = (change: object) =>
      post('/integrations/webhooks', { name: 'Hook', url: receiver.url, ...change });
    expect((await hook({})).status).toBe(201);
    await hook({ app_id: store.appId });
    await hook({ environment: 'sandbox' });
    const { id } = await started();
    const first = await offerings('user_1', { 'x-platform': 'iOS', 'x-storefront': 'USA' });
    const variant = first.body.current_offering_id === 'treatment' ? 'b' : 'a';
    expect(first.body).toMatchObject({
      placements: { fallback_offering_id: first.body.current_offering_id, offering_ids_by_placement: {} },
    });
    expect(first.body.targeting).toBeUndefined();
    expect(await experimentOf('user_1')).toEqual({
      object: 'experiment_enrollment',
      id,
      name: 'A test',
      variant,
    });
    await post(`/experiments/${id}`, {
      enrollment_percentage: 1,
      weights: variant === 'a' ? [1, 99] : [99, 1],
    });
    expect(await shown('user_1')).toBe(first.body.current_offering_id);
    const events = await eventsOf('user_1');
    expect(events).toHaveLength(1);
    const { body: event } = await get(`/events/${events[0]?.id}`);
    const at = event.body.enrolled_at_ms;
    expect(event.body).toEqual({
      id: events[0]?.id,
      type: 'EXPERIMENT_ENROLLMENT',
      event_timestamp_ms: at,
      sequence: expect.any(Number),
      app_user_id: 'user_1',
      original_app_user_id: 'user_1',
      aliases: ['user_1'],
      experiment_id: id,
      experiment_variant: variant,
      offering_id: first.body.current_offering_id,
      experiment_enrolled_at_ms: at,
      enrolled_at_ms: at,
    });
    const deliveries = await store.server.dataSource.query(
      `SELECT d.id FROM webhook_deliveries d WHERE d.project_id = $1 AND d.event_type = 'EXPERIMENT_ENROLLMENT'`,
      [store.projectId],
    );
    expect(deliveries).toHaveLength(1);
    const [row] = await rowsOf(id);
    expect(row).toMatchObject({ platform: 'ios', country: 'US', is_sandbox: true, merged: false });
    await store.sdk.post('/v1/receipts', {
      app_user_id: 'user_1',
      fetch_token: `test_${store.clock.nowMs()}_variant`,
      product_id: 'pro_monthly',
    });
    const { body: history } = await get('/customers/user_1/events');
    const purchase = history.items.find(({ type }: Json) => type === 'INITIAL_PURCHASE');
    const { body: sale } = await get(`/events/${purchase.id}`);
    expect(sale.body.experiments).toEqual([
      { experiment_id: id, experiment_variant: variant, enrolled_at_ms: at },
    ]);
    await receiver.close();
  });

  it('enrolls a customer once, however many requests come at once, on two replicas', async () => {
    const { id } = await started();
    const [ann, device] = ['racing-ann', anonymous()];
    const sdks = [store.sdk, store.replica.http.withKey(store.publicKey)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => offerings('racer', {}, sdks[index % 2])),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.current_offering_id}`)).size).toBe(1);
    // Two ids of one customer, made before the customer could join.
    await act(id, 'pause');
    await store.sdk.get(`/v1/subscribers/${device}`);
    await identify(device, ann);
    await act(id, 'resume');
    const both = await Promise.all([ann, device].map((name, index) => offerings(name, {}, sdks[index])));
    expect(new Set(both.map(({ body }) => body.current_offering_id)).size).toBe(1);
    expect((await rowsOf(id)).map(({ app_user_id: name }) => name)).toHaveLength(2);
    expect([(await eventsOf('racer')).length, (await eventsOf(ann)).length]).toEqual([1, 1]);
  });

  it('enrolls only new customers, unless configured otherwise', async () => {
    await store.sdk.get('/v1/subscribers/old-customer');
    store.clock.advanceMs(1);
    const { id } = await started();
    await store.sdk.get('/v1/subscribers/same-instant');
    await shown('old-customer');
    await shown('same-instant');
    expect((await rowsOf(id)).map((row) => row.app_user_id)).toEqual(['same-instant']);
    await act(id, 'stop');
    const { id: everyone } = await started({ enrollment_mode: 'new_and_existing' });
    await shown('old-customer');
    expect((await rowsOf(everyone)).map((row) => row.app_user_id)).toEqual(['old-customer']);
  });

  it('skips customers with an override, blocked customers, and requests of backends', async () => {
    const { id } = await started();
    await store.sdk.get('/v1/subscribers/special');
    await post('/customers/special/actions/assign_offering', { offering_id: treatment.id });
    await post('/blocked_customers', { app_user_id: 'blocked-one' });
    expect([await shown('special'), await shown('blocked-one')]).toEqual(['treatment', 'default']);
    await store.backend.with({ 'x-platform': 'test' }).get('/v1/subscribers/by-backend/offerings');
    expect(await rowsOf(id)).toEqual([]);
    await post('/customers/special/actions/assign_offering', { offering_id: null });
  });

  it('shows the same after a restart, on another replica and with other weights', async () => {
    const { id } = await started();
    const ids = Array.from({ length: 100 }, newId);
    const before = await Promise.all(ids.map(shown));
    expect(new Set(before)).toEqual(new Set(['default', 'treatment']));
    const expectSame = async (ask: (name: string) => Promise<string>) =>
      expect(await Promise.all(ids.map(ask))).toEqual(before);
    await expectSame(shownByReplica);
    await post(`/experiments/${id}`, { weights: [1, 99] });
    await expectSame(shown);
    const later = await Promise.all(Array.from({ length: 40 }, newId).map(shownByReplica));
    expect(later.filter((name) => name === 'treatment').length).toBeGreaterThan(30);
    await post(`/experiments/${id}`, { enrollment_percentage: 1 });
    await expectSame(shownByReplica);
    const restarted = await startTestServer({ databaseUrl: store.server.databaseUrl, clock: store.clock });
    const sdk = restarted.http.withKey(store.publicKey);
    await expectSame(async (name) => (await offerings(name, {}, sdk)).body.current_offering_id);
    await restarted.close();
  });

  it('leaves out who was left out as anonymous, even after a log-in', async () => {
    const { id } = await started({ enrollment_percentage: 50 });
    const device = idIn(id, 'enroll', 5_000, 10_000, anonymous);
    const login = idIn(id, 'enroll', 0, 5_000);
    await store.sdk.get(`/v1/subscribers/${encodeURIComponent(device)}`);
    await shown(device);
    await identify(device, login);
    await Promise.all([device, login].flatMap((name) => [shown(name), shownByReplica(name)]));
    expect(await rowsOf(id)).toEqual([]);
    await post(`/experiments/${id}`, { enrollment_percentage: 100 });
    await shown(login);
    expect(await rowsOf(id)).toMatchObject([{ app_user_id: login }]);
  });

  it('admits customers by their access token, as their app does, with the rules for the others', async () => {
    await turnSignInOn(store.server, store.projectId);
    const { id } = await started({ enrollment_mode: 'new_and_existing', enrollment_percentage: 50 });
    const rule = await post('/targeting_rules', {
      display_name: 'Gold',
      state: 'active',
      offering_id: treatment.id,
      conditions: [{ field: 'custom_attribute', operator: 'in', value: ['gold'], context: 'plan' }],
    });
    const seen = { in: 0, out: 0 };
    while (seen.in === 0 || seen.out === 0) {
      const { appUserId, client } = await signInAnonymously(store.server, store);
      const set = await client.post('/v1/customer/attributes', {
        attributes: { plan: { value: 'gold', updated_at_ms: store.clock.nowMs() } },
      });
      expect(set.status).toBe(200);
      const own = await client.get('/v1/customer/offerings');
      expect(own.status).toBe(200);
      const isIn = bucketOf(id, 'enroll', appUserId) < 5_000;
      seen[isIn ? 'in' : 'out'] += 1;
      const isTreated = !isIn || bucketOf(id, 'variant', appUserId) >= 5_000;
      expect(own.body.current_offering_id).toBe(isTreated ? 'treatment' : 'default');
      expect(own.body.targeting?.rule_id).toBe(isIn ? undefined : rule.body.id);
      expect((await eventsOf(appUserId)).length).toBe(isIn ? 1 : 0);
      store.clock.advanceMs(60_000);
    }
    expect(await rowsOf(id)).toHaveLength(seen.in);
    await remove(`/targeting_rules/${rule.body.id}`);
  });

  it('shows the variant of the hash while it cannot be recorded in time, and records that one later', async () => {
    const { id } = await started({ enrollment_mode: 'new_and_existing' });
    const name = idIn(id, 'variant', 5_000, 10_000);
    await store.sdk.get(`/v1/subscribers/${name}`);
    const holder = store.server.dataSource.createQueryRunner();
    await holder.connect();
    await holder.startTransaction();
    await holder.query(
      'SELECT 1 FROM customers WHERE project_id = $1 AND original_app_user_id = $2 FOR UPDATE',
      [store.projectId, name],
    );
    try {
      expect(await shown(name)).toBe('treatment');
      expect(await rowsOf(id)).toEqual([]);
      expect(await shown(name)).toBe('treatment');
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    expect(await shown(name)).toBe('treatment');
    expect(await rowsOf(id)).toMatchObject([{ app_user_id: name, variant: 'b' }]);
    expect(await eventsOf(name)).toHaveLength(1);
  });

  it('enrolls no customer while too many wait; rules decide then', async () => {
    const { id } = await started({ weights: [1, 99] });
    const rule = await post('/targeting_rules', {
      display_name: 'All',
      state: 'active',
      offering_id: store.offering.id,
    });
    const name = idIn(id, 'variant', 5_000, 10_000);
    const queue = store.server.app.get(EnrollmentQueueService, { strict: false });
    const full = jest.spyOn(queue, 'isFull', 'get').mockReturnValue(true);
    const answer = await offerings(name);
    full.mockRestore();
    expect([answer.body.current_offering_id, answer.body.targeting.rule_id]).toEqual([
      'default',
      rule.body.id,
    ]);
    expect([await rowsOf(id), (await get(`/customers/${name}`)).status]).toEqual([[], 404]);
    expect(await shown(name)).toBe('treatment');
    await remove(`/targeting_rules/${rule.body.id}`);
  });

  it('holds out a share of customers', async () => {
    await store.session.post(store.path, { experiment_holdout_percentage: 50 });
    const { id } = await started();
    const ids = Array.from({ length: 30 }, (_, index) => `held-${index}`);
    await Promise.all(ids.map(shown));
    const joined = (await rowsOf(id)).length;
    expect(joined).toBeGreaterThan(0);
    expect(joined).toBeLessThan(30);
    await store.session.post(store.path, { experiment_holdout_percentage: 0 });
    await Promise.all(ids.map(shown));
    expect(await rowsOf(id)).toHaveLength(30);
  });

  it('keeps the variant through a pause, and ends it with the stop', async () => {
    const { id } = await started({ weights: [1, 99] });
    const ids = Array.from({ length: 10 }, (_, index) => `paused-${index}`);
    const before = await Promise.all(ids.map(shown));
    expect(before).toContain('treatment');
    await act(id, 'pause');
    expect(await Promise.all(ids.map(shown))).toEqual(before);
    expect(await shown('late')).toBe('default');
    expect((await rowsOf(id)).length).toBe(10);
    await act(id, 'stop');
    expect(new Set(await Promise.all(ids.map(shown)))).toEqual(new Set(['default']));
    expect((await experimentOf('paused-0')).id).toBe(id);
  });

  it('checks the first by priority; others follow', async () => {
    const [first, second] = [await started(), await started({ display_name: 'Second' })];
    expect((await get(`/experiments/${first.id}`)).body.conflicts).toEqual([
      { id: second.id, display_name: 'Second' },
    ]);
    await shown('prio-1');
    const list = { experiment_ids: [second.id] };
    const { body } = await store.backend.send('PUT', `${store.path}/experiments/priority_list`, list);
    expect(body.items.map(({ id, priority }: Json) => [id, priority]).slice(0, 2)).toEqual([
      [second.id, 1],
      [first.id, 2],
    ]);
    await shown('prio-2');
    await shown('prio-1');
    expect([(await rowsOf(first.id)).length, (await rowsOf(second.id)).length]).toEqual([1, 1]);
  });

  it('follows who logs in, and merges when two customers become one', async () => {
    const { id } = await started();
    const device = anonymous();
    const before = await shown(device);
    await identify(device, 'fresh-login');
    expect(await shown('fresh-login')).toBe(before);
    const known = idIn(id, 'variant', 0, 5_000);
    const other = idIn(id, 'variant', 5_000, 10_000, anonymous);
    const everywhere = async (name: string) => [await shown(name), await shownByReplica(name)];
    expect([await everywhere(known), await everywhere(other)]).toEqual([
      ['default', 'default'],
      ['treatment', 'treatment'],
    ]);
    // Both replicas remember them by now.
    await Promise.all([everywhere(known), everywhere(other)]);
    await identify(other, known);
    const until = Date.now() + 5_000;
    while (Date.now() < until && (await shownByReplica(other)) !== 'default');
    expect([await everywhere(known), await everywhere(other)].flat()).toEqual(new Array(4).fill('default'));
    const rows = await rowsOf(id);
    expect(rows.map(({ merged }) => merged).sort()).toEqual([false, false, true]);
    expect(rows.find(({ merged }) => merged)).toMatchObject({ app_user_id: '', variant: 'b' });
  });

  it('continues one experiment when two customers of two become one', async () => {
    const ios = { field: 'platform', operator: 'in', value: ['ios'] };
    const first = await started({ targeting_conditions: [ios] });
    const second = await started();
    const device = anonymous();
    await offerings('in-first', { 'x-platform': 'iOS' });
    await offerings(device, { 'x-platform': 'android' });
    await identify(device, 'in-first');
    expect((await experimentOf('in-first')).id).toBe(first.id);
    expect((await rowsOf(second.id))[0]?.superseded_at).not.toBeNull();
    await act(first.id, 'stop');
    expect(await shown('in-first')).toBe('default');
  });

  it('forgets them with the customer, who may join again', async () => {
    const { id } = await started();
    await shown('leaver');
    const lines = (await store.backend.get(`${store.path}/customers/leaver/export`)).text.split('\n');
    expect(lines.filter((line) => line.includes('"experiment_enrollment"'))).toHaveLength(1);
    await remove('/customers/leaver');
    expect(await rowsOf(id)).toEqual([]);
    await shown('leaver');
    expect(await rowsOf(id)).toHaveLength(1);
  });

  it('marks a winner: it stops, and the offering is shown as asked', async () => {
    const { id } = await started({
      targeting_conditions: [{ field: 'country', operator: 'in', value: ['US'] }],
    });
    const { client } = await createSecretKey(store.session, store.projectId, [
      'project_configuration:experiments:read_write',
    ]);
    const mark = (body: object, by = store.backend) =>
      by.post(`${store.path}/experiments/${id}/actions/mark_winner`, body);
    expect((await mark({ variant: 'b', rollout: 'targeting_rule' }, client)).status).toBe(403);
    expect((await mark({ variant: 'c' })).body.param).toBe('variant');
    const { body } = await mark({ variant: 'b', rollout: 'targeting_rule' });
    expect([body.status, body.winner_variant]).toEqual(['stopped', 'b']);
    const { body: rules } = await get('/targeting_rules');
    expect(rules.items[0]).toMatchObject({
      state: 'inactive',
      offering_id: treatment.id,
      display_name: 'A test',
    });
    await remove(`/targeting_rules/${rules.items[0].id}`);
    await mark({ variant: 'b', rollout: 'default_offering' });
    expect(await shown('anyone')).toBe('treatment');
    await post(`/offerings/${store.offering.id}`, { is_current: true });
  });

  it('keeps their offerings in use until they stop', async () => {
    const { id } = await started();
    const archive = () => post(`/offerings/${treatment.id}/actions/archive`);
    expect([(await archive()).status, (await archive()).body.referenced_object_ids]).toEqual([422, [id]]);
    await act(id, 'stop');
    expect((await archive()).status).toBe(200);
    await post(`/offerings/${treatment.id}/actions/unarchive`, {});
  });

  it('keeps the answer that an SDK holds while the customer cannot be read', async () => {
    const { id } = await started();
    const name = idIn(id, 'variant', 5_000, 10_000);
    const lock = store.server.dataSource.createQueryRunner();
    await lock.connect();
    await lock.query('ALTER TABLE experiment_enrollments RENAME TO experiment_enrollments_away');
    try {
      expect(await shown(name)).toBe('default');
      expect((await offerings(name, { 'x-revenuecat-etag': 'abc' })).status).toBe(503);
    } finally {
      await lock.query('ALTER TABLE experiment_enrollments_away RENAME TO experiment_enrollments');
      await lock.release();
    }
    expect(await shown(name)).toBe('treatment');
    expect(await experimentOf(name)).toMatchObject({ id, variant: 'b' });
  });

  describe('in any history', () => {
    /** Both replicas have the current catalog, and have heard of every merge. */
    async function catchUp(): Promise<void> {
      const replicas = [store.server, store.replica];
      await Promise.all(replicas.map((replica) => heardChanges(replica)));
      for (const { app } of replicas)
        await app.get(CatalogService, { strict: false }).getCurrent(store.projectId);
    }

    const percent = fc.integer({ min: 1, max: 100 });
    const place = fc.nat({ max: 2 });
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask' as const), who: fc.nat({ max: 5 }) }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('log in' as const), device: place, login: place }),
      },
      fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), which: fc.nat({ max: 1 }) }),
      fc.record({ kind: fc.constant('change' as const), which: fc.nat({ max: 1 }), percent }),
      fc.record({ kind: fc.constant('hold out' as const), share: fc.integer({ min: 0, max: 50 }) }),
    );

    it('shows the same on two replicas, changes variants by merges only, and has one event for every row', async () => {
      const history = fc.array(step, { minLength: 8, maxLength: 16 });
      await fc.assert(fc.asyncProperty(percent, percent, history, play), { numRuns: 4 });
    });

    async function play(firstPercent: number, secondPercent: number, steps: Step[]): Promise<void> {
      const ids = [
        await started({ enrollment_percentage: firstPercent }),
        await started({ enrollment_percentage: secondPercent, enrollment_mode: 'new_and_existing' }),
      ].map(({ id }) => id as string);
      const names = [anonymous(), anonymous(), anonymous(), newId(), newId(), newId()];
      try {
        await expectSteadyThrough(steps, ids, names);
      } finally {
        for (const id of ids) await act(id, 'stop');
        await store.session.post(store.path, { experiment_holdout_percentage: 0 });
      }
    }

    async function expectSteadyThrough(steps: Step[], ids: string[], names: string[]): Promise<void> {
      let rows = new Map<string, Json>();
      for (const one of steps) {
        await take(one, ids, names);
        rows = await expectSteady(ids, rows, one.kind === 'log in');
      }
      const events = await store.server.dataSource.query(
        `SELECT dedupe_key FROM events WHERE project_id = $1 AND type = 'EXPERIMENT_ENROLLMENT'
           AND split_part(dedupe_key, ':', 2) = ANY ($2)`,
        [store.projectId, ids],
      );
      expect(events).toHaveLength(rows.size);
    }

    async function take(one: Step, ids: string[], names: string[]): Promise<void> {
      if (one.kind === 'ask') await expectAlike(ids, names[one.who] ?? '');
      else if (one.kind === 'log in') {
        const [device = '', login = ''] = [names[one.device], names[3 + one.login]];
        // Both replicas remember both of them then, so they must forget.
        for (const name of [device, login]) await expectAlike(ids, name);
        await identify(device, login);
        for (const name of [device, login]) await expectAlike(ids, name);
      } else if (one.kind === 'change') {
        const change = { enrollment_percentage: one.percent, weights: [101 - one.percent, one.percent - 1] };
        await post(`/experiments/${ids[one.which]}`, one.percent === 1 ? { weights: null } : change);
      } else if (one.kind === 'hold out')
        await store.session.post(store.path, { experiment_holdout_percentage: one.share });
      else await act(ids[one.which] ?? '', one.kind);
    }

    async function expectAlike(ids: string[], name: string): Promise<void> {
      await catchUp();
      const sdks = [store.sdk, store.replica.http.withKey(store.publicKey)];
      const ask = () => Promise.all(sdks.map((sdk) => offerings(name, {}, sdk)));
      // The second answer of each replica is the first that may be remembered.
      const [[here, there], ...more] = [await ask(), await ask(), await ask()];
      expect([here?.status, there?.body]).toEqual([200, here?.body]);
      for (const { body } of more.flat()) expect(body).toEqual(here?.body);
      const { experiment } = (await get(`/customers/${encodeURIComponent(name)}`)).body ?? {};
      const isIn = experiment && ids.includes(experiment.id);
      const expected = isIn && experiment.variant === 'b' ? 'treatment' : 'default';
      expect(here?.body.current_offering_id).toBe(expected);
    }

    /** The rows of now, by customer and experiment. */
    async function expectSteady(
      ids: string[],
      before: Map<string, Json>,
      mayMerge: boolean,
    ): Promise<Map<string, Json>> {
      const all = (await Promise.all(ids.map(rowsOf))).flat();
      const now = new Map(all.map((row) => [`${row.customer_id} ${row.experiment_id}`, row]));
      const live = all.filter(({ merged, superseded_at: superseded }) => !merged && superseded === null);
      expect(new Set(live.map((row) => row.customer_id)).size).toBe(live.length);
      expect(now.size).toBeGreaterThanOrEqual(before.size);
      for (const [key, { variant, merged, superseded_at }] of before)
        if (!mayMerge) expect(now.get(key)).toMatchObject({ variant, merged, superseded_at });
      return now;
    }

    type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
  });
});
