import { forgetProcessedReviews } from '../../src/platform/database/migrations/1796740000001-sealed-notifications.js';
import { NotificationForwarderJob } from '../../src/stores/notifications/notification-forwarder.job.js';
import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

interface StoredNotification {
  id: string;
  state: string;
  body: Buffer | null;
  sealed: boolean;
}

describe('tokens of chargeback reviews', () => {
  let world: PlayWorld;
  let receiver: Receiver;
  const log: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    world = await startPlayWorld({}, (line) => log.push(line));
  });
  beforeEach(async () => {
    await world.configure({ refund_request_handling: 'decline' });
    world.clock.advanceMs(1_000);
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const ask = async (): Promise<{ notification: Json; token: string; orderId: string }> => {
    const { token, purchase } = world.play.buy(playProducts.coins);
    await world.post('ada', token, playProducts.coins);
    const orderId = String(purchase.orderId);
    const notification: Json = world.play.askReview(orderId);
    return { notification, orderId, token: notification.pendingRefundReviewNotification.pendingRefundToken };
  };
  /** The text of a stored body, decoded where Pub/Sub encodes it. */
  const textOf = (body: Buffer | null): string => {
    if (body === null) return '';
    const { message } = JSON.parse(body.toString()) as { message?: { data?: string } };
    return body.toString() + Buffer.from(message?.data ?? '', 'base64').toString();
  };
  const stored = (kind = 'PENDING_REFUND_REVIEW'): Promise<StoredNotification[]> =>
    world.server.dataSource.query(
      `SELECT id, state, body, sealed_body IS NOT NULL AS sealed FROM store_notifications
       WHERE kind = $1 ORDER BY received_at`,
      [kind],
    );

  it('stores them sealed, and shows them in no log, answer, export or audit row', async () => {
    const { notification, token, orderId } = await ask();
    await world.push(notification);
    expect(world.play.reviews.get(token)?.answer).not.toBeNull();
    expect((await stored()).map(({ state, body, sealed }) => [state, body, sealed])).toEqual([
      ['processed', null, true],
    ]);
    const tables: { name: string }[] = await world.server.dataSource.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    for (const { name } of tables) {
      const rows: { row: string }[] = await world.server.dataSource.query(
        `SELECT to_jsonb(t)::text AS row FROM "${name}" t`,
      );
      expect([name, rows.filter(({ row }) => row.includes(token))]).toEqual([name, []]);
    }
    for (const { body } of await world.server.dataSource.query('SELECT body FROM store_notifications'))
      expect(textOf(body)).not.toContain(token);
    const { items } = (await world.backend.get(`${world.path}/refund_requests?limit=100`)).body;
    const request = items.find((one: Json) => one.order_id === orderId);
    const answers = await Promise.all(
      [`/refund_requests/${request.id}`, '/setup_health', '/customers/ada/export'].map((path) =>
        world.backend.get(world.path + path),
      ),
    );
    for (const { text } of answers) expect(text).not.toContain(token);
    expect(log.length).toBeGreaterThan(0);
    expect(log.filter((line) => line.includes(token))).toEqual([]);
  });

  it('seals those of unsigned reviews that wait for their purchase', async () => {
    await world.configure({ pubsub_audience: null });
    const notification: Json = world.play.askReview('GPA.0000-0000-0000-00000');
    await world.push(notification);
    const last = (await stored()).at(-1);
    expect([last?.state, last?.body, last?.sealed]).toEqual(['ignored_unknown_purchase', null, true]);
  });

  it('forwards them to the developer’s own URL as Google sent them', async () => {
    await world.configure({ notification_forward_url: receiver.url });
    const { notification, token } = await ask();
    await world.push(notification);
    await world.server.app.get(NotificationForwarderJob).drain();
    expect(textOf(Buffer.from(receiver.requests.at(-1)?.body ?? ''))).toContain(token);
    await world.configure({ notification_forward_url: null });
  });

  it('stores other notifications as they came', async () => {
    const bought = world.play.subscribe(playProducts.monthly);
    await world.post('grace', bought.token);
    await world.notify(bought.token, 2);
    const [renewed] = await stored('SUBSCRIPTION_RENEWED');
    expect(renewed?.sealed).toBe(false);
    expect(textOf(renewed?.body ?? null)).toContain(bought.token);
  });

  it('removes them from notifications that an earlier version processed', async () => {
    const { notification } = await ask();
    await world.push(notification);
    const { id } = (await stored()).at(-1) as StoredNotification;
    const plain = Buffer.from(JSON.stringify(notification));
    const store = (state: string): Promise<unknown> =>
      world.server.dataSource.query(
        'UPDATE store_notifications SET body = $2, sealed_body = NULL, state = $3 WHERE id = $1',
        [id, plain, state],
      );
    await store('retrying');
    await world.server.dataSource.query(forgetProcessedReviews);
    expect((await stored()).find((one) => one.id === id)?.body).toEqual(plain);
    await store('processed');
    await world.server.dataSource.query(forgetProcessedReviews);
    expect((await stored()).find((one) => one.id === id)?.body).toBeNull();
  });
});
