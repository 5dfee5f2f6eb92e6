import { ManualClock } from '../../libs/kernel/index.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { signUp } from '../support/arrange.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { expireLeases } from '../support/leases.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';
import { startReceiver, status } from '../support/webhook-receiver.js';

const LEASE_MS = 90_000;

describe('webhook deliveries under way', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  /** A server with one delivery under way to a receiver that does not answer yet. */
  async function startSending(env: NodeJS.ProcessEnv) {
    const first = await startTestServer({
      databaseUrl: database.url,
      env: { SERVICE_ALLOW_SIGNUP: 'true', ...env },
    });
    const endpoint = await startReceiver();
    const answers: (() => void)[] = [];
    endpoint.answerWith((response) => answers.push(() => response.end()));
    const { projectId, session } = await signUp(first);
    const made = await session.post(`/v2/projects/${projectId}/integrations/webhooks`, {
      name: 'Backend',
      url: endpoint.url,
    });
    await recordEvent(first, projectId);
    first.app.get(DeliveryDispatcherService).wake();
    await endpoint.received(1);
    const second = (changes: NodeJS.ProcessEnv = {}, clock = first.clock): Promise<TestServer> =>
      startTestServer({ databaseUrl: database.url, clock, env: changes });
    return { first, second, endpoint, answers, projectId, id: made.body.id as string };
  }

  it('records them when they are answered within the grace time', async () => {
    const { first, second, endpoint, answers, id } = await startSending({});
    const closed = first.close();
    answers[0]?.();
    await closed;
    const next = await second();
    expect(await deliveriesTo(next, id)).toEqual([
      expect.objectContaining({ status: 'delivered', attempts: 1 }),
    ]);
    await next.close();
    await endpoint.close();
  });

  it('sends them again by another server once the lease has ended, as the same attempt', async () => {
    const { first, second, endpoint, id } = await startSending({ SERVICE_SHUTDOWN_GRACE_MS: '0' });
    await first.close();
    const next = await second();
    const dispatcher = next.app.get(DeliveryDispatcherService);
    endpoint.answerWith(status(200));
    next.clock.advanceMs(LEASE_MS - 1);
    await dispatcher.drain();
    expect(endpoint.requests).toHaveLength(1);
    expect(await deliveriesTo(next, id)).toEqual([
      expect.objectContaining({ status: 'pending', attempts: 0, lease_until: expect.any(Number) }),
    ]);
    next.clock.advanceMs(1);
    await dispatcher.drain();
    expect(endpoint.requests).toHaveLength(1);
    await expireLeases(next, 'webhook_deliveries');
    await dispatcher.drain();
    expect(endpoint.requests.map(({ body }) => body)).toEqual(Array(2).fill(endpoint.requests[0]?.body));
    expect(await deliveriesTo(next, id)).toEqual([
      expect.objectContaining({ status: 'delivered', attempts: 1 }),
    ]);
    await next.close();
    await endpoint.close();
  });

  it.each([-3, 3])(
    'leaves them to their server if the clock of another is %d minutes off',
    async (minutes) => {
      const { first, second, endpoint, answers, projectId, id } = await startSending({});
      const next = await second({}, new ManualClock(first.clock.nowMs() + minutes * 60_000));
      await next.app.get(DeliveryDispatcherService).drain();
      expect(endpoint.requests).toHaveLength(1);
      await recordEvent(next, projectId);
      next.app.get(DeliveryDispatcherService).wake();
      await endpoint.received(2);
      const others = first.app.get(DeliveryDispatcherService).drain();
      for (const answer of answers) answer();
      await Promise.all([others, next.app.get(DeliveryDispatcherService).drain()]);
      expect((await deliveriesTo(next, id)).map(({ status: is, attempts }) => [is, attempts])).toEqual(
        Array(2).fill(['delivered', 1]),
      );
      expect(endpoint.requests).toHaveLength(2);
      await Promise.all([first, next].map((server) => server.close()));
      await endpoint.close();
    },
  );

  it('ignores a late answer to a process that lost the lease', async () => {
    const { first, second, endpoint, answers, id } = await startSending({});
    // The first server's time stands still, so that it cannot take the delivery up again itself.
    const next = await second({}, new ManualClock(first.clock.nowMs() + LEASE_MS));
    endpoint.answerWith(status(500));
    await expireLeases(next, 'webhook_deliveries');
    await next.app.get(DeliveryDispatcherService).drain();
    const retry = await deliveriesTo(next, id);
    expect(retry).toEqual([
      expect.objectContaining({ status: 'pending', attempts: 1, response_status: 500 }),
    ]);
    answers[0]?.();
    await first.close();
    expect(await deliveriesTo(next, id)).toEqual(retry);
    expect(endpoint.requests).toHaveLength(2);
    await next.close();
    await endpoint.close();
  });

  it.each([
    ['private networks are not allowed', { SERVICE_ALLOW_PRIVATE_NETWORKS: 'false' }, 'public internet'],
    [
      'the encryption key is another one',
      { SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64') },
      'could not be read',
    ],
  ])('skips them where %s', async (_, env, reason) => {
    const { first, second, endpoint, answers, projectId, id } = await startSending({});
    answers[0]?.();
    await first.close();
    const next = await second(env);
    next.clock.advanceMs(1000);
    await recordEvent(next, projectId);
    await next.app.get(DeliveryDispatcherService).drain();
    expect(endpoint.requests).toHaveLength(1);
    expect((await deliveriesTo(next, id))[1]).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status: null,
      last_error: expect.stringContaining(reason),
    });
    await next.close();
    await endpoint.close();
  });
});
