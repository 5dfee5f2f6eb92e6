import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../libs/signing/index.js';
import { PartitionMaintenanceJob } from '../../src/platform/partitions/partition-maintenance.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { describeAccess } from '../support/access-checks.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';
import { deliveriesTo, type RecordedEvent, recordEvent } from '../support/webhook-outbox.js';
import { type ReceivedRequest, type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const RETRY_MS = 5.25 * 60_000;

describe('the webhook log', () => {
  let server: TestServer;
  let path: string;
  let projectId: string;
  let client: ApiClient;
  let session: ApiClient;
  let receivers: Receiver[];
  let integrations: string[];

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_WEBHOOK_REPLAY_RATE: '10',
        SERVICE_WEBHOOK_LOG_DAYS: '30',
      },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    const owner = await signUp(server);
    ({ projectId, session } = owner);
    client = (await createSecretKey(session, projectId)).client;
    path = `/v2/projects/${projectId}`;
    receivers = [];
    integrations = [];
  });

  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(integrations.map((id) => client.delete(`${path}/integrations/webhooks/${id}`)));
  });

  const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();
  const record = (event: RecordedEvent = {}): Promise<string> => recordEvent(server, projectId, event);
  const eventIds = ({ requests }: Receiver): string[] =>
    requests.map(({ body }) => JSON.parse(body).event.id);

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  }

  async function integrate(fields: object): Promise<{ id: string; secret: string; deliveries: string }> {
    const made = await client.post(`${path}/integrations/webhooks`, { name: 'Backend', ...fields });
    expect(made.status).toBe(201);
    const { id, signing_secret: secret } = made.body;
    integrations.push(id);
    return { id, secret, deliveries: `${path}/webhooks/${id}/deliveries` };
  }

  async function list(deliveries: string): Promise<Json[]> {
    const answer = await client.get(deliveries);
    expect(answer.status).toBe(200);
    return answer.body.items;
  }

  describe('deliveries', () => {
    it('lists them newest first, page by page, and by status, type and time', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => status(count === 2 ? 500 : 200)(response, count));
      const { id, deliveries } = await integrate({ url: endpoint.url });
      const startMs = server.clock.nowMs();
      const ids: string[] = [];
      for (const type of ['RENEWAL', 'EXPIRATION', 'RENEWAL', 'RENEWAL']) {
        ids.push(await record({ type }));
        await drain();
        server.clock.advanceMs(1000);
      }
      const all = await list(deliveries);
      expect(all.map(({ event_id: eventId }) => eventId)).toEqual(ids.toReversed());
      expect(all[2]).toEqual({
        object: 'webhook_delivery',
        id: expect.stringMatching(/^whd_[0-9a-f]{16}$/),
        webhook_integration_id: id,
        event_id: ids[1],
        event_type: 'EXPIRATION',
        app_user_id: null,
        product_id: null,
        price_in_purchased_currency: null,
        currency: null,
        status: 'pending',
        attempts: 1,
        next_attempt_at: expect.any(Number),
        response_status: 500,
        response_ms: expect.any(Number),
        last_error: 'The endpoint answered 500; only 200 counts as delivered.',
        replay: false,
        created_at: startMs + 1000,
      });
      expect(all[0]).toMatchObject({ status: 'delivered', next_attempt_at: null, response_status: 200 });
      expect(await walkList(client, deliveries, 2)).toEqual(all);
      const found = async (query: string): Promise<string[]> =>
        (await list(`${deliveries}?${query}`)).map(({ event_id: eventId }) => eventId);
      expect(await found('status=pending')).toEqual([ids[1]]);
      expect(await found('status=failed')).toEqual([]);
      expect(await found('event_type=expiration')).toEqual([ids[1]]);
      expect(await found('event_type=RENEWAL&status=delivered')).toEqual([ids[3], ids[2], ids[0]]);
      expect(await found(`from=${startMs + 1000}&to=${startMs + 3000}`)).toEqual([ids[2], ids[1]]);
      expect(await found(`event_id=${ids[1]}`)).toEqual([ids[1]]);
      expect(await found(`event_id=${ids[1]}&status=delivered`)).toEqual([]);
      expect(await found('event_id=unknown')).toEqual([]);
      expect(await found('replay=unknown')).toEqual([]);
    });

    it.each([
      ['status', 'sent'],
      ['status', ''],
      ['event_type', 'unknown'],
      ['from', 'yesterday'],
      ['from', '-1'],
      ['to', '99999999999999999'],
      ['to', '9999999999999999'],
      ['event_id', ''],
      ['event_id', 'x'.repeat(256)],
      ['replay', ''],
      ['replay', 'x'.repeat(256)],
      ['starting_after', 'whd_unknown'],
      ['limit', 'many'],
    ])('answers the query %s=%s with a 400 that names it', async (param, value) => {
      const { deliveries } = await integrate({ url: 'http://127.0.0.1:9/' });
      const answer = await client.get(`${deliveries}?${param}=${value}`);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('shows their request, every attempt and a command that repeats it, and no secret', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => {
        response.writeHead(count === 1 ? 500 : 200, {
          'x-echo': 'Bearer very-secret',
          'set-cookie': 'sid=1',
        });
        response.end(`you sent Bearer very-secret ${'ü'.repeat(5000)}`);
      });
      const webhook = await integrate({ url: endpoint.url, authorization_header: 'Bearer very-secret' });
      const body = `{"id":"1","name":"it's \\u00fc"}`;
      await record({ body });
      await drain();
      const firstAtMs = server.clock.nowMs();
      server.clock.advanceMs(RETRY_MS);
      await drain();
      const [{ id } = { id: '' }] = await list(webhook.deliveries);
      const { body: detail, text } = await client.get(`${webhook.deliveries}/${id}`);
      const lastAtMs = server.clock.nowMs();
      expect(detail).toMatchObject({
        id,
        status: 'delivered',
        attempts: 2,
        url: endpoint.url,
        request: {
          method: 'POST',
          body: `{"api_version":"1.0","event":${body}}`,
          headers: {
            'content-type': 'application/json',
            authorization: '[masked]',
            'webhook-timestamp': String(Math.floor(lastAtMs / 1000)),
            'webhook-signature': 'v1,[masked]',
          },
        },
        attempt_log: [
          { at: lastAtMs, url: endpoint.url, status: 200, error: null },
          {
            at: firstAtMs,
            url: endpoint.url,
            status: 500,
            ms: expect.any(Number),
            error: 'The endpoint answered 500; only 200 counts as delivered.',
            response_headers: { 'x-echo': '[masked]', 'set-cookie': '[masked]' },
          },
        ],
      });
      expect(detail.request.body).toBe(endpoint.requests[1]?.body);
      expect(detail.attempt_log[0].response_body).toMatch(/^you sent \[masked\] ü+$/);
      expect(detail.attempt_log[0].response_body).toHaveLength(4096);
      expect(detail.curl).toContain(`-H 'authorization: [masked]'`);
      expect(detail.curl).toContain(`it'\\''s`);
      const stored = await server.dataSource.query('SELECT * FROM webhook_attempts WHERE project_id = $1', [
        projectId,
      ]);
      expect(stored).toHaveLength(2);
      for (const shown of [text, JSON.stringify(stored)]) {
        expect(shown).not.toContain('very-secret');
        expect(shown).not.toContain(webhook.secret.replace('whsec_', ''));
      }
    });

    it('shows the ten newest of many attempts', async () => {
      const endpoint = await receiver();
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      const [{ id } = { id: '' }] = await list(deliveries);
      for (let count = 0; count < 11; count++) {
        server.clock.advanceMs(1000);
        await client.post(`${deliveries}/${id}/retry`);
        await drain();
      }
      const { body: detail } = await client.get(`${deliveries}/${id}`);
      expect(detail.attempts).toBe(12);
      const nowMs = server.clock.nowMs();
      expect(detail.attempt_log.map(({ at }: Json) => nowMs - at)).toEqual(
        Array.from({ length: 10 }, (_, index) => index * 1000),
      );
    });

    it('logs those without an answer with the reason', async () => {
      const endpoint = await receiver();
      await endpoint.close();
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      const [{ id } = { id: '' }] = await list(deliveries);
      const { body } = await client.get(`${deliveries}/${id}`);
      expect(body.attempt_log).toEqual([
        {
          at: server.clock.nowMs(),
          url: endpoint.url,
          status: null,
          ms: expect.any(Number),
          error: 'The host could not be reached (ECONNREFUSED).',
          response_body: null,
          response_headers: null,
        },
      ]);
    });

    it('finds them below their own integration only', async () => {
      const endpoint = await receiver();
      const [mine, other] = [await integrate({ url: endpoint.url }), await integrate({ url: endpoint.url })];
      await record();
      await drain();
      const [{ id } = { id: '' }] = await list(mine.deliveries);
      const stranger = await signUp(server);
      const answers = [
        await client.get(`${other.deliveries}/${id}`),
        await client.post(`${other.deliveries}/${id}/retry`),
        await client.get(`${mine.deliveries}/whd_unknown`),
        await client.post(`${mine.deliveries}/whd_unknown/retry`),
        await client.get(`${path}/webhooks/wh_unknown/deliveries`),
        await client.post(`${path}/webhooks/wh_unknown/test`),
        await client.post(`${path}/webhooks/wh_unknown/actions/replay`, { from: 0, to: 1 }),
        await stranger.session.get(mine.deliveries.replace(projectId, stranger.projectId)),
      ];
      expect(answers.map(({ status: code, body }) => [code, body.type])).toEqual(
        answers.map(() => [404, 'resource_missing']),
      );
      const cursor = await client.get(`${other.deliveries}?starting_after=${id}`);
      expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
    });

    it('names customer, product and amount of the event to those who may read customers', async () => {
      const { deliveries } = await integrate({ url: 'http://127.0.0.1:9/' });
      const sold = {
        app_user_id: 'ada',
        product_id: 'pro',
        price_in_purchased_currency: 9.99,
        currency: 'EUR',
      };
      await record({ body: JSON.stringify({ type: 'RENEWAL', ...sold }) });
      expect(await list(deliveries)).toMatchObject([sold]);
      const reader = (await createSecretKey(session, projectId, ['project_configuration:integrations:read']))
        .client;
      const nothing = {
        app_user_id: null,
        product_id: null,
        price_in_purchased_currency: null,
        currency: null,
      };
      expect((await reader.get(deliveries)).body.items).toMatchObject([nothing]);
    });

    it('shows deliveries to readers, and bodies only to those who may change the configuration', async () => {
      const endpoint = await receiver();
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      const [{ id } = { id: '' }] = await list(deliveries);
      const reader = (await createSecretKey(session, projectId, ['project_configuration:integrations:read']))
        .client;
      expect((await reader.get(deliveries)).status).toBe(200);
      expect((await reader.get(`${path}/webhooks`)).status).toBe(200);
      for (const answer of [
        await reader.get(`${deliveries}/${id}`),
        await reader.post(`${deliveries}/${id}/retry`),
        await reader.get(`${path}/webhooks/events`),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(':read_write')]);
      }
    });
  });

  describe('a retry', () => {
    it('sends a failed delivery again, with the same body and id', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      for (const minutes of [0, 5, 10, 20, 40, 80]) {
        server.clock.advanceMs(minutes * 63_000);
        await drain();
      }
      const [failed] = await list(deliveries);
      expect(failed).toMatchObject({ status: 'failed', attempts: 6 });
      endpoint.answerWith(status(200));
      const retry = await client.post(`${deliveries}/${failed?.id}/retry`);
      expect([retry.status, retry.body]).toEqual([
        200,
        { ...failed, status: 'pending', next_attempt_at: server.clock.nowMs() },
      ]);
      await drain();
      expect((await list(deliveries))[0]).toMatchObject({ status: 'delivered', attempts: 7 });
      expect(new Set(endpoint.requests.map(({ body }) => body)).size).toBe(1);
      expect(endpoint.requests).toHaveLength(7);
      const logs = await client.get(`${path}/audit_logs?limit=1`);
      expect(logs.body.items[0]).toMatchObject({
        action_type: 'webhook_integration_delivery_retried',
        additional_data: { delivery_id: failed?.id },
      });
    });

    it('keeps the delivery failed if it fails after the sixth attempt', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id, deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      await server.dataSource.query(
        `UPDATE webhook_deliveries SET status = 'failed', attempts = 6, next_attempt_at = NULL
         WHERE webhook_integration_id = $1`,
        [id],
      );
      const [failed] = await list(deliveries);
      await client.post(`${deliveries}/${failed?.id}/retry`);
      await drain();
      expect((await list(deliveries))[0]).toMatchObject({
        status: 'failed',
        attempts: 7,
        next_attempt_at: null,
      });
    });

    it('brings an attempt forward that is planned for later', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      const [waiting] = await list(deliveries);
      expect((await client.post(`${deliveries}/${waiting?.id}/retry`)).status).toBe(200);
      await drain();
      expect((await list(deliveries))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
    });

    it('answers 409 when the delivery is due anyway, and 423 while it is being sent', async () => {
      const endpoint = await receiver();
      const answers: (() => void)[] = [];
      endpoint.answerWith((response) => answers.push(() => response.end()));
      const { deliveries } = await integrate({ url: endpoint.url });
      // A day ahead, so that the server's own look does not find it.
      server.clock.advanceMs(DAY_MS);
      await record();
      server.clock.advanceMs(-DAY_MS);
      const [{ id } = { id: '' }] = await list(deliveries);
      await server.dataSource.query('UPDATE webhook_deliveries SET next_attempt_at = $2 WHERE id = $1', [
        id,
        new Date(server.clock.nowMs() + 1),
      ]);
      server.clock.advanceMs(1);
      const dispatcher = server.app.get(DeliveryDispatcherService);
      dispatcher.wake();
      await endpoint.received(1);
      const locked = await client.post(`${deliveries}/${id}/retry`);
      expect([locked.status, locked.body.type, locked.headers['retry-after']]).toEqual([
        423,
        'resource_locked_error',
        '1',
      ]);
      expect((await list(deliveries))[0]).toMatchObject({ status: 'pending', next_attempt_at: null });
      // The work of a process that died is due.
      await expireLeases(server, 'webhook_deliveries');
      const due = await client.post(`${deliveries}/${id}/retry`);
      expect([due.status, due.body.type]).toEqual([409, 'invalid_request']);
      answers[0]?.();
      await drain();
    });

    it('makes one attempt if two people retry at once', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
      const { deliveries } = await integrate({ url: endpoint.url });
      await record();
      await drain();
      const [{ id } = { id: '' }] = await list(deliveries);
      const both = await Promise.all([1, 2].map(() => client.post(`${deliveries}/${id}/retry`)));
      await drain();
      const retried = both.filter(({ status: code }) => code === 200).length;
      expect(endpoint.requests).toHaveLength(1 + retried);
      expect(both.every(({ status: code }) => [200, 409, 423].includes(code))).toBe(true);
    });
  });

  describe('a test event', () => {
    it.each(['integrations/webhooks', 'webhooks'])(
      'uses /%s/{id}/test, whatever the filters say',
      async (base) => {
        const endpoint = await receiver();
        const webhook = await integrate({
          url: endpoint.url,
          event_types: ['renewal'],
          environment: 'production',
        });
        const made = await client.post(`${path}/${base}/${webhook.id}/test`);
        expect([made.status, made.body]).toEqual([
          201,
          expect.objectContaining({
            object: 'webhook_delivery',
            id: expect.stringMatching(/^whd_[0-9a-z]{16}$/),
            webhook_integration_id: webhook.id,
            event_type: 'TEST',
            status: 'pending',
            attempts: 0,
            next_attempt_at: server.clock.nowMs(),
          }),
        ]);
        await drain();
        const [request] = endpoint.requests as [ReceivedRequest];
        expect(JSON.parse(request.body)).toEqual({
          api_version: '1.0',
          event: expect.objectContaining({
            id: made.body.event_id,
            type: 'TEST',
            environment: 'SANDBOX',
            product_id: 'test_product',
            price: 0,
            app_user_id: expect.any(String),
            original_transaction_id: expect.any(String),
          }),
        });
        expect(
          verifyWebhook(
            String(request.headers['x-service-webhook-signature']),
            webhook.secret,
            request.raw,
            server.clock.nowMs(),
          ),
        ).toBe(true);
        expect(await list(webhook.deliveries)).toEqual([
          expect.objectContaining({ id: made.body.id, status: 'delivered' }),
        ]);
      },
    );

    it('goes to no other integration, and to no paused one', async () => {
      const endpoint = await receiver();
      const [one, other] = [await integrate({ url: endpoint.url }), await integrate({ url: endpoint.url })];
      await client.post(`${path}/webhooks/${one.id}/test`);
      await drain();
      expect(await list(other.deliveries)).toEqual([]);
      await client.post(`${path}/integrations/webhooks/${one.id}`, { enabled: false });
      const [delivered] = await list(one.deliveries);
      for (const answer of [
        await client.post(`${path}/webhooks/${one.id}/test`),
        await client.post(`${path}/integrations/webhooks/${one.id}/test`),
        await client.post(`${one.deliveries}/${delivered?.id}/retry`),
        await client.post(`${path}/webhooks/${one.id}/actions/replay`, { from: 0, to: 1 }),
      ]) {
        expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
      }
      expect(await list(one.deliveries)).toHaveLength(1);
    });
  });

  describe('the signing secret', () => {
    // The public library verifies against the real time only, so its own signing is what ours is compared with.
    const taken = ({ raw, headers }: ReceivedRequest, secret: string): boolean => {
      expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(server.clock.nowMs() / 1000));
      const value = String(headers['x-service-webhook-signature']);
      expect(headers['x-revenuecat-webhook-signature']).toBe(value);
      const own = verifyWebhook(value, secret, raw, server.clock.nowMs());
      const library = new Webhook(secret);
      const expected = library.sign(
        String(headers['webhook-id']),
        new Date(Number(headers['webhook-timestamp']) * 1000),
        raw.toString('utf8'),
      );
      const standard = String(headers['webhook-signature']).split(' ').includes(expected);
      expect(standard).toBe(own);
      return own;
    };

    it('signs in both ways, and rotated it signs beside its successor for 24 hours', async () => {
      const endpoint = await receiver();
      const webhook = await integrate({ url: endpoint.url });
      const rotate = async (): Promise<string> => {
        const answer = await client.post(`${path}/integrations/webhooks/${webhook.id}/actions/rotate_secret`);
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ object: 'webhook_integration', id: webhook.id });
        return answer.body.signing_secret;
      };
      const secrets = [webhook.secret];
      const signedWith = async (): Promise<boolean[]> => {
        await record();
        await drain();
        const request = endpoint.requests.at(-1);
        return secrets.map((secret) => request !== undefined && taken(request, secret));
      };
      expect(await signedWith()).toEqual([true]);
      secrets.push(await rotate());
      expect(secrets[1]).not.toBe(secrets[0]);
      expect(await signedWith()).toEqual([true, true]);
      server.clock.advanceMs(DAY_MS - 1);
      expect(await signedWith()).toEqual([true, true]);
      server.clock.advanceMs(1);
      expect(await signedWith()).toEqual([false, true]);
      secrets.push(await rotate());
      secrets.push(await rotate());
      expect(await signedWith()).toEqual([false, false, true, true]);
      const read = await client.get(`${path}/integrations/webhooks/${webhook.id}`);
      expect(read.text).not.toContain('whsec_');
      expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual(eventIds(endpoint));
    });

    it('rotates one at a time: whichever answer came last signs', async () => {
      const endpoint = await receiver();
      const webhook = await integrate({ url: endpoint.url });
      const rotate = `${path}/integrations/webhooks/${webhook.id}/actions/rotate_secret`;
      const answers = await Promise.all([client.post(rotate), client.post(rotate)]);
      await record();
      await drain();
      const [request] = endpoint.requests as [ReceivedRequest];
      expect(answers.map(({ body }) => taken(request, body.signing_secret))).toEqual([true, true]);
      expect(taken(request, webhook.secret)).toBe(false);
    });
  });

  describe('a replay', () => {
    const replay = (id: string, body: object) => client.post(`${path}/webhooks/${id}/actions/replay`, body);

    it('sends the history to a new endpoint, oldest first, marked and at a bounded rate', async () => {
      const fromMs = server.clock.nowMs();
      const ids: string[] = [];
      const events = ['RENEWAL', 'EXPIRATION', 'SUBSCRIBER_ALIAS', 'RENEWAL', 'CANCELLATION'];
      for (const type of events) {
        ids.push(await record({ type }));
        server.clock.advanceMs(1000);
      }
      await record({ delivery: 'suppressed' });
      await record({ environment: 'production' });
      const toMs = server.clock.nowMs() + 1;
      server.clock.advanceMs(DAY_MS);
      const endpoint = await receiver();
      const { id, deliveries } = await integrate({ url: endpoint.url, environment: 'sandbox' });
      const answer = await replay(id, { from: fromMs, to: toMs, status: 'all' });
      expect([answer.status, answer.body]).toEqual([
        202,
        expect.objectContaining({ object: 'webhook_replay', queued: 4 }),
      ]);
      const expected = [ids[0], ids[1], ids[3], ids[4]];
      // Ten a second: a tenth of a second lies between one and the next.
      await drain();
      expect(eventIds(endpoint)).toEqual(expected.slice(0, 1));
      server.clock.advanceMs(200);
      await drain();
      expect(endpoint.requests).toHaveLength(3);
      server.clock.advanceMs(100);
      await drain();
      expect(eventIds(endpoint).toSorted()).toEqual(expected.toSorted());
      expect(endpoint.requests.map(({ headers }) => headers['x-service-webhook-replay'])).toEqual(
        Array(4).fill('true'),
      );
      const rows = await list(deliveries);
      expect(rows.map(({ status: state, replay: marked }) => [state, marked])).toEqual(
        Array(4).fill(['delivered', true]),
      );
      const logs = await client.get(`${path}/audit_logs`);
      expect(logs.body.items).toContainEqual(
        expect.objectContaining({
          action_type: 'webhook_integration_replayed',
          target_identifier: id,
          additional_data: {
            method: 'POST',
            status: 202,
            from: fromMs,
            to: toMs,
            deliveries: 'all',
            queued: 4,
          },
        }),
      );
    });

    it('sends what has failed again, by time and type, and nothing else', async () => {
      const endpoint = await receiver();
      const { id, deliveries } = await integrate({ url: endpoint.url });
      const fromMs = server.clock.nowMs();
      const ids: string[] = [];
      for (const type of ['RENEWAL', 'EXPIRATION', 'RENEWAL', 'RENEWAL']) {
        ids.push(await record({ type }));
        await drain();
        server.clock.advanceMs(1000);
      }
      await server.dataSource.query(
        `UPDATE webhook_deliveries SET status = 'failed', attempts = 6 WHERE event_id = ANY ($1)`,
        [ids.slice(0, 3)],
      );
      const before = endpoint.requests.length;
      const some = await replay(id, { from: fromMs, to: fromMs + 2000, event_types: ['renewal'] });
      expect([some.status, some.body.queued]).toEqual([202, 1]);
      await drain();
      expect(eventIds(endpoint).slice(before)).toEqual([ids[0]]);
      const rest = await replay(id, { from: 0, to: fromMs + DAY_MS, status: 'failed', event_types: null });
      expect(rest.body.queued).toBe(2);
      server.clock.advanceMs(1000);
      await drain();
      expect(eventIds(endpoint).slice(before).toSorted()).toEqual(ids.slice(0, 3).toSorted());
      expect((await replay(id, { from: 0, to: fromMs + DAY_MS })).body.queued).toBe(0);
      const rows = await list(deliveries);
      expect(rows.map((row) => [row.event_id, row.attempts, row.replay])).toEqual([
        [ids[3], 1, false],
        [ids[2], 7, true],
        [ids[1], 7, true],
        [ids[0], 7, true],
      ]);
    });

    it('sends delivered events again, and never test events', async () => {
      const endpoint = await receiver();
      const { id } = await integrate({ url: endpoint.url });
      const sent = await record();
      await client.post(`${path}/webhooks/${id}/test`);
      await drain();
      const answer = await replay(id, {
        from: 0,
        to: server.clock.nowMs() + 1,
        status: 'all',
        event_types: [],
      });
      expect(answer.body.queued).toBe(1);
      await drain();
      expect(eventIds(endpoint).filter((event) => event === sent)).toHaveLength(2);
      expect(endpoint.requests).toHaveLength(3);
    });

    it('holds 10,000 events at most; more is a 422 that queues nothing', async () => {
      const { id } = await integrate({ url: 'http://127.0.0.1:9/', event_types: ['transfer'] });
      await server.dataSource.query(
        `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, environment, delivery, body)
         SELECT $1, $2::timestamptz + n * interval '1 ms', 'E' || n, $2, 'TRANSFER', 'E' || n, 'sandbox', 'send', '{}'
         FROM generate_series(1, 10001) n`,
        [projectId, new Date(server.clock.nowMs())],
      );
      const from = server.clock.nowMs();
      const tooMany = await replay(id, { from, to: from + 20_000, status: 'all' });
      expect([tooMany.status, tooMany.body.type]).toEqual([422, 'unprocessable_entity_error']);
      expect(await deliveriesTo(server, id)).toEqual([]);
      expect((await replay(id, { from, to: from + 10_001, status: 'all' })).body.queued).toBe(10_000);
    });

    it.each([
      ['from', { to: 1 }],
      ['to', { from: 1 }],
      ['to', { from: 5, to: 5 }],
      ['to', { from: 5, to: 4 }],
      ['from', { from: -1, to: 4 }],
      ['from', { from: '2026-01-01', to: 4 }],
      ['to', { from: 1, to: 1e17 }],
      ['status', { from: 1, to: 2, status: 'pending' }],
      ['event_types', { from: 1, to: 2, event_types: ['unknown'] }],
      ['event_types', { from: 1, to: 2, event_types: 'renewal' }],
    ])('answers a wrong %s with a 400 that names it: %j', async (param, body) => {
      const { id } = await integrate({ url: 'http://127.0.0.1:9/' });
      const answer = await replay(id, body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });
  });

  it('expires after the configured time, including deliveries that still wait', async () => {
    const endpoint = await receiver();
    endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
    const { deliveries } = await integrate({ url: endpoint.url });
    for (let count = 0; count < 5; count++) await record();
    await drain();
    const failing = await receiver();
    failing.answerWith(status(500));
    const paused = await integrate({ url: failing.url, event_types: ['expiration'] });
    await record({ type: 'EXPIRATION' });
    await drain();
    await client.post(`${path}/integrations/webhooks/${paused.id}`, { enabled: false });
    server.clock.advanceMs(29 * DAY_MS);
    await record();
    await drain();
    const maintenance = server.app.get(PartitionMaintenanceJob);
    await maintenance.run();
    expect(await list(deliveries)).toHaveLength(7);
    server.clock.advanceMs(DAY_MS + 1);
    await maintenance.run();
    expect(await list(deliveries)).toHaveLength(1);
    expect(await deliveriesTo(server, paused.id)).toEqual([]);
    const [{ count } = { count: 0 }] = await server.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int FROM webhook_attempts a WHERE a.project_id = $1`,
      [projectId],
    );
    // Two attempts of 29 days later: a retry and a new event.
    expect(count).toBe(2);
  });

  describe('the states', () => {
    it('shows which integrations are on, oldest first, page by page', async () => {
      const made: string[] = [];
      for (let count = 0; count < 3; count++) {
        made.push((await integrate({ url: 'http://127.0.0.1:9/' })).id);
        server.clock.advanceMs(1);
      }
      await client.post(`${path}/integrations/webhooks/${made[1]}`, { enabled: false });
      const states = await walkList(client, `${path}/webhooks`, 2);
      expect(states).toEqual(
        made.map((id, index) => ({
          object: 'webhook_state',
          id,
          enabled: index !== 1,
          circuit: 'closed',
          delivered_24h: 0,
          failed_24h: 0,
          pending: 0,
        })),
      );
    });

    it('counts deliveries that succeeded and failed in the last 24 hours, and everything pending', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
      const { id } = await integrate({ url: endpoint.url });
      const quiet = await integrate({ url: endpoint.url, event_types: ['transfer'] });
      const counts = async (): Promise<Json[]> => (await client.get(`${path}/webhooks`)).body.items;
      for (let count = 0; count < 3; count++) {
        await record();
        await drain();
      }
      const none = { delivered_24h: 0, failed_24h: 0, pending: 0 };
      const first = { id, delivered_24h: 2, failed_24h: 1, pending: 1 };
      const byId = (one: Json, other: Json): number => (one.id < other.id ? -1 : 1);
      expect((await counts()).toSorted(byId)).toEqual(
        [first, { id: quiet.id, ...none }].toSorted(byId).map((state) => expect.objectContaining(state)),
      );
      await client.post(`${path}/integrations/webhooks/${id}`, { enabled: false });
      server.clock.advanceMs(DAY_MS + 1);
      expect(await counts()).toContainEqual(expect.objectContaining({ id, ...none, pending: 1 }));
    });
  });

  describe('recent events', () => {
    it('lists them oldest first, as webhooks carry them, from a given time', async () => {
      await record();
      server.clock.advanceMs(1000);
      const sinceMs = server.clock.nowMs();
      const body = '{ "a":1.50 }';
      const ids = [await record({ body }), await record()];
      server.clock.advanceMs(1);
      ids.push(await record());
      await record({ delivery: 'suppressed' });
      const events = `${path}/webhooks/events`;
      const { body: page } = await client.get(`${events}?since=${sinceMs}`);
      expect(page.items.map(({ id }: Json) => id).toSorted()).toEqual(ids.toSorted());
      expect(page.items.find(({ id }: Json) => id === ids[0])).toEqual({
        object: 'webhook_event',
        id: ids[0],
        type: 'RENEWAL',
        created_at: sinceMs,
        payload: `{"api_version":"1.0","event":${body}}`,
      });
      const { body: first } = await client.get(`${events}?since=${sinceMs}&limit=2`);
      const { body: second } = await client.get(first.next_page);
      expect([...first.items, ...second.items]).toEqual(page.items);
      expect((await client.get(events)).body.items).toHaveLength(4);
      server.clock.advanceMs(60_000);
      expect((await client.get(events)).body.items).toHaveLength(2 - 1);
      for (const [param, value] of [
        ['since', 'now'],
        ['starting_after', 'unknown'],
      ]) {
        const answer = await client.get(`${events}?${param}=${value}`);
        expect([answer.status, answer.body.param]).toEqual([400, param]);
      }
    });
  });

  const read = 'project_configuration:integrations:read';
  const write = 'project_configuration:integrations:read_write';
  const below = (suffix: string) => (project: string) => `/v2/projects/${project}/${suffix}`;
  for (const [method, suffix, permission] of [
    ['GET', 'webhooks', read],
    ['GET', 'webhooks/events', write],
    ['GET', 'webhooks/wh_unknown/deliveries', read],
    ['GET', 'webhooks/wh_unknown/deliveries/whd_unknown', write],
    ['POST', 'webhooks/wh_unknown/deliveries/whd_unknown/retry', write],
    ['POST', 'webhooks/wh_unknown/test', write],
    ['POST', 'webhooks/wh_unknown/actions/replay', write],
    ['POST', 'integrations/webhooks/wh_unknown/test', write],
    ['POST', 'integrations/webhooks/wh_unknown/actions/rotate_secret', write],
  ] as const) {
    describe(`${method} ${suffix}`, () => {
      describeAccess(() => server, method, below(suffix), permission);
    });
  }
});
