import type { DataSource } from 'typeorm';
import { PartitionMaintenanceJob } from '../../src/platform/partitions/partition-maintenance.job.js';
import { NotificationForwarderJob } from '../../src/stores/notifications/notification-forwarder.job.js';
import { NotificationInboxService } from '../../src/stores/notifications/notification-inbox.service.js';
import { NotificationDelayed } from '../../src/stores/notifications/notification-source.js';
import { NotificationSourcesService } from '../../src/stores/notifications/notification-sources.service.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import {
  type ClaimedNotification,
  StoreNotificationsRepository,
} from '../../src/stores/notifications/store-notifications.repository.js';
import type { ApiClient } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { ScriptedSource, type ScriptedNotification } from '../support/scripted-source.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Query = Pick<DataSource, 'query'>;
type Row = Record<string, unknown>;

const rowsOf = (on: Query): Promise<Row[]> =>
  on.query<Row[]>('SELECT * FROM store_notifications ORDER BY project_id, id');
const copiesOf = (on: Query): Promise<Row[]> =>
  on.query<Row[]>('SELECT * FROM store_notification_copies ORDER BY project_id, notification_id');
const keysOf = (on: Query): Promise<Row[]> =>
  on.query<Row[]>(
    'SELECT project_id, id, app_id, dedupe_key, received_at FROM store_notification_keys ORDER BY project_id, id',
  );

/** Each row has its key, and no key is without its row. */
async function expectKeysOfRows(on: Query): Promise<void> {
  const expected = (await rowsOf(on)).map(({ project_id, id, app_id, dedupe_key, received_at }) => ({
    project_id,
    id,
    app_id,
    dedupe_key,
    received_at,
  }));
  expect(await keysOf(on)).toEqual(expected);
}

describe('the inbox by month', () => {
  let server: TestServer;
  let receiver: Receiver;
  let source: ScriptedSource;
  let backend: ApiClient;
  let projectId: string;
  let appId: string;
  /** The first moment that the first partition does not take. */
  let startMs: number;

  beforeEach(async () => {
    server = await startTestServer();
    receiver = await startReceiver();
    receiver.answerWith(status(200));
    source = new ScriptedSource();
    server.app.get(NotificationSourcesService).add(source);
    const owner = await signUp(server);
    projectId = owner.projectId;
    backend = (await createSecretKey(owner.session, projectId)).client;
    appId = await makeApp();
    const [{ bound } = { bound: '' }] = await server.dataSource.query<{ bound: string }[]>(
      `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(.*)''\\)') AS bound FROM pg_class
       WHERE relname = 'store_notifications_first'`,
    );
    startMs = Date.parse(bound);
  });

  afterEach(async () => {
    await server.close();
    await receiver.close();
  });

  async function makeApp(): Promise<string> {
    const made = await backend.post(`/v2/projects/${projectId}/apps`, {
      name: 'Roku app',
      type: 'roku',
      roku: { notification_forward_url: receiver.url },
    });
    return made.body.id;
  }

  const moveTo = (ms: number): void => server.clock.advanceMs(ms - server.clock.nowMs());
  const maintain = (): Promise<void> => server.app.get(PartitionMaintenanceJob).run();
  const query = <T = Row>(text: string, values: unknown[] = []): Promise<T[]> =>
    server.dataSource.query<T[]>(text, values);
  const send = async (sent: ScriptedNotification, to = appId): Promise<void> => {
    const answer = await server.http.post(`/v1/notifications/roku/${to}`, sent);
    expect(answer.status).toBe(sent.forged ? 400 : 200);
  };
  const drain = async (): Promise<void> => {
    await server.app.get(NotificationWorkerJob).drain();
    await server.app.get(NotificationForwarderJob).drain();
  };
  /** The start of a month, counted from that of `startMs`. */
  const month = (index: number): number => {
    const start = new Date(startMs);
    return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index);
  };
  const partitionOf = (ms: number): string =>
    `store_notifications_${new Date(ms).toISOString().slice(0, 7).replace('-', '_')}`;
  const placed = async (): Promise<Record<string, string>> => {
    const rows = await query<{ key: string; at: string }>(
      'SELECT dedupe_key AS key, tableoid::regclass::text AS at FROM store_notifications ORDER BY 1',
    );
    return Object.fromEntries(rows.map(({ key, at }) => [key, at]));
  };
  const partitions = async (): Promise<string[]> =>
    (
      await query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'store_notifications'::regclass`,
      )
    ).map(({ name }) => name);

  it('has a notification once that arrives on the 31st and again on the 1st', async () => {
    moveTo(month(1) - HOUR_MS);
    await send({ id: 'n1' });
    await drain();
    moveTo(month(1) + HOUR_MS);
    for (let time = 0; time < 2; time++) await send({ id: 'n1' });
    await drain();
    expect(await placed()).toEqual({ n1: partitionOf(month(0)) });
    expect(source.processed).toEqual(['n1']);
    expect(receiver.requests).toHaveLength(1);
    await expectKeysOfRows(server.dataSource);
  });

  it('stores one of many that arrive at once, on both sides of the end of a month', async () => {
    const insert = (index: number): Promise<unknown> =>
      query(
        `INSERT INTO store_notifications (project_id, id, app_id, dedupe_key, received_at, state)
         VALUES ($1, $2, $3, 'same', $4, 'received')`,
        [projectId, `sn${index}`, appId, new Date(month(1) + (index % 2 ? 1 : -1) * HOUR_MS)],
      );
    await Promise.all(Array.from({ length: 10 }, (_, index) => insert(index)));
    expect(await rowsOf(server.dataSource)).toHaveLength(1);
    await expectKeysOfRows(server.dataSource);
  });

  it('notes that a refusal came again after the end of the month', async () => {
    moveTo(month(1) - HOUR_MS);
    await send({ id: 'n1', forged: true });
    moveTo(month(1) + HOUR_MS);
    await send({ id: 'n1', forged: true });
    const rows = await rowsOf(server.dataSource);
    expect(rows).toMatchObject([
      { received_at: new Date(month(1) - HOUR_MS), last_error_at: new Date(month(1) + HOUR_MS) },
    ]);
    await expectKeysOfRows(server.dataSource);
  });

  it('tries again in a later month, and takes up what waited for its purchase since an earlier one', async () => {
    moveTo(month(1) - HOUR_MS);
    source.outcome = ({ dedupeKey }) => {
      if (dedupeKey === 'waiting') return 'ignored_unknown_purchase';
      throw new NotificationDelayed('The store asks to wait.', 2 * HOUR_MS);
    };
    await send({ id: 'failed' });
    await send({ id: 'waiting', subject: 'receipt-1' });
    await drain();
    source.outcome = () => 'processed';
    moveTo(month(1) + 2 * HOUR_MS);
    await server.app.get(NotificationInboxService).purchasesKnown(projectId, appId, ['receipt-1']);
    await drain();
    const rows = await query('SELECT state, attempts FROM store_notifications ORDER BY dedupe_key');
    expect(rows).toEqual([
      { state: 'processed', attempts: 2 },
      { state: 'processed', attempts: 2 },
    ]);
  });

  it('leases what is due of all months, the oldest first, and moves and ends leases in each', async () => {
    const due = [month(1) + HOUR_MS, startMs - DAY_MS, month(0), month(1)];
    for (const [index, ms] of due.entries()) {
      await query(
        `INSERT INTO store_notifications (project_id, id, app_id, dedupe_key, received_at, state, due_at, body)
         VALUES ($1, $2, $3, $2, $4, 'received', $4, '')`,
        [projectId, `sn${index}`, appId, new Date(ms)],
      );
    }
    const [now, until, later] = [1, 2, 3].map((hours) => new Date(month(1) + hours * HOUR_MS - 1));
    const repository = server.app.get(StoreNotificationsRepository);
    const claimed = async (at: Date, places: number): Promise<ClaimedNotification[]> =>
      (
        await repository.claim(
          projectId,
          { now: at, againAt: until! },
          { total: 10, byKey: new Map(), otherKeys: places },
        )
      ).sort((a, b) => (a.id < b.id ? -1 : 1));
    const [first, second, ...more] = await claimed(now!, 2);
    expect([first?.id, second?.id, more]).toEqual(['sn1', 'sn2', []]);
    const renewed = await repository.renew(
      [
        { item: first!, leaseUntil: first!.leaseUntil },
        // Taken over meanwhile.
        { item: second!, leaseUntil: now! },
      ],
      { now: now!, againAt: later! },
    );
    expect(renewed!.getTime() - first!.leaseUntil.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
    const result = { state: 'processed', attempts: 1, dueAt: null, error: null, at: now! } as const;
    await repository.finish(first!, first!.leaseUntil, result);
    await repository.finish(second!, second!.leaseUntil, result);
    const rows = await query(
      'SELECT id, state, lease_until FROM store_notifications WHERE id < $1 ORDER BY id',
      ['sn3'],
    );
    expect(rows).toEqual([
      { id: 'sn0', state: 'received', lease_until: null },
      { id: 'sn1', state: 'received', lease_until: renewed },
      { id: 'sn2', state: 'processed', lease_until: null },
    ]);
    expect((await claimed(now!, 2)).map(({ id }) => id)).toEqual(['sn3']);
  });

  it('ends a month that is done and old, with its keys and copies, and no sooner', async () => {
    moveTo(startMs + DAY_MS);
    source.outcome = ({ dedupeKey }) => (dedupeKey === 'unknown' ? 'ignored_unknown_purchase' : 'processed');
    for (const id of ['done', 'unknown']) await send({ id });
    await send({ id: 'forged', forged: true });
    await drain();
    moveTo(month(1) + DAY_MS);
    await maintain();
    await send({ id: 'later' });
    await drain();
    moveTo(month(1) + 89 * DAY_MS);
    await maintain();
    expect(await rowsOf(server.dataSource)).toHaveLength(4);
    moveTo(month(1) + 90 * DAY_MS);
    await maintain();
    expect(await placed()).toEqual({ later: partitionOf(month(1)) });
    expect(await partitions()).not.toContain(partitionOf(month(0)));
    await expectKeysOfRows(server.dataSource);
    expect(await copiesOf(server.dataSource)).toHaveLength(1);
  });

  it('keeps of an old month what is due, and what has a copy to be sent, until it is done', async () => {
    moveTo(startMs + DAY_MS);
    for (const id of ['copied', 'done', 'due']) await send({ id });
    await drain();
    const never = new Date(month(100));
    await query(`UPDATE store_notifications SET state = 'retrying', due_at = $1 WHERE dedupe_key = 'due'`, [
      never,
    ]);
    await query(
      `UPDATE store_notification_copies c SET due_at = $1 FROM store_notifications n
       WHERE n.project_id = c.project_id AND n.id = c.notification_id AND n.dedupe_key = 'copied'`,
      [never],
    );
    moveTo(month(1) + 100 * DAY_MS);
    await maintain();
    const here = partitionOf(month(0));
    expect(await placed()).toEqual({ copied: here, due: here });
    await expectKeysOfRows(server.dataSource);
    expect(await copiesOf(server.dataSource)).toHaveLength(2);
    await query('UPDATE store_notification_copies SET due_at = NULL');
    await maintain();
    expect(await placed()).toEqual({ due: here });
    await query('UPDATE store_notifications SET due_at = NULL');
    await maintain();
    expect(await partitions()).not.toContain(here);
    expect([await keysOf(server.dataSource), await copiesOf(server.dataSource)]).toEqual([[], []]);
  });

  it('keeps a month when something in it becomes due while it is to be dropped', async () => {
    moveTo(startMs + DAY_MS);
    source.outcome = () => 'ignored_unknown_purchase';
    await send({ id: 'waiting', subject: 'receipt-1' });
    await drain();
    moveTo(month(1) + 100 * DAY_MS);
    // The first partition is dropped on its own before.
    await query('DROP TABLE store_notifications_first');
    const other = server.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`UPDATE store_notifications SET state = 'received', due_at = $1`, [
      new Date(month(100)),
    ]);
    const done = maintain();
    await untilBlocked(server, 1);
    await other.commitTransaction();
    await other.release();
    await done;
    expect(await placed()).toEqual({ waiting: partitionOf(month(0)) });
    await expectKeysOfRows(server.dataSource);
  });

  it('ends what is in no month by rows, and never a key before its row', async () => {
    moveTo(month(6));
    await send({ id: 'early' });
    await drain();
    expect(await placed()).toEqual({ early: 'store_notifications_default' });
    moveTo(month(6) + 91 * DAY_MS);
    await maintain();
    expect([await rowsOf(server.dataSource), await keysOf(server.dataSource)]).toEqual([[], []]);
    await query(
      `INSERT INTO store_notifications (project_id, id, app_id, dedupe_key, received_at, state, due_at)
       VALUES ($1, 'sn1', $2, 'late', $3, 'retrying', $4)`,
      [projectId, appId, new Date(startMs), new Date(month(100))],
    );
    await maintain();
    await expectKeysOfRows(server.dataSource);
    expect(await placed()).toEqual({ late: 'store_notifications_default' });
  });

  it('goes with its app, in every month', async () => {
    const other = await makeApp();
    for (const ms of [startMs - DAY_MS, startMs, month(1), month(6)]) {
      moveTo(ms);
      for (const app of [appId, other]) await send({ id: `n${ms}` }, app);
    }
    await drain();
    expect((await backend.delete(`/v2/projects/${projectId}/apps/${appId}`)).status).toBe(200);
    for (const rows of [await rowsOf(server.dataSource), await copiesOf(server.dataSource)]) {
      expect(rows.map(({ app_id }) => app_id)).toEqual(Array(4).fill(other));
    }
    await expectKeysOfRows(server.dataSource);
  });
});
