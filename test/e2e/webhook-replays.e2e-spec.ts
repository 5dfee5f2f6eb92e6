import type { ServerResponse } from 'node:http';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { ReplaysRetentionJob } from '../../src/webhooks/deliveries/replays/replays-retention.job.js';
import { describeAccess } from '../support/access-checks.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';
import { type RecordedEvent, recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;

describe('replays of webhooks', () => {
  let server: TestServer;
  let projectId: string;
  let path: string;
  let client: ApiClient;
  let session: ApiClient;
  let endpoint: Receiver;
  let webhook: string;

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
    ({ projectId, session } = await signUp(server));
    client = (await createSecretKey(session, projectId)).client;
    path = `/v2/projects/${projectId}`;
    endpoint = await startReceiver();
    webhook = await integrate();
  });

  afterEach(async () => {
    await endpoint.close();
    await client.delete(`${path}/integrations/webhooks/${webhook}`);
  });

  const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();

  /** The endpoint answers its next request only when the returned function is called, and all later ones at once. */
  function held(): () => Promise<void> {
    const waiting: ServerResponse[] = [];
    const next = endpoint.requests.length + 1;
    endpoint.answerWith((response) => waiting.push(response));
    return async () => {
      await endpoint.received(next);
      endpoint.answerWith(status(200));
      for (const response of waiting) response.writeHead(200).end();
      await drain();
    };
  }

  async function integrate(): Promise<string> {
    const body = { name: 'Backend', url: endpoint.url };
    const made = await client.post(`${path}/integrations/webhooks`, body);
    expect(made.status).toBe(201);
    return made.body.id;
  }

  async function recordFailed(events: RecordedEvent[]): Promise<void> {
    for (const event of events) await recordEvent(server, projectId, event);
    await server.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'failed', attempts = 6, next_attempt_at = NULL, last_attempt_at = created_at
       WHERE project_id = $1 AND webhook_integration_id = $2`,
      [projectId, webhook],
    );
  }

  async function replay(body: object = {}): Promise<Json> {
    const all = { from: 0, to: server.clock.nowMs() + 1, ...body };
    const answer = await client.post(`${path}/webhooks/${webhook}/actions/replay`, all);
    expect(answer.status).toBe(202);
    return answer.body;
  }

  async function get(id: string): Promise<Json> {
    const answer = await client.get(`${path}/webhooks/${webhook}/replays/${id}`);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  it('returns the request first, and then the progress', async () => {
    const fromMs = server.clock.nowMs();
    await recordFailed([{ type: 'RENEWAL' }, { type: 'RENEWAL' }, { type: 'EXPIRATION' }]);
    server.clock.advanceMs(1000);
    const requestedAt = server.clock.nowMs();
    const answerNow = held();
    const made = await replay({ from: fromMs, to: requestedAt, event_types: ['renewal'] });
    expect(made).toEqual({
      object: 'webhook_replay',
      id: expect.stringMatching(/^whr_[0-9a-z]{16}$/),
      webhook_integration_id: webhook,
      status: 'running',
      deliveries: 'failed',
      event_types: ['renewal'],
      queued: 2,
      pending: 2,
      delivered: 0,
      failed: 0,
      from: fromMs,
      to: requestedAt,
      requested_at: requestedAt,
      completed_at: null,
    });
    expect(await get(made.id)).toEqual(made);
    await answerNow();
    expect(await get(made.id)).toEqual({ ...made, pending: 1, delivered: 1 });
    endpoint.answerWith(status(500));
    server.clock.advanceMs(100);
    await drain();
    const done = await get(made.id);
    expect(done).toEqual({
      ...made,
      status: 'complete',
      pending: 0,
      delivered: 1,
      failed: 1,
      completed_at: expect.any(Number),
    });
    expect(done.completed_at).toBeGreaterThanOrEqual(server.clock.nowMs());
  });

  it('counts a delivery by its current status, also after a retry and in every replay that sent it', async () => {
    await recordFailed([{}, {}]);
    endpoint.answerWith(status(500));
    const { id: first } = await replay();
    server.clock.advanceMs(1000);
    await drain();
    expect(await get(first)).toMatchObject({ status: 'complete', delivered: 0, failed: 2 });
    const answerNow = held();
    const deliveries = `${path}/webhooks/${webhook}/deliveries`;
    const [one] = (await client.get(deliveries)).body.items;
    await client.post(`${deliveries}/${one.id}/retry`);
    expect(await get(first)).toMatchObject({ status: 'running', pending: 1, failed: 1, completed_at: null });
    await answerNow();
    expect(await get(first)).toMatchObject({ status: 'complete', delivered: 1, failed: 1 });
    server.clock.advanceMs(1000);
    const { id: second, queued } = await replay();
    expect(queued).toBe(1);
    await drain();
    expect(await get(second)).toMatchObject({ status: 'complete', queued: 1, delivered: 1, failed: 0 });
    expect(await get(first)).toMatchObject({ status: 'complete', queued: 2, delivered: 2, failed: 0 });
  });

  it('counts only the new deliveries of a full replay', async () => {
    await recordEvent(server, projectId);
    await drain();
    server.clock.advanceMs(1000);
    const made = await replay({ status: 'all' });
    expect(made).toMatchObject({ deliveries: 'all', event_types: [], queued: 1, pending: 1, delivered: 0 });
    await drain();
    expect(await get(made.id)).toMatchObject({ status: 'complete', pending: 0, delivered: 1 });
  });

  it('narrows the list of deliveries, even to an event', async () => {
    const deliveries = `${path}/webhooks/${webhook}/deliveries`;
    const items = async (query: string): Promise<Json[]> =>
      (await client.get(`${deliveries}?${query}`)).body.items;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await recordEvent(server, projectId));
      await drain();
      server.clock.advanceMs(1000);
    }
    const { id: all } = await replay({ status: 'all' });
    server.clock.advanceMs(1);
    const { id: some } = await replay({ status: 'all', to: server.clock.nowMs() - 1001 });
    server.clock.advanceMs(1000);
    await drain();
    const ofAll = await items(`replay=${all}`);
    expect(ofAll.map(({ event_id: event }) => event).toSorted()).toEqual(ids.toSorted());
    expect(ofAll.every((delivery) => delivery.replay)).toBe(true);
    expect(await items(`replay=${some}&limit=3`)).toHaveLength(2);
    const { body: first } = await client.get(`${deliveries}?replay=${all}&limit=2`);
    const { body: second } = await client.get(first.next_page);
    expect([...first.items, ...second.items]).toEqual(ofAll);
    expect(second.next_page).toBe(null);
    const ofEvent = await items(`event_id=${ids[0]}`);
    expect(ofEvent.map(({ replay: isReplay }) => isReplay)).toEqual([true, true, false]);
    expect(ofEvent.every(({ event_id: event }) => event === ids[0])).toBe(true);
    expect(await items(`replay=${all}&event_id=${ids[0]}`)).toEqual(
      ofAll.filter(({ event_id: event }) => event === ids[0]),
    );
    expect(await items(`replay=${all}&status=failed`)).toEqual([]);
    const other = await integrate();
    for (const query of [`replay=${all}`, `event_id=${ids[0]}`]) {
      const { body } = await client.get(`${path}/webhooks/${other}/deliveries?${query}`);
      expect(body.items).toEqual([]);
    }
    await client.delete(`${path}/integrations/webhooks/${other}`);
  });

  it('completes at once if it finds nothing', async () => {
    const made = await replay();
    expect(made).toMatchObject({ status: 'complete', queued: 0, completed_at: server.clock.nowMs() });
    expect(await get(made.id)).toEqual(made);
  });

  it('lists them newest first, page by page, below their own integration', async () => {
    const made: Json[] = [];
    for (let count = 0; count < 3; count++) {
      made.push(await replay());
      server.clock.advanceMs(1000);
    }
    const replays = `${path}/webhooks/${webhook}/replays`;
    const all = (await client.get(replays)).body.items;
    expect(all).toEqual(made.toReversed());
    expect(await walkList(client, replays, 2)).toEqual(all);
    const after = await client.get(`${replays}?starting_after=${made[1]?.id}`);
    expect(after.body.items).toEqual([made[0]]);
    const other = await integrate();
    expect((await client.get(`${path}/webhooks/${other}/replays`)).body.items).toEqual([]);
    const stranger = await signUp(server);
    for (const url of [
      `${path}/webhooks/${other}/replays/${made[0]?.id}`,
      `${replays}/whr_unknown`,
      `${path}/webhooks/wh_unknown/replays`,
      `${path}/webhooks/wh_unknown/replays/${made[0]?.id}`,
    ]) {
      const answer = await client.get(url);
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
    for (const url of [replays, `${replays}/${made[0]?.id}`]) {
      const answer = await stranger.session.get(url.replace(projectId, stranger.projectId));
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
    for (const [param, value] of [
      ['limit', 'many'],
      ['starting_after', 'whr_unknown'],
    ]) {
      const answer = await client.get(`${replays}?${param}=${value}`);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    }
    await client.delete(`${path}/integrations/webhooks/${other}`);
  });

  it('deletes them with their deliveries', async () => {
    await recordFailed([{}, {}]);
    const old = await replay();
    await drain();
    server.clock.advanceMs(30 * DAY_MS);
    const job = server.app.get(ReplaysRetentionJob);
    await job.run();
    expect(await get(old.id)).toMatchObject({ queued: 2 });
    const young = await replay();
    server.clock.advanceMs(1);
    await job.run();
    const { body } = await client.get(`${path}/webhooks/${webhook}/replays`);
    expect(body.items).toEqual([young]);
    const left = await server.dataSource.query(
      'SELECT * FROM webhook_replay_deliveries WHERE project_id = $1',
      [projectId],
    );
    expect(left).toEqual([]);
  });

  for (const suffix of ['replays', 'replays/whr_unknown']) {
    describe(`GET ${suffix}`, () => {
      const url = (project: string): string => `/v2/projects/${project}/webhooks/wh_unknown/${suffix}`;
      describeAccess(() => server, 'GET', url, 'project_configuration:integrations:read');
    });
  }
});
