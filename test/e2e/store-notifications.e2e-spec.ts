import { PartitionMaintenanceJob } from '../../src/platform/partitions/partition-maintenance.job.js';
import { NotificationForwarderJob } from '../../src/stores/notifications/notification-forwarder.job.js';
import { NotificationHealthService } from '../../src/stores/notifications/notification-health.service.js';
import { NotificationDelayed } from '../../src/stores/notifications/notification-source.js';
import { NotificationSourcesService } from '../../src/stores/notifications/notification-sources.service.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import type { ApiClient } from '../support/api-client.js';
import { ScriptedSource, type ScriptedNotification } from '../support/scripted-source.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

describe('the inbox of store notifications', () => {
  let server: TestServer;
  let receiver: Receiver;
  let source: ScriptedSource;
  let backend: ApiClient;
  let projectId: string;
  let appId: string;
  let count = 0;

  const url = (): string => `/v1/notifications/roku/${appId}`;
  const send = (sent: ScriptedNotification) => server.http.post(url(), sent);
  const newId = (): string => `n${++count}`;
  const drain = (): Promise<void> => server.app.get(NotificationWorkerJob).drain();
  const rowOf = async (key: string) =>
    (
      await server.dataSource.query<Record<string, unknown>[]>(
        'SELECT * FROM store_notifications WHERE dedupe_key = $1',
        [key],
      )
    )[0];
  const copyOf = async (key: string) =>
    (
      await server.dataSource.query<Record<string, unknown>[]>(
        `SELECT c.* FROM store_notification_copies c
         JOIN store_notifications n ON n.project_id = c.project_id AND n.id = c.notification_id
         WHERE n.dedupe_key = $1`,
        [key],
      )
    )[0];
  /** Runs `work` while a row is locked, as when another process claims it. */
  const whileLocked = (table: string, key: string, doing: () => Promise<void>): Promise<void> =>
    server.dataSource.transaction(async (manager) => {
      const id = table === 'store_notifications' ? 'id' : 'notification_id';
      const found = await manager.query<unknown[]>(
        `SELECT 1 FROM ${table} WHERE project_id = $1 AND ${id} = $2 FOR UPDATE`,
        [projectId, (await rowOf(key))?.id],
      );
      expect(found).toHaveLength(1);
      await doing();
    });
  const health = async () =>
    (await server.app.get(NotificationHealthService).forProject(projectId)).get(appId);

  beforeAll(async () => {
    server = await startTestServer();
    receiver = await startReceiver();
    source = new ScriptedSource();
    server.app.get(NotificationSourcesService).add(source);
    const owner = await signUp(server);
    projectId = owner.projectId;
    backend = (await createSecretKey(owner.session, projectId)).client;
    const made = await backend.post(`/v2/projects/${projectId}/apps`, { name: 'Roku app', type: 'roku' });
    appId = made.body.id;
  });

  beforeEach(() => {
    source.outcome = () => 'processed';
  });

  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  it('starts empty', async () => {
    expect(await health()).toEqual({
      status: 'waiting',
      lastSentAtMs: null,
      lastReceivedAtMs: null,
      lastError: null,
      lastForward: null,
    });
  });

  it('saves a notification byte for byte before it answers, and processes it afterwards, once', async () => {
    const id = newId();
    const text = `{"id" : "${id}",  "note":"Zoë \\u00fc"}`;
    const headers = { 'content-type': 'text/plain; charset=UTF-8' };
    for (let time = 0; time < 3; time++) {
      const answer = await server.http.send('POST', url(), text, headers);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    const row = await rowOf(id);
    expect((row?.body as Buffer).toString()).toBe(text);
    expect(row?.content_type).toBe('text/plain; charset=UTF-8');
    await drain();
    expect(source.processed.filter((key) => key === id)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({
      state: 'processed',
      attempts: 1,
      due_at: null,
      last_error: null,
    });
    const nowMs = server.clock.nowMs();
    expect(await health()).toMatchObject({
      status: 'ready',
      lastSentAtMs: 1_767_000_000_000,
      lastReceivedAtMs: nowMs,
    });
  });

  it('answers 404 for an unknown app, one of another store, and a deleted app', async () => {
    const gone = await backend.post(`/v2/projects/${projectId}/apps`, { name: 'Gone', type: 'roku' });
    await backend.delete(`/v2/projects/${projectId}/apps/${gone.body.id}`);
    for (const path of [
      '/v1/notifications/roku/appunknown',
      `/v1/notifications/apple/${appId}`,
      `/v1/notifications/nobody/${appId}`,
      `/v1/notifications/roku/${gone.body.id}`,
    ]) {
      const answer = await server.http.post(path, { id: newId() });
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 7259]);
    }
  });

  it('refuses what is not genuine, remembers that it came, and keeps the newest hundred refusals', async () => {
    for (let index = 0; index < 105; index++) {
      server.clock.advanceMs(1);
      const answer = await send({ id: `forged${index}`, forged: true });
      expect([answer.status, answer.body.code]).toEqual([400, 7103]);
    }
    await send({ id: 'forged104', forged: true });
    const rows = await server.dataSource.query<{ body: unknown }[]>(
      `SELECT body FROM store_notifications WHERE app_id = $1 AND state = 'rejected'`,
      [appId],
    );
    expect(rows).toHaveLength(100);
    expect(rows.every(({ body }) => body === null)).toBe(true);
    await drain();
    expect(source.processed.filter((key) => key.startsWith('forged'))).toEqual([]);
    expect(await health()).toMatchObject({
      status: 'ready',
      lastError: { atMs: server.clock.nowMs(), type: 'rejected', message: 'The signature is not genuine.' },
    });
  });

  it('tries again what failed, at the time that the store asks for, and tells of it', async () => {
    const id = newId();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    source.outcome = async () => {
      await begun;
      throw new NotificationDelayed('The store asks to wait.', 600_000);
    };
    server.clock.advanceMs(1);
    await send({ id });
    expect((await health())?.status).toBe('received');
    begin();
    await drain();
    expect(await rowOf(id)).toMatchObject({ state: 'retrying', attempts: 1 });
    expect(await health()).toMatchObject({
      status: 'failing',
      lastError: { type: 'processing', message: 'The store asks to wait.' },
    });
    server.clock.advanceMs(599_000);
    await drain();
    expect(source.processed.filter((key) => key === id)).toHaveLength(1);
    source.outcome = () => 'processed';
    server.clock.advanceMs(1_000);
    await drain();
    expect(await rowOf(id)).toMatchObject({ state: 'processed', attempts: 2, due_at: null });
    expect((await health())?.status).toBe('ready');
  });

  it('gives up after twenty attempts, without holding others up', async () => {
    const [poison, fine] = [newId(), newId()];
    source.outcome = ({ dedupeKey }) => {
      if (dedupeKey === poison) throw new TypeError('cannot be read');
      return 'processed';
    };
    await send({ id: poison });
    await send({ id: fine });
    await drain();
    expect(await rowOf(fine)).toMatchObject({ state: 'processed' });
    for (let attempt = 1; attempt < 25; attempt++) {
      server.clock.advanceMs(9 * 3_600_000);
      await drain();
    }
    expect(await rowOf(poison)).toMatchObject({ state: 'failed', attempts: 20, due_at: null });
    expect((await rowOf(poison))?.last_error).not.toContain('cannot be read');
  });

  it('puts aside what is about an unknown purchase, and takes it up when the purchase has an owner', async () => {
    const id = newId();
    source.outcome = () => 'ignored_unknown_purchase';
    await send({ id, subject: 'receipt-1' });
    await drain();
    expect(await rowOf(id)).toMatchObject({ state: 'ignored_unknown_purchase', due_at: null });
    source.outcome = () => 'processed';
    await server.dataSource.query(
      `INSERT INTO one_time_purchases (project_id, id, app_id, store, environment, purchase_key, customer_id,
         original_customer_id, original_customer_app_user_id, store_identifiers, facts, facts_at_ms, emitted,
         purchased_at, status, created_at, updated_at)
       VALUES ($1, 'purch_1', $2, 'roku', 'sandbox', 'receipt-2', 'cus_1', 'cus_1', 'somebody', '{}', '{}', 1, '{}',
         now(), 'owned', now(), now())`,
      [projectId, appId],
    );
    const { NotificationInboxService } =
      await import('../../src/stores/notifications/notification-inbox.service.js');
    await server.app.get(NotificationInboxService).purchasesKnown(projectId, appId, ['receipt-1']);
    await drain();
    expect(await rowOf(id)).toMatchObject({ state: 'processed' });
  });

  it('processes what was deferred while its purchase got an owner', async () => {
    const id = newId();
    let times = 0;
    source.outcome = () => (++times === 1 ? 'ignored_unknown_purchase' : 'processed');
    await send({ id, subject: 'receipt-2' });
    await drain();
    expect([times, (await rowOf(id))?.state]).toEqual([2, 'processed']);
  });

  it('continues with the work of a process that died: its lease ends', async () => {
    const id = newId();
    await send({ id });
    await drain();
    const nowMs = server.clock.nowMs();
    await server.dataSource.query(
      `UPDATE store_notifications SET state = 'received', due_at = $2, lease_until = $2 WHERE dedupe_key = $1`,
      [id, new Date(nowMs + 60_000)],
    );
    await drain();
    expect(source.processed.filter((key) => key === id)).toHaveLength(1);
    server.clock.advanceMs(60_000);
    await drain();
    expect(source.processed.filter((key) => key === id)).toHaveLength(2);
  });

  it('processes each notification once with two servers', async () => {
    const other = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    try {
      const theirs = new ScriptedSource();
      other.app.get(NotificationSourcesService).add(theirs);
      const ids = Array.from({ length: 30 }, newId);
      await Promise.all(ids.map((id) => send({ id })));
      await Promise.all([drain(), other.app.get(NotificationWorkerJob).drain()]);
      const all = [...source.processed, ...theirs.processed].filter((key) => ids.includes(key));
      expect(all.sort()).toEqual([...ids].sort());
    } finally {
      await other.close();
    }
  });

  it('copies notifications to another URL as they came, and tries again there, without delaying anything', async () => {
    await backend.post(`/v2/projects/${projectId}/apps/${appId}`, {
      roku: { notification_forward_url: receiver.url },
    });
    receiver.answerWith((response, sent) => status(sent === 1 ? 503 : 204)(response, sent));
    const id = newId();
    const text = `{ "id": "${id}" }`;
    await server.http.send('POST', url(), text, { 'content-type': 'application/json; charset=utf-8' });
    await drain();
    expect(await rowOf(id)).toMatchObject({ state: 'processed' });
    const forwarder = server.app.get(NotificationForwarderJob);
    await forwarder.drain();
    expect(await copyOf(id)).toMatchObject({ attempts: 1, status: 503 });
    server.clock.advanceMs(60_000);
    await forwarder.drain();
    expect(receiver.requests.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      [text, 'application/json; charset=utf-8'],
      [text, 'application/json; charset=utf-8'],
    ]);
    expect(await copyOf(id)).toMatchObject({ attempts: 2, status: 204, due_at: null, lease_until: null });
    expect((await health())?.lastForward).toEqual({ atMs: server.clock.nowMs(), status: 204 });
  });

  it('processes a notification while its copy is taken, and copies it while it is taken itself', async () => {
    receiver.answerWith(status(503));
    const id = newId();
    source.outcome = () => {
      throw new NotificationDelayed('The store asks to wait.', 30_000);
    };
    await send({ id });
    await drain();
    const forwarder = server.app.get(NotificationForwarderJob);
    await forwarder.drain();
    receiver.answerWith(status(200));
    source.outcome = () => 'processed';
    server.clock.advanceMs(60_000);
    await whileLocked('store_notification_copies', id, async () => {
      await drain();
      expect(await rowOf(id)).toMatchObject({ state: 'processed', attempts: 2 });
    });
    await whileLocked('store_notifications', id, async () => {
      await forwarder.drain();
      expect(await copyOf(id)).toMatchObject({ attempts: 2, status: 200, due_at: null });
    });
  });

  it('sends no copy when the URL was removed meanwhile', async () => {
    receiver.answerWith(status(503));
    const id = newId();
    await send({ id });
    const forwarder = server.app.get(NotificationForwarderJob);
    await forwarder.drain();
    await backend.post(`/v2/projects/${projectId}/apps/${appId}`, {
      roku: { notification_forward_url: null },
    });
    server.clock.advanceMs(60_000);
    await forwarder.drain();
    expect(receiver.requests.filter(({ body }) => body.includes(id))).toHaveLength(1);
    expect(await copyOf(id)).toMatchObject({ attempts: 1, status: null, due_at: null });
  });

  it('refuses more than a notification can be', async () => {
    const answer = await server.http.post(url(), { id: 'x'.repeat(300_000) });
    expect([answer.status, answer.body.code]).toEqual([413, 7226]);
  });

  it('forgets what was finished ninety days ago', async () => {
    const waiting = newId();
    await send({ id: waiting });
    await drain();
    await server.dataSource.query(
      `INSERT INTO store_notification_copies (project_id, notification_id, app_id, due_at)
       SELECT project_id, id, app_id, received_at FROM store_notifications WHERE dedupe_key = $1`,
      [waiting],
    );
    server.clock.advanceMs(91 * 86_400_000);
    const id = newId();
    await send({ id });
    await drain();
    const left = async () => {
      await server.app.get(PartitionMaintenanceJob).run();
      const rows = await server.dataSource.query<{ dedupe_key: string }[]>(
        'SELECT dedupe_key FROM store_notifications ORDER BY received_at',
      );
      return rows.map(({ dedupe_key: key }) => key);
    };
    expect(await left()).toEqual([waiting, id]);
    await server.app.get(NotificationForwarderJob).drain();
    expect(await left()).toEqual([id]);
    expect(await server.dataSource.query('SELECT 1 FROM store_notification_copies')).toEqual([]);
  });
});
