import { ReadinessService } from '../../src/platform/observability/readiness.service.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { signUp } from '../support/arrange.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';
import { startReceiver } from '../support/webhook-receiver.js';

describe('a process that was asked to stop', () => {
  it('asks for no more requests, answers those it gets, and ends their connections', async () => {
    const server = await startTestServer();
    // A client that would keep its connections.
    const get = async (path: string) => {
      const { status, headers } = await fetch(server.baseUrl + path);
      return [status, headers.get('connection'), headers.get('retry-after')];
    };
    expect(await get('/readyz')).toEqual([200, 'keep-alive', null]);
    server.app.get(ReadinessService).leave();
    expect(await get('/readyz')).toEqual([503, 'close', '1']);
    expect(await get('/healthz')).toEqual([200, 'close', null]);
    expect(await get('/v1/health')).toEqual([200, 'close', null]);
    await server.close();
  });
});

describe('roles of processes on one database', () => {
  let database: TestDatabase;
  let api: TestServer;
  let worker: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true' };
    api = await startTestServer({ databaseUrl: database.url, env: { ...env, SERVICE_ROLE: 'api' } });
    worker = await startTestServer({
      databaseUrl: database.url,
      clock: api.clock,
      env: { ...env, SERVICE_ROLE: 'worker' },
    });
  });

  afterAll(async () => {
    await api.close();
    await worker.close();
    await database.drop();
  });

  it('schedules jobs in a worker only', () => {
    expect(api.polls.toSorted()).toEqual(['last-seen', 'unknown-values']);
    expect(worker.polls).toContain('webhook-deliveries');
  });

  it('leaves to the worker what a request makes due', async () => {
    const endpoint = await startReceiver();
    const { projectId, session } = await signUp(api);
    const made = await session.post(`/v2/projects/${projectId}/integrations/webhooks`, {
      name: 'Backend',
      url: endpoint.url,
    });
    await recordEvent(api, projectId);
    api.app.get(DeliveryDispatcherService).wake();
    await new Promise((resolve) => setImmediate(resolve));
    const claimed = await deliveriesTo(api, made.body.id as string);
    expect(claimed).toEqual([expect.objectContaining({ status: 'pending', attempts: 0, lease_until: null })]);
    await worker.app.get(DeliveryDispatcherService).drain();
    expect(await deliveriesTo(api, made.body.id as string)).toEqual([
      expect.objectContaining({ status: 'delivered', attempts: 1 }),
    ]);
    expect(endpoint.requests).toHaveLength(1);
    await endpoint.close();
  });

  it('answers requests that reach a worker, probes and metrics among them', async () => {
    expect((await fetch(`${worker.baseUrl}/metrics`)).status).toBe(200);
    for (const path of ['/healthz', '/readyz']) {
      expect((await worker.http.get(path)).status).toBe(200);
    }
  });
});
