import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('chargebacks of Google Play', () => {
  let world: PlayWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  beforeEach(async () => {
    await world.configure({ refund_request_handling: 'decline', refund_usage_evidence: null });
    world.clock.advanceMs(DAY_MS);
  });
  afterAll(() => world.close());

  const bought = async (): Promise<{ user: string; token: string; orderId: string }> => {
    const user = `buyer-${++count}`;
    const { token, purchase } = world.play.buy(playProducts.coins);
    await world.post(user, token, playProducts.coins);
    return { user, token, orderId: String(purchase.orderId) };
  };
  const requestOf = async (orderId: string): Promise<Json> => {
    const { body } = await world.backend.get(`${world.path}/refund_requests?limit=100`);
    return (body.items as Json[]).find((one) => one.order_id === orderId) ?? {};
  };
  const reviewOf = (notification: Json) =>
    world.play.reviews.get(notification.pendingRefundReviewNotification.pendingRefundToken);

  it('answers a review once, and never shows its token', async () => {
    const { orderId, user } = await bought();
    const notification: Json = world.play.askReview(orderId);
    await world.push(notification);
    await world.push(notification);
    expect(reviewOf(notification)?.answer).toMatchObject({
      refundPreference: 'DECLINE',
      sampleContentProvided: false,
    });
    const request = await requestOf(orderId);
    expect(request).toMatchObject({
      store: 'play_store',
      reason: 'CHARGEBACK',
      customer_id: user,
      answer_status: 'sent',
      attempts: 1,
      deadline_at: world.clock.nowMs() + DAY_MS,
    });
    expect(request.body_sent).not.toHaveProperty('pendingRefundToken');
  });

  it('records a voided order as the outcome, from Google’s list', async () => {
    const { orderId } = await bought();
    await world.push(world.play.askReview(orderId));
    world.clock.advanceMs(HOUR_MS);
    world.play.chargeBack(orderId);
    world.clock.advanceMs(HOUR_MS);
    await world.tasks();
    expect(await requestOf(orderId)).toMatchObject({ outcome: 'refunded' });
  });

  it('ignores unsigned reviews of orders that are not known here', async () => {
    await world.configure({ pubsub_audience: null });
    await world.push(world.play.askReview('GPA.0000-0000-0000-00000'));
    expect(await requestOf('GPA.0000-0000-0000-00000')).toEqual({});
  });
});
