import {
  definitionOf,
  type DestinationType,
  secretsOf,
  type Settings,
} from '../../libs/destinations/index.js';
import { allTypes, enteredSettings } from '../../libs/destinations/testing/fixture.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 31 * DAY_MS;

/** Settings with which sandbox events are sent, which the Test Store makes. */
const sandboxSettings: Partial<Record<DestinationType, Settings>> = {
  segment: { send_sandbox: true },
  amplitude: { sandbox_api_key: 'fedcba9876543210fedcba9876543210' },
  mixpanel: { sandbox_project_token: 'fedcba9876543210fedcba9876543210' },
  posthog: { sandbox_api_key: 'phc_zyxwvutsrqponmlkjihg' },
  customerio: { sandbox_site_id: 'fedcba98765432100123', sandbox_api_key: 'dcbafedcba9876543210' },
  braze: { sandbox_api_key: 'fedcba98-7654-3210-fedc-ba9876543210' },
  meta: { sandbox_dataset_id: '6543210987654321', sandbox_access_token: 'EAAsandboxAccessToken01234' },
  slack: { send_sandbox: true },
  discord: { send_sandbox: true },
};

describe('deliveries to destinations', () => {
  let server: TestServer;
  let store: TestStore;
  let tools: Receiver;
  let list: string;

  beforeAll(async () => {
    tools = await startReceiver();
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_TEST_STORES: 'true',
        SERVICE_DESTINATIONS_URL: tools.url.replace('/hook', ''),
      },
    });
  });

  afterAll(async () => {
    await server.close();
    await tools.close();
  });

  beforeEach(async () => {
    server.clock.advanceMs(1);
    store = await createTestStore(server);
    list = `${store.path}/integrations/destinations`;
    tools.answerWith(status(200));
    tools.requests.length = 0;
  });

  afterEach(async () => {
    await server.dataSource.query('DELETE FROM webhook_deliveries');
    await server.dataSource.query('DELETE FROM webhook_circuits');
    await server.dataSource.query('DELETE FROM webhook_integrations');
  });

  const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();

  const settingsOf = (type: DestinationType): Settings => ({
    ...enteredSettings[type],
    ...sandboxSettings[type],
    ...(type === 'http' && { url: `${tools.url}?type=http` }),
  });

  async function create(type: DestinationType, fields: object = {}): Promise<string> {
    const answer = await store.backend.post(list, { type, settings: settingsOf(type), ...fields });
    expect([answer.status, answer.body.param]).toEqual([201, undefined]);
    return answer.body.id;
  }

  let purchases = 0;

  async function buy(appUserId = 'ada'): Promise<void> {
    purchases += 1;
    const answer = await store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      product_id: 'coins_100',
      fetch_token: `test_${server.clock.nowMs()}_${purchases}_coins_100`,
    });
    expect(answer.status).toBe(200);
    server.clock.advanceMs(1);
  }

  async function deliveries(id: string, query = ''): Promise<Json[]> {
    return (await store.backend.get(`${list}/${id}/deliveries${query}`)).body.items;
  }

  async function only(id: string): Promise<Json> {
    const found = await deliveries(id);
    expect(found).toHaveLength(1);
    return found[0];
  }

  async function detail(id: string): Promise<Json> {
    return (await store.backend.get(`${list}/${id}/deliveries/${(await only(id)).id}`)).body;
  }

  const retry = (id: string, deliveryId: string): Promise<Answer> =>
    store.backend.post(`${list}/${id}/deliveries/${deliveryId}/retry`, {});

  const replay = (id: string, fields: object = {}): Promise<Answer> =>
    store.backend.post(`${list}/${id}/actions/replay`, {
      from: server.clock.nowMs() - DAY_MS,
      to: server.clock.nowMs() + 1,
      ...fields,
    });

  const progress = async (id: string, replayId: string): Promise<Json> =>
    (await store.backend.get(`${list}/${id}/replays/${replayId}`)).body;

  const setAttribute = (appUserId: string, name: string, value: string): Promise<Answer> =>
    store.sdk.post(`/v1/subscribers/${appUserId}/attributes`, {
      attributes: { [name]: { value, updated_at_ms: server.clock.nowMs() } },
    });

  /** Every form in which a text may hold a secret. */
  function formsOf(secret: string): string[] {
    const buffers = [0, 1, 2].map((before) => Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]));
    const base64 = buffers.map((bytes, before) => bytes.toString('base64').slice(before === 0 ? 0 : 4, -4));
    return [secret, encodeURIComponent(secret), ...base64.filter((form) => form.length >= 8)];
  }

  describe('in the log', () => {
    it('shows requests, attempts and a command, and the reason of what is not sent', async () => {
      const id = await create('segment');
      await buy();
      await drain();
      const delivery = await detail(id);
      expect(delivery).toMatchObject({
        object: 'destination_delivery',
        destination_id: id,
        event_type: 'NON_RENEWING_PURCHASE',
        app_user_id: 'ada',
        status: 'delivered',
        reason: null,
        reason_text: null,
        missing_attributes: [],
        wait_until: null,
        may_be_repeated: false,
        attempts: 1,
        response_status: 200,
        attempt_log: [{ step: 0, url: 'https://api.segment.io/v1/batch', status: 200, error: null }],
      });
      expect(delivery.requests).toMatchObject([
        {
          method: 'POST',
          url: 'https://api.segment.io/v1/batch',
          headers: { authorization: expect.stringMatching(/^Basic \[masked\]/) as unknown },
          body: tools.requests[0]?.body,
        },
      ]);
      expect(delivery.curl).toContain("curl -X POST 'https://api.segment.io/v1/batch'");
      expect(await deliveries(id)).toEqual([
        expect.not.objectContaining({ requests: expect.anything() as unknown }),
      ]);
    });

    it('shows for which attribute a delivery waits, and that it is skipped afterwards', async () => {
      const id = await create('adjust', {
        settings: { ...settingsOf('adjust'), android_event_tokens: tokens, ios_event_tokens: tokens },
      });
      await setAttribute('ada', 'favorite', 'x');
      await server.dataSource.query(`UPDATE customers SET last_seen_platform = 'iOS'`);
      await buy();
      await drain();
      const waiting = await only(id);
      expect(waiting).toMatchObject({
        status: 'waiting',
        reason: 'missing_attribute',
        missing_attributes: ['$adjustId'],
      });
      expect(waiting.reason_text).toMatch(/^This customer has no \$adjustId yet\./);
      expect(await states()).toMatchObject([{ id, waiting: 1, skipped_24h: 0, credentials: 'ok' }]);
      expect((await deliveries(id, '?status=waiting')).length).toBe(1);
      server.clock.advanceMs(30 * DAY_MS + 1);
      expect(await only(id)).toMatchObject({
        status: 'skipped',
        reason_text: 'This customer had no $adjustId for 30 days.',
      });
      expect(await deliveries(id, '?status=waiting')).toEqual([]);
      expect((await deliveries(id, '?status=skipped&reason=missing_attribute')).length).toBe(1);
    });

    it('lists the deliveries of an event to all webhooks and destinations', async () => {
      const segment = await create('segment', { name: 'Segment of web' });
      const adjust = await create('adjust', {
        settings: { ...settingsOf('adjust'), android_event_tokens: tokens, ios_event_tokens: tokens },
      });
      const webhook = await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'Backend',
        url: tools.url,
      });
      await setAttribute('ada', 'favorite', 'x');
      await server.dataSource.query(`UPDATE customers SET last_seen_platform = 'iOS'`);
      await buy();
      await drain();
      const { event_id: eventId } = await only(segment);
      const ofEvent = `${store.path}/events/${eventId}/deliveries`;
      const { status: answered, body } = await store.backend.get(ofEvent);
      expect([answered, body.next_page]).toEqual([200, null]);
      const byId = new Map((body.items as Json[]).map((item) => [item.integration_id, item]));
      expect(byId.size).toBe(3);
      const common = { object: 'event_delivery', replay: false };
      const sent = { ...common, status: 'delivered', reason_text: null, response_status: 200 };
      expect(byId.get(segment)).toMatchObject({
        ...sent,
        integration_type: 'segment',
        integration_name: 'Segment of web',
      });
      expect(byId.get(webhook.body.id)).toMatchObject({ ...sent, integration_type: 'webhook' });
      const first = (await store.backend.get(`${ofEvent}?limit=2`)).body;
      const second = (await store.backend.get(first.next_page)).body;
      expect([...first.items, ...second.items]).toEqual(body.items);
      const after = (await store.backend.get(`${ofEvent}?starting_after=${first.items[0].id}`)).body;
      expect(after.items).toEqual(body.items.slice(1));
      expect((await store.backend.get(`${ofEvent}?starting_after=whd_none`)).status).toBe(400);
      expect((await store.backend.get(`${store.path}/events/none/deliveries`)).status).toBe(404);
      expect(byId.get(adjust)).toMatchObject({
        status: 'waiting',
        integration_type: 'adjust',
        missing_attributes: ['$adjustId'],
        reason_text: expect.stringMatching(/^This customer has no \$adjustId yet\./) as unknown,
      });
    });

    it('filters, pages, and hides customers from callers who may not read them', async () => {
      const id = await create('segment');
      for (const name of ['ada', 'kim', 'eve']) await buy(name);
      await drain();
      const all = await deliveries(id);
      const first = (await store.backend.get(`${list}/${id}/deliveries?limit=2`)).body;
      const second = (await store.backend.get(first.next_page)).body;
      expect([...first.items, ...second.items]).toEqual(all);
      expect(await deliveries(id, `?event_id=${all[1].event_id}`)).toEqual([all[1]]);
      expect(await deliveries(id, '?status=failed')).toEqual([]);
      expect(await deliveries(id, '?event_type=renewal')).toEqual([]);
      expect(await deliveries(id, `?to=${all[1].created_at}`)).toEqual([all[2]]);
      for (const [query, param] of [
        ['status=lost', 'status'],
        ['reason=whim', 'reason'],
        ['event_type=x', 'event_type'],
        ['from=x', 'from'],
      ]) {
        const answer = await store.backend.get(`${list}/${id}/deliveries?${query}`);
        expect([answer.status, answer.body.param]).toEqual([400, param]);
      }
      const { client } = await createSecretKey(store.session, store.projectId, [
        'project_configuration:integrations:read',
      ]);
      const { body } = await client.get(`${list}/${id}/deliveries?limit=1`);
      expect(body.items[0]).toMatchObject({ app_user_id: null, product_id: null });
      expect((await client.get(`${list}/${id}/deliveries/${all[0].id}`)).status).toBe(403);
      expect((await client.post(`${list}/${id}/preview`, { kind: 'renewal' })).status).toBe(403);
    });

    const tokens = { non_subscription_purchase: 'abc123' };
  });

  async function states(): Promise<Json[]> {
    return (await store.backend.get(`${store.path}/integrations/destination_states`)).body.items;
  }

  it('says that a tool refuses the key, and sends once it is replaced', async () => {
    const id = await create('braze');
    tools.answerWith(status(401));
    await buy();
    await drain();
    expect(await states()).toMatchObject([{ id, circuit: 'open', credentials: 'refused', pending: 1 }]);
    expect(await only(id)).toMatchObject({
      status: 'pending',
      reason: 'refused_key',
      reason_text: 'Braze refuses the key. Deliveries wait until it is corrected.',
    });
    tools.answerWith(status(201));
    await store.backend.post(`${list}/${id}`, {
      settings: { sandbox_api_key: '11111111-2222-3333-4444-555555555555' },
    });
    await drain();
    expect(await only(id)).toMatchObject({ status: 'delivered', reason: null });
    expect(await states()).toMatchObject([{ circuit: 'closed', credentials: 'ok', delivered_24h: 1 }]);
  });

  it('shows the pause that a tool asked for', async () => {
    const id = await create('segment');
    tools.answerWith(status(429, { 'retry-after': '60' }));
    await buy();
    await drain();
    const [state] = await states();
    expect(state).toMatchObject({ id, circuit: 'closed', quiet_until: server.clock.nowMs() + MINUTE_MS });
    expect((await only(id)).reason_text).toMatch(/^Segment asked for a pause until /);
  });

  describe('retried one by one', () => {
    it('sends a failed one with the same bytes', async () => {
      const id = await create('segment');
      tools.answerWith(status(400));
      await buy();
      await drain();
      const failed = await only(id);
      expect(failed).toMatchObject({ status: 'failed', reason: 'rejected' });
      tools.answerWith(status(200));
      expect((await retry(id, failed.id)).body).toMatchObject({ id: failed.id, status: 'pending' });
      await drain();
      expect(await only(id)).toMatchObject({ id: failed.id, status: 'delivered' });
      expect(tools.requests.map(({ body }) => body)).toEqual(Array(2).fill(tools.requests[0]?.body));
    });

    it('judges a skipped one again', async () => {
      const id = await create('segment', { send_from: server.clock.nowMs() + DAY_MS });
      await buy();
      await drain();
      const skipped = await only(id);
      expect(skipped).toMatchObject({ status: 'skipped', reason: 'before_start' });
      await store.backend.post(`${list}/${id}`, { send_from: 0 });
      expect((await retry(id, skipped.id)).status).toBe(200);
      await drain();
      expect(await only(id)).toMatchObject({ status: 'delivered' });
    });

    it('refuses while the destination is paused, and what is due', async () => {
      const id = await create('segment');
      await buy();
      await drain();
      const pending = await only(id);
      await server.dataSource.query(
        `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = $1`,
        [new Date(server.clock.nowMs())],
      );
      expect((await retry(id, pending.id)).status).toBe(409);
      expect((await retry(id, 'whd_0123456789abcdef')).status).toBe(404);
      await store.backend.post(`${list}/${id}`, { enabled: false });
      expect((await retry(id, pending.id)).status).toBe(422);
      expect((await replay(id)).status).toBe(422);
    });

    it('refuses what the tool no longer takes', async () => {
      const id = await create('slack', { event_names: { renewal: null } });
      tools.answerWith(status(500));
      await buy();
      await drain();
      const { id: deliveryId } = await only(id);
      server.clock.advanceMs(2 * HOUR_MS);
      const answer = await retry(id, deliveryId);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'The channel was busy for more than an hour.',
      ]);
    });

    it('refuses what another delivery brought to a tool that counts repeats', async () => {
      const id = await create('http');
      tools.answerWith(status(410));
      await buy();
      await drain();
      await server.dataSource.query(
        `UPDATE webhook_deliveries SET status = 'failed', reason = 'gave_up', next_attempt_at = NULL`,
      );
      await store.backend.post(`${list}/${id}`, { enabled: true });
      const failed = await only(id);
      tools.answerWith(status(200));
      expect((await replay(id, { status: 'all' })).body.queued).toBe(1);
      await drain();
      expect((await deliveries(id)).map((one) => one.status).sort()).toEqual(['delivered', 'failed']);
      const answer = await retry(id, failed.id);
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('would count it twice');
    });
  });

  describe('replayed', () => {
    async function brought(type: DestinationType, count: number): Promise<string> {
      const id = await create(type);
      for (let number = 0; number < count; number++) await buy();
      await drain();
      expect(tools.requests).toHaveLength(count);
      return id;
    }

    it('sends nothing of a delivered month, and counts what was delivered', async () => {
      const id = await brought('segment', 5);
      server.clock.advanceMs(MONTH_MS);
      await buy();
      await drain();
      tools.requests.length = 0;
      const made = await replay(id, { from: server.clock.nowMs() - 2 * MONTH_MS, status: 'all' });
      expect([made.status, made.body]).toEqual([
        201,
        expect.objectContaining({ object: 'destination_replay', destination_id: id, queued: 0 }),
      ]);
      expect(made.body).toMatchObject({ already_delivered: 6, status: 'complete', pending: 0 });
      await drain();
      expect(tools.requests).toEqual([]);
      expect(await progress(id, made.body.id)).toEqual(made.body);
      expect((await store.backend.get(`${list}/${id}/replays`)).body.items).toEqual([made.body]);
      const again = await replay(id, { from: server.clock.nowMs() - 2 * MONTH_MS });
      expect(again.body).toMatchObject({ deliveries: 'failed', queued: 0, already_delivered: 0 });
    });

    it('sends delivered events again only if a person asks, with the same ids and bytes', async () => {
      const id = await brought('segment', 2);
      const made = await replay(id, { resend_delivered: true });
      expect(made.body).toMatchObject({ deliveries: 'all', queued: 2, already_delivered: 0 });
      await drain();
      server.clock.advanceMs(MINUTE_MS);
      await drain();
      const bodies = tools.requests.map(({ body }) => body);
      expect(bodies.slice(2)).toEqual(bodies.slice(0, 2));
      expect(await progress(id, made.body.id)).toMatchObject({ status: 'complete', delivered: 2 });
      expect(await deliveries(id, `?replay=${made.body.id}`)).toHaveLength(2);
    });

    it('sends failed and skipped ones again, and whatever was never sent', async () => {
      const id = await create('segment', { send_from: server.clock.nowMs() + DAY_MS });
      await buy('skipped');
      await drain();
      await store.backend.post(`${list}/${id}`, { send_from: 0 });
      tools.answerWith(status(400));
      await buy('failed');
      await drain();
      await store.backend.post(`${list}/${id}`, { enabled: false });
      await buy('paused');
      await store.backend.post(`${list}/${id}`, { enabled: true });
      tools.answerWith(status(200));
      await buy('delivered');
      await drain();
      tools.requests.length = 0;
      const failed = await replay(id);
      expect(failed.body).toMatchObject({ queued: 2, already_delivered: 0 });
      // Both are pending or delivered now, so a second replay leaves them out.
      expect((await replay(id)).body.queued).toBe(0);
      expect((await replay(id, { status: 'all' })).body.queued).toBe(1);
      await drain();
      server.clock.advanceMs(MINUTE_MS);
      await drain();
      const users = tools.requests.map(({ body }) => JSON.parse(body).batch[0].userId as string);
      expect(users.sort()).toEqual(['failed', 'paused', 'skipped']);
      expect(await progress(id, failed.body.id)).toMatchObject({ status: 'complete', delivered: 2 });
      expect((await replay(id, { status: 'all' })).body).toMatchObject({ queued: 0, already_delivered: 4 });
    });

    it('sends one delivery of an event that failed twice', async () => {
      const id = await create('http');
      tools.answerWith(status(500));
      await buy();
      const fail = async (): Promise<void> => {
        await drain();
        await server.dataSource.query(
          `UPDATE webhook_deliveries SET status = 'failed', reason = 'gave_up', next_attempt_at = NULL`,
        );
      };
      await fail();
      await replay(id, { status: 'all' });
      await fail();
      expect(await deliveries(id)).toHaveLength(2);
      tools.answerWith(status(200));
      server.clock.advanceMs(1);
      expect((await replay(id)).body.queued).toBe(1);
      await drain();
      expect((await replay(id)).body).toMatchObject({ queued: 0, already_delivered: 1 });
    });

    it('refuses a range whose deliveries are no longer kept, unless delivered events are sent again', async () => {
      const id = await brought('segment', 1);
      server.clock.advanceMs(200 * DAY_MS);
      const from = server.clock.nowMs() - 300 * DAY_MS;
      const answer = await replay(id, { from, status: 'all' });
      expect([answer.status, answer.body.param]).toEqual([422, 'from']);
      expect(answer.body.message).toMatch(
        /^Deliveries before 1 \w+ \d{4} are no longer kept, so it is unknown what was sent\.$/,
      );
      expect((await replay(id, { from, resend_delivered: true })).status).toBe(201);
      expect((await replay(await create('slack'), { from, status: 'all' })).status).toBe(201);
    });

    it('names what is wrong with a request', async () => {
      const id = await create('segment');
      for (const [fields, param] of [
        [{ from: 5, to: 5 }, 'to'],
        [{ from: 'x' }, 'from'],
        [{ to: undefined }, 'to'],
        [{ status: 'some' }, 'status'],
        [{ event_types: ['x'] }, 'event_types'],
        [{ resend_delivered: 1 }, 'resend_delivered'],
        [{ resend_delivered: true, status: 'failed' }, 'resend_delivered'],
      ] as const) {
        const answer = await replay(id, fields);
        expect([answer.status, answer.body.param]).toEqual([400, param]);
      }
      expect((await replay(id, { event_types: ['renewal'], status: 'all' })).body.event_types).toEqual([
        'renewal',
      ]);
    });
  });

  describe('tried out', () => {
    const test = (id: string): Promise<Answer> => store.backend.post(`${list}/${id}/test`, {});
    const preview = (id: string, body: object): Promise<Answer> =>
      store.backend.post(`${list}/${id}/preview`, body);

    it('sends a test at once, also while paused, and stores no delivery', async () => {
      const id = await create('amplitude', { enabled: false });
      tools.answerWith((response) =>
        response.writeHead(400).end('{"error":"Invalid API key: fedcba9876543210fedcba9876543210"}'),
      );
      const refused = (await test(id)).body;
      expect(refused).toMatchObject({
        object: 'destination_test',
        delivered: false,
        class: 'refused',
        response_status: 400,
        response_body: '{"error":"Invalid API key: [masked]"}',
      });
      expect(refused.reason_text).toContain('Invalid API key');
      tools.answerWith(status(200));
      server.clock.advanceMs(1);
      expect((await test(id)).body).toMatchObject({ delivered: true, class: 'delivered', reason_text: null });
      expect(tools.requests).toHaveLength(2);
      expect(await deliveries(id)).toEqual([]);
      expect(await states()).toMatchObject([{ circuit: 'closed' }]);
      const { body } = await store.backend.get(`${store.path}/audit_logs?limit=1`);
      expect(body.items).toMatchObject([
        {
          action_type: 'destination_tested',
          target_identifier: id,
          additional_data: { class: 'delivered' },
        },
      ]);
    });

    it('lets an open circuit probe after a success', async () => {
      const id = await create('braze');
      tools.answerWith(status(401));
      await buy();
      await drain();
      server.clock.advanceMs(HOUR_MS);
      await drain();
      expect(await states()).toMatchObject([{ circuit: 'open' }]);
      const made = tools.requests.length;
      await test(id);
      await drain();
      expect(tools.requests).toHaveLength(made + 1);
      tools.answerWith(status(201));
      server.clock.advanceMs(1);
      expect((await test(id)).body.class).toBe('delivered');
      await drain();
      expect(await states()).toMatchObject([{ circuit: 'closed' }]);
    });

    it('names the setting that a test needs', async () => {
      const id = await create('meta', { settings: enteredSettings.meta });
      const answer = await test(id);
      expect([answer.status, answer.body.param]).toEqual([422, 'settings.test_event_code']);
    });

    it('allows ten tests a minute', async () => {
      const id = await create('segment');
      for (let count = 0; count < 10; count++) expect((await test(id)).status).toBe(200);
      const answer = await test(id);
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
      server.clock.advanceMs(MINUTE_MS);
      expect((await test(id)).status).toBe(200);
    });

    it('previews an event and samples without sending', async () => {
      const id = await create('segment');
      await buy();
      const { event_id } = await only(id);
      const ofEvent = (await preview(id, { event_id })).body;
      await drain();
      expect(ofEvent).toMatchObject({ object: 'destination_preview', outcome: 'send', reason: null });
      expect(ofEvent.requests[0].body).toBe(tools.requests[0]?.body);
      const sample = (await preview(id, { kind: 'trial_started', app_user_id: 'ada' })).body;
      expect(sample).toMatchObject({
        outcome: 'send',
        requests: [{ url: 'https://api.segment.io/v1/batch' }],
      });
      expect(tools.requests).toHaveLength(1);
    });

    it('explains why a sample waits or is not sent', async () => {
      await buy();
      const firebase = await create('firebase');
      expect((await preview(firebase, { kind: 'renewal', app_user_id: 'ada' })).body).toMatchObject({
        outcome: 'wait',
        reason: 'missing_attribute',
        missing_attributes: ['$firebaseAppInstanceId'],
        requests: [],
      });
      await setAttribute('ada', '$firebaseAppInstanceId', '0123456789abcdef0123456789abcdef');
      const sent = (await preview(firebase, { kind: 'renewal', app_user_id: 'ada' })).body;
      expect(sent).toMatchObject({ outcome: 'send', requests: [{ method: 'POST' }] });
      expect(sent.requests[0].body).toContain('ada');
      const off = await create('segment', { event_names: { renewal: null } });
      expect((await preview(off, { kind: 'renewal' })).body).toMatchObject({
        outcome: 'skip',
        reason: 'event_off',
        reason_text: 'This kind of event is switched off.',
      });
    });

    it.each<[object, number, string | undefined]>([
      [{}, 400, 'event_id'],
      [{ event_id: 'x', kind: 'renewal' }, 400, 'event_id'],
      [{ kind: 'unknown' }, 400, 'kind'],
      [{ event_id: 'x', app_user_id: 'ada' }, 400, 'app_user_id'],
      [{ event_id: 'A6F3D1C2-0000-4000-8000-000000000001' }, 404, 'event_id'],
      [{ kind: 'renewal', app_user_id: 'nobody' }, 404, 'app_user_id'],
    ])('answers a preview of %j with %s and names %s', async (body, code, param) => {
      const answer = await preview(await create('segment'), body);
      expect([answer.status, answer.body.param]).toEqual([code, param]);
    });
  });

  it('leaks no secret in answers, audit rows, deliveries, previews and tests', async () => {
    await setAttribute('ada', '$adjustId', '99887766554433221100998877665544');
    const secrets: string[] = [];
    const texts: string[] = [];
    const record = async (call: Promise<Answer>): Promise<Json> => {
      const { text, headers, body } = await call;
      texts.push(text, JSON.stringify(headers));
      return body;
    };
    // The tools repeat whatever they get.
    tools.answerWith((response) => {
      const { headers, body, path } = tools.requests.at(-1) ?? { headers: {}, body: '', path: '' };
      response.writeHead(400, { 'x-echo': String(headers.authorization ?? '') });
      response.end(JSON.stringify({ error: `${path} ${JSON.stringify(headers)} ${body}` }));
    });
    for (const type of allTypes) {
      const settings = settingsOf(type);
      secrets.push(...secretsOf(definitionOf(type).settings, settings));
      const { id } = await record(store.backend.post(list, { type, settings }));
      await record(store.backend.post(`${list}/${id}`, { settings }));
      await record(store.backend.get(`${list}/${id}`));
      await record(store.backend.post(`${list}/${id}/test`, {}));
      await record(store.backend.post(`${list}/${id}/preview`, { kind: 'renewal', app_user_id: 'ada' }));
    }
    await buy();
    await drain();
    await record(store.backend.get(list));
    for (const { id } of (await store.backend.get(list)).body.items) {
      for (const { id: deliveryId } of (await record(store.backend.get(`${list}/${id}/deliveries`))).items)
        await record(store.backend.get(`${list}/${id}/deliveries/${deliveryId}`));
    }
    await record(store.backend.get(`${store.path}/audit_logs?limit=100`));
    await record(store.backend.get(`${store.path}/customers/ada/export`));
    const rows: unknown = await server.dataSource.query(
      'SELECT d.*, a.* FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id',
    );
    texts.push(
      JSON.stringify(rows),
      JSON.stringify(await server.dataSource.query('SELECT * FROM audit_logs')),
    );
    texts.push(JSON.stringify(await server.dataSource.query('SELECT * FROM webhook_integrations')));
    expect(secrets.length).toBeGreaterThan(15);
    const leaks = secrets.flatMap((secret) =>
      formsOf(secret).filter((form) => texts.some((text) => text.includes(form))),
    );
    expect(leaks).toEqual([]);
  });

  it('exports what was sent about a customer, without attributes of the previous owner', async () => {
    await create('segment');
    await buy();
    await drain();
    await server.dataSource.query('UPDATE webhook_deliveries SET customer_info = $1', [
      JSON.stringify({ attributes: { $adjustId: 'own-id' }, previousOwner: { $adjustId: 'id-of-another' } }),
    ]);
    const { text } = await store.backend.get(`${store.path}/customers/ada/export`);
    expect(text).toContain('own-id');
    expect(text).not.toContain('id-of-another');
  });

  it('answers 404 to another project', async () => {
    const id = await create('segment');
    await buy();
    await drain();
    const delivery = await only(id);
    const made = (await replay(id)).body;
    const other = await createTestStore(server);
    const calls = (client: ApiClient, path: string): Promise<Answer>[] => [
      client.get(`${path}/${id}/deliveries`),
      client.get(`${path}/${id}/deliveries/${delivery.id}`),
      client.post(`${path}/${id}/deliveries/${delivery.id}/retry`, {}),
      client.post(`${path}/${id}/actions/replay`, { from: 0, to: 1 }),
      client.get(`${path}/${id}/replays`),
      client.get(`${path}/${id}/replays/${made.id}`),
      client.post(`${path}/${id}/test`, {}),
      client.post(`${path}/${id}/preview`, { event_id: delivery.event_id }),
      client.get(`${path.replace(/integrations.*/, 'events')}/${delivery.event_id}/deliveries`),
    ];
    const otherList = `${other.path}/integrations/destinations`;
    for (const call of calls(other.backend, otherList)) expect((await call).status).toBe(404);
    for (const call of calls(other.backend, list)) expect([403, 404]).toContain((await call).status);
    const own = (await other.backend.post(otherList, { type: 'segment', settings: enteredSettings.segment }))
      .body.id;
    const answer = await other.backend.post(`${otherList}/${own}/preview`, { event_id: delivery.event_id });
    expect([answer.status, answer.body.param]).toEqual([404, 'event_id']);
    expect((await other.backend.get(`${otherList}/${own}/deliveries/${delivery.id}`)).status).toBe(404);
    expect((await other.backend.get(`${otherList}/${own}/replays/${made.id}`)).status).toBe(404);
    const webhook = (
      await store.backend.post(`${store.path}/integrations/webhooks`, {
        name: 'A',
        url: 'https://example.com/',
      })
    ).body.id;
    expect((await store.backend.get(`${list}/${webhook}/deliveries`)).status).toBe(404);
    expect((await store.backend.post(`${list}/${webhook}/test`, {})).status).toBe(404);
  });
});
