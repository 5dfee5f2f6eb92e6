import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, type RecordedEvent, recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const THRESHOLD = 3;
const env = {
  SERVICE_ALLOW_SIGNUP: 'true',
  SERVICE_TRUST_PROXY: 'true',
  SERVICE_WEBHOOK_CIRCUIT_FAILURES: String(THRESHOLD),
};

describe('endpoints of webhooks', () => {
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let receivers: Receiver[];
  let integrations: string[];

  beforeAll(async () => {
    server = await startTestServer({ env });
    replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env });
  });

  afterAll(async () => {
    await replica.close();
    await server.close();
  });

  beforeEach(async () => {
    store = await createTestStore(server);
    receivers = [];
    integrations = [];
  });

  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(integrations.map((path) => store.backend.delete(path)));
  });

  const drain = async (): Promise<void> => {
    await Promise.all([server, replica].map(({ app }) => app.get(DeliveryDispatcherService).drain()));
  };
  const record = (event: RecordedEvent = {}): Promise<string> => recordEvent(server, store.projectId, event);
  const eventOf = ({ body }: { body: string }): Json => JSON.parse(body).event;

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  }

  async function integrate(fields: object): Promise<{ id: string; path: string }> {
    const list = `${store.path}/integrations/webhooks`;
    const made = await store.backend.post(list, { name: 'Backend', ...fields });
    expect(made.status).toBe(201);
    integrations.push(`${list}/${made.body.id}`);
    return { id: made.body.id, path: `${list}/${made.body.id}` };
  }

  async function buy(appUserId: string, productId = 'pro_monthly'): Promise<void> {
    const answer = await store.sdk.post('/v1/receipts', {
      app_user_id: appUserId,
      product_id: productId,
      fetch_token: `test_${server.clock.nowMs()}_${appUserId}_${productId}`,
    });
    expect(answer.status).toBe(200);
  }

  async function systemLog(id: string): Promise<Json[]> {
    const { body } = await store.backend.get(`${store.path}/audit_logs?limit=100`);
    return body.items.filter((row: Json) => row.actor_type === 'system' && row.target_identifier === id);
  }

  const circuitOf = async (id: string): Promise<string> => {
    const { body } = await store.backend.get(`${store.path}/webhooks`);
    return body.items.find((state: Json) => state.id === id).circuit;
  };

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  }

  describe('that keep failing', () => {
    it('sends one probe at a time, and everything that waits once a probe succeeds', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id } = await integrate({ url: endpoint.url });
      for (let count = 0; count < THRESHOLD; count++) await record();
      await drain();
      expect([endpoint.requests.length, await circuitOf(id)]).toEqual([THRESHOLD, 'open']);
      const waiting: string[] = [];
      for (let count = 0; count < 20; count++) waiting.push(await record());
      await drain();
      expect(endpoint.requests).toHaveLength(THRESHOLD);
      // Half a minute until the first probe, twice as long until each next one.
      for (const [index, seconds] of [30, 60, 120].entries()) {
        server.clock.advanceMs(seconds * 1000 - 1);
        await drain();
        expect(endpoint.requests).toHaveLength(THRESHOLD + index);
        server.clock.advanceMs(1);
        await drain();
        expect(endpoint.requests).toHaveLength(THRESHOLD + index + 1);
      }
      expect(await metric('tenure_webhook_circuits{state="open"}')).toBe(1);
      endpoint.answerWith(status(200));
      server.clock.advanceMs(240_000);
      const before = endpoint.requests.length;
      await drain();
      expect(await circuitOf(id)).toBe('closed');
      const sent = new Set(endpoint.requests.slice(before).map((request) => eventOf(request).id));
      const probed = new Set(
        endpoint.requests.slice(THRESHOLD, before).map((request) => eventOf(request).id),
      );
      expect(waiting.filter((event) => !sent.has(event) && !probed.has(event))).toEqual([]);
      // Waiting used up no attempts: only probes are counted.
      const attempts = (await deliveriesTo(server, id)).map((row) => row.attempts);
      expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(endpoint.requests.length);
      expect((await systemLog(id)).map((row) => [row.action_type, row.additional_data])).toEqual([
        ['webhook_integration_circuit_closed', {}],
        ['webhook_integration_circuit_opened', { failures: THRESHOLD }],
      ]);
    });

    it('stays half open as long as nothing is due to probe with', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      await integrate({ url: endpoint.url });
      for (let count = 0; count < THRESHOLD; count++) await record();
      await drain();
      server.clock.advanceMs(30_000);
      expect(await metric('tenure_webhook_circuits{state="half_open"}')).toBe(1);
      expect(await metric('tenure_webhook_circuits{state="open"}')).toBe(0);
      expect(await metric('tenure_webhook_oldest_due_seconds')).toBe(0);
    });

    it('stays closed while some attempts succeed', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response, count) => status(count % THRESHOLD === 0 ? 200 : 500)(response, count));
      const { id } = await integrate({ url: endpoint.url });
      for (let count = 0; count < 12; count++) {
        await record();
        await drain();
      }
      expect([endpoint.requests.length, await circuitOf(id)]).toEqual([12, 'closed']);
    });

    it('tries them at once after a test event, and starts over when resumed or given another URL', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id, path } = await integrate({ url: endpoint.url });
      const open = async (): Promise<number> => {
        for (let count = 0; count < THRESHOLD; count++) await record();
        await drain();
        expect(await circuitOf(id)).toBe('open');
        return endpoint.requests.length;
      };
      let before = await open();
      await store.backend.post(`${path}/test`);
      await drain();
      expect(endpoint.requests).toHaveLength(before + 1);
      await store.backend.post(path, { enabled: true });
      expect(await circuitOf(id)).toBe('closed');
      before = await open();
      await store.backend.post(path, { name: 'Another name' });
      expect(await circuitOf(id)).toBe('open');
      const working = await receiver();
      const waiting = await record();
      await store.backend.post(path, { url: working.url });
      await drain();
      expect(working.requests.map((request) => eventOf(request).id)).toContain(waiting);
      expect(endpoint.requests).toHaveLength(before);
    });

    it('passes the probe to another server when the first one dies with it', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id } = await integrate({ url: endpoint.url });
      for (let count = 0; count < THRESHOLD; count++) await record();
      await drain();
      server.clock.advanceMs(30_000);
      // Simulates a process that claimed the probe and was killed.
      const againAt = new Date(server.clock.nowMs() + 90_000);
      await server.dataSource.query(
        `UPDATE webhook_circuits SET probe_at = $2, probe_lease_until = now() + interval '90 seconds'
         WHERE webhook_integration_id = $1`,
        [id, againAt],
      );
      await record();
      await drain();
      expect(endpoint.requests).toHaveLength(THRESHOLD);
      endpoint.answerWith(status(200));
      server.clock.advanceMs(90_000);
      await drain();
      expect(endpoint.requests).toHaveLength(THRESHOLD);
      await expireLeases(server, 'webhook_circuits');
      await drain();
      expect(await circuitOf(id)).toBe('closed');
    });

    it('leaves nothing behind when their integration is deleted', async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id, path } = await integrate({ url: endpoint.url });
      for (let count = 0; count < THRESHOLD; count++) await record();
      await drain();
      await store.backend.delete(path);
      const rows = await server.dataSource.query(
        'SELECT 1 FROM webhook_circuits WHERE webhook_integration_id = $1',
        [id],
      );
      expect(rows).toEqual([]);
    });
  });

  it('pauses endpoints that answer 410, and audits who did it', async () => {
    const endpoint = await receiver();
    endpoint.answerWith(status(410));
    const { id, path } = await integrate({ url: endpoint.url });
    await record();
    await drain();
    const { body } = await store.backend.get(`${store.path}/webhooks`);
    expect(body.items).toEqual([expect.objectContaining({ id, enabled: false, circuit: 'closed' })]);
    const [delivery] = await deliveriesTo(server, id);
    expect(await systemLog(id)).toEqual([
      expect.objectContaining({
        action_type: 'webhook_integration_paused',
        additional_data: { response_status: 410, delivery_id: delivery?.id },
      }),
    ]);
    await record();
    server.clock.advanceMs(6 * MINUTE_MS);
    await drain();
    expect(endpoint.requests).toHaveLength(1);
    endpoint.answerWith(status(200));
    await store.backend.post(path, { enabled: true });
    await drain();
    expect(endpoint.requests).toHaveLength(2);
    expect(await deliveriesTo(server, id)).toEqual([expect.objectContaining({ status: 'delivered' })]);
  });

  it.each([
    ['1200', 20 * MINUTE_MS],
    ['86400', 120 * MINUTE_MS],
  ])('respects Retry-After: %s, within limits', async (header, waitMs) => {
    const endpoint = await receiver();
    endpoint.answerWith(status(503, { 'retry-after': header }));
    const { id } = await integrate({ url: endpoint.url });
    await record();
    await drain();
    const [row] = await deliveriesTo(server, id);
    expect(row?.next_attempt_at).toBe(server.clock.nowMs() + waitMs);
  });

  describe('that want order', () => {
    const sequences = ({ requests }: Receiver, customer: string): number[] =>
      requests
        .map(eventOf)
        .filter(({ of }) => of === customer)
        .map(({ sequence }) => sequence);
    const recordOf = (customerId: string, sequence: number): Promise<string> => {
      const id = `${customerId}-${sequence}`;
      return record({ customerId, sequence, body: JSON.stringify({ id, of: customerId, sequence }) });
    };

    it("receives one customer's events strictly one after the other, and other customers' meanwhile", async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response) => {
        const { of, sequence } = eventOf(endpoint.requests.at(-1) ?? { body: '{}' });
        const tries = sequences(endpoint, of).filter((number) => number === sequence).length;
        response.writeHead(of === 'a' && sequence === 2 && tries < 3 ? 500 : 200).end();
      });
      const { id } = await integrate({ url: endpoint.url, ordered: true });
      for (let sequence = 1; sequence <= 4; sequence++) {
        for (const customer of ['a', 'b']) await recordOf(customer, sequence);
      }
      await drain();
      await drain();
      expect(sequences(endpoint, 'a')).toEqual([1, 2]);
      expect(sequences(endpoint, 'b')).toEqual([1, 2, 3, 4]);
      expect(await metric('tenure_webhook_oldest_due_seconds')).toBe(0);
      server.clock.advanceMs(5.25 * MINUTE_MS);
      await drain();
      await recordOf('a', 5);
      await drain();
      expect(sequences(endpoint, 'a')).toEqual([1, 2, 2]);
      server.clock.advanceMs(10.5 * MINUTE_MS);
      await drain();
      await drain();
      expect(sequences(endpoint, 'a')).toEqual([1, 2, 2, 2, 3, 4, 5]);
      expect((await deliveriesTo(server, id)).every((row) => row.status === 'delivered')).toBe(true);
    });

    it('continues after an event that has finally failed', async () => {
      const endpoint = await receiver();
      endpoint.answerWith((response) => {
        const { sequence } = eventOf(endpoint.requests.at(-1) ?? { body: '{}' });
        response.writeHead(sequence === 1 ? 500 : 200).end();
      });
      // A threshold of three would hold the six attempts up.
      await integrate({ url: endpoint.url, ordered: true });
      await recordOf('a', 1);
      await recordOf('a', 2);
      await drain();
      await server.dataSource.query(
        `UPDATE webhook_deliveries SET attempts = 5 WHERE project_id = $1 AND sequence = 1`,
        [store.projectId],
      );
      server.clock.advanceMs(6 * MINUTE_MS);
      await drain();
      await drain();
      expect(sequences(endpoint, 'a')).toEqual([1, 1, 2]);
    });

    it("receives a customer's waiting events first after the customer was merged into another", async () => {
      const endpoint = await receiver();
      endpoint.answerWith(status(500));
      const { id } = await integrate({ url: endpoint.url, ordered: true });
      await store.sdk.get('/v1/subscribers/known');
      await buy('$RCAnonymousID:0123456789abcdef0123456789abcdef');
      await drain();
      endpoint.answerWith(status(200));
      const merged = await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: '$RCAnonymousID:0123456789abcdef0123456789abcdef',
        new_app_user_id: 'known',
      });
      expect([200, 201]).toContain(merged.status);
      server.clock.advanceMs(1000);
      await buy('known', 'coins_100');
      await drain();
      expect(endpoint.requests).toHaveLength(1);
      server.clock.advanceMs(5.25 * MINUTE_MS);
      await drain();
      await drain();
      const products = endpoint.requests.map((request) => eventOf(request).product_id);
      expect(products).toEqual(['pro_monthly', 'pro_monthly', 'coins_100']);
      const customers = await server.dataSource.query<{ count: number }[]>(
        'SELECT count(DISTINCT customer_id)::int FROM webhook_deliveries WHERE webhook_integration_id = $1',
        [id],
      );
      expect(customers).toEqual([{ count: 1 }]);
    });

    it('numbers the events of real purchases without gaps', async () => {
      const endpoint = await receiver();
      await integrate({ url: endpoint.url, ordered: true });
      for (const product of ['pro_monthly', 'coins_100', 'pro_lifetime']) {
        await buy('somebody', product);
        await buy('else', product);
        server.clock.advanceMs(1000);
      }
      await drain();
      await drain();
      for (const customer of ['somebody', 'else']) {
        const events = endpoint.requests.map(eventOf).filter(({ app_user_id: id }) => id === customer);
        expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      }
    });
  });

  describe('that want customer info', () => {
    it('receives what the SDK gets, as of the first attempt, the same bytes in each attempt; others do not', async () => {
      const [endpoint, other] = [await receiver(), await receiver()];
      endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
      await integrate({ url: endpoint.url, include_customer_info: true });
      await integrate({ url: other.url });
      await buy('somebody');
      await drain();
      const sdk = await store.sdk.get('/v1/subscribers/somebody');
      await buy('somebody', 'coins_100');
      await drain();
      server.clock.advanceMs(5.25 * MINUTE_MS);
      await drain();
      const [first, ...later] = endpoint.requests;
      const info = JSON.parse(first?.body ?? '').customer_info;
      expect(info).toEqual(sdk.body);
      expect(info.subscriber.entitlements.pro.product_identifier).toBe('pro_monthly');
      expect(later.map(({ body }) => body)).toContain(first?.body);
      const second = later
        .map(({ body }) => JSON.parse(body))
        .find(({ event }) => event.product_id === 'coins_100');
      expect(Object.keys(second.customer_info.subscriber.non_subscriptions)).toEqual(['coins_100']);
      expect(other.requests.map(({ body }) => Object.keys(JSON.parse(body)))).toEqual(
        Array(2).fill(['api_version', 'event']),
      );
    });

    it('receives null for an event without a customer', async () => {
      const endpoint = await receiver();
      await integrate({ url: endpoint.url, include_customer_info: true });
      await record();
      await record({ customerId: 'cus_gone', sequence: 1 });
      await drain();
      expect(endpoint.requests.map(({ body }) => JSON.parse(body).customer_info)).toEqual([null, null]);
    });
  });

  it('allows changing and deleting them while deliveries are sent', async () => {
    const endpoint = await receiver();
    const answers: (() => void)[] = [];
    endpoint.answerWith((response) => answers.push(() => response.end()));
    const [changed, deleted] = [
      await integrate({ url: endpoint.url }),
      await integrate({ url: endpoint.url }),
    ];
    for (let count = 0; count < 3; count++) await record();
    server.app.get(DeliveryDispatcherService).wake();
    await endpoint.received(6);
    const codes = await Promise.all([
      store.backend.post(changed.path, { name: 'New', url: `${endpoint.url}/new` }),
      store.backend.post(changed.path, { enabled: false }),
      store.backend.post(`${changed.path}/actions/rotate_secret`),
      store.backend.delete(deleted.path),
    ]);
    expect(codes.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    answers.forEach((answer) => answer());
    await drain();
    const rows = await deliveriesTo(server, changed.id);
    expect(rows.map((row) => [row.status, row.attempts])).toEqual(Array(3).fill(['delivered', 1]));
    expect(await deliveriesTo(server, deleted.id)).toEqual([]);
  });

  it('never see more than the body they were promised: an event over 1 MiB is not sent', async () => {
    const endpoint = await receiver();
    const { id } = await integrate({ url: endpoint.url });
    await record({ body: JSON.stringify({ text: 'x'.repeat(1024 * 1024) }) });
    await drain();
    expect(endpoint.requests).toEqual([]);
    expect((await deliveriesTo(server, id))[0]).toMatchObject({
      attempts: 1,
      response_ms: null,
      last_error: 'The event is larger than 1 MiB.',
    });
    expect(await circuitOf(id)).toBe('closed');
  });
});
