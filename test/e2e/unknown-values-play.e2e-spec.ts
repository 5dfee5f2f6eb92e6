import type { SubscriptionPurchase } from '../../libs/stores/google/play-resources.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import type { FakePlaySubscription } from '../support/fake-play/fake-play-subscription.js';
import { accessEnds, countedValues, expectOnlyCounted, madeUp } from '../support/made-up-values.js';

const RENEWED = 2;

describe('values of Google Play that the server does not know', () => {
  let world: PlayWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  beforeEach(() => {
    world.google.interfere = () => undefined;
    world.clock.advanceMs(1_000);
  });
  afterAll(() => world.close());

  const buy = async (): Promise<{ user: string; life: FakePlaySubscription }> => {
    const user = `user-${++users}`;
    const life = world.play.subscribe(playProducts.monthly);
    expect((await world.post(user, life.token)).status).toBe(200);
    // Google is read again only for what happened after the last answer.
    world.clock.advanceMs(1_000);
    return { user, life };
  };
  /** Changes what Google answers about a subscription. */
  const answerWith = (life: FakePlaySubscription, change: (shown: SubscriptionPurchase) => object): void => {
    world.google.interfere = ({ path }) =>
      path === `/purchases/subscriptionsv2/tokens/${encodeURIComponent(life.token)}`
        ? {
            status: 200,
            body: { ...(life.shown as SubscriptionPurchase), ...change(life.shown as SubscriptionPurchase) },
          }
        : undefined;
  };
  const withPlan = (shown: SubscriptionPurchase, plan: object): object => ({
    lineItems: shown.lineItems?.map((item) => ({
      ...item,
      autoRenewingPlan: { ...item.autoRenewingPlan, ...plan },
    })),
  });

  describe('in notifications', () => {
    type Content = (life: FakePlaySubscription, value: number) => object;
    const contents: Record<string, Content> = {
      notificationType: ({ token }, notificationType) => ({
        subscriptionNotification: { version: '1.0', notificationType, purchaseToken: token },
      }),
      refundType: ({ token, latestOrderId }, refundType) => ({
        voidedPurchaseNotification: {
          purchaseToken: token,
          orderId: latestOrderId,
          productType: 1,
          refundType,
        },
      }),
      productType: ({ token, latestOrderId }, productType) => ({
        voidedPurchaseNotification: {
          purchaseToken: token,
          orderId: latestOrderId,
          productType,
          refundType: 2,
        },
      }),
      refundReason: ({ latestOrderId }, refundReason) => ({
        pendingRefundReviewNotification: { pendingRefundToken: 't', orderId: latestOrderId, refundReason },
      }),
    };

    it.each(Object.entries(contents))('counts a made-up %s and does nothing else', async (field, content) => {
      const { user, life } = await buy();
      const value = 9_000 + users;
      await expectOnlyCounted(world, user, { field, value: String(value) }, () =>
        world.push(content(life, value)),
      );
    });

    it('counts a made-up kind of notification and does nothing else', async () => {
      const { user, life } = await buy();
      const value = `madeUp${users}Notification`;
      await expectOnlyCounted(world, user, { field: 'notification', value }, () =>
        world.push({ [value]: { purchaseToken: life.token } }),
      );
    });

    it('books a voided purchase of unknown refund type as its order says', async () => {
      const { user, life } = await buy();
      const { token, latestOrderId: orderId } = life;
      const content = {
        voidedPurchaseNotification: { purchaseToken: token, orderId, productType: 1, refundType: 9 },
      };
      await world.push(content);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      world.play.refundOrder(life.latestOrder, 0.5);
      world.clock.advanceMs(1_000);
      await world.push(content);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      const rows = await world.server.dataSource.query(
        `SELECT amount_micros::float8 / 1000000 AS amount FROM store_transactions
         WHERE kind = 'refund' AND store_ids @> ARRAY[$1]`,
        [orderId],
      );
      expect(rows).toEqual([{ amount: (-playProducts.monthly.priceMicros / 1_000_000) * 0.5 }]);
    });

    it('books nothing for a voided purchase of unknown refund type whose order cannot be read', async () => {
      const { user, life } = await buy();
      world.google.hideOrders = true;
      const { token, latestOrderId: orderId } = life;
      await world.push({
        voidedPurchaseNotification: { purchaseToken: token, orderId, productType: 1, refundType: 9 },
      });
      world.google.hideOrders = false;
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect((await world.subscriptions(user))[0]).toMatchObject({ status: 'active', gives_access: true });
    });

    it('goes by the known purchase if a voided one has an unknown product type', async () => {
      await world.configure({ track_new_purchases: true });
      const stranger = world.play.subscribe(playProducts.monthly);
      const voided = ({ token, latestOrderId: orderId }: FakePlaySubscription): object => ({
        voidedPurchaseNotification: { purchaseToken: token, orderId, productType: 9, refundType: 1 },
      });
      const before = await world.server.dataSource.query('SELECT count(*) FROM subscriptions');
      await world.push(voided(stranger));
      expect(await world.server.dataSource.query('SELECT count(*) FROM subscriptions')).toEqual(before);
      await world.configure({ track_new_purchases: false });
      const { user, life } = await buy();
      await world.push(voided(life));
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'CANCELLATION/CUSTOMER_SUPPORT',
        'EXPIRATION/CUSTOMER_SUPPORT',
      ]);
    });
  });

  describe('in answers', () => {
    const changes: Record<string, (shown: SubscriptionPurchase, value: string) => object> = {
      subscriptionState: (_, subscriptionState) => ({ subscriptionState }),
      acknowledgementState: (_, acknowledgementState) => ({ acknowledgementState }),
      priceChangeState: (shown, priceChangeState) =>
        withPlan(shown, { priceChangeDetails: { priceChangeMode: 'PRICE_INCREASE', priceChangeState } }),
      priceChangeMode: (shown, priceChangeMode) =>
        withPlan(shown, { priceChangeDetails: { priceChangeMode, priceChangeState: 'OUTSTANDING' } }),
      'cancelSurveyResult.reason': (_, reason) => ({
        canceledStateContext: { userInitiatedCancellation: { cancelSurveyResult: { reason } } },
      }),
    };

    it.each(Object.entries(changes))('counts a made-up %s and does nothing else', async (field, change) => {
      const { user, life } = await buy();
      const value = madeUp();
      answerWith(life, (shown) => change(shown, value));
      await expectOnlyCounted(world, user, { field, value }, () => world.notify(life.token, RENEWED));
    });

    it('counts a made-up order.state and does nothing else', async () => {
      const { user, life } = await buy();
      const value = madeUp();
      life.latestOrder.state = value;
      const sent = { field: 'order.state', value };
      await expectOnlyCounted(world, user, sent, () => world.notify(life.token, RENEWED));
    });

    it('counts a made-up partialRefundEvents.state and does nothing else', async () => {
      const { user, life } = await buy();
      const value = madeUp();
      world.play.refundOrder(life.latestOrder, 0.5);
      const [part] = life.latestOrder.orderHistory?.partialRefundEvents ?? [];
      Object.assign(part ?? {}, { state: value });
      const sent = { field: 'partialRefundEvents.state', value };
      await expectOnlyCounted(world, user, sent, () => world.notify(life.token, RENEWED));
    });

    it('counts a made-up purchaseState and sells nothing', async () => {
      const { token, purchase } = world.play.buy(playProducts.lifetime);
      const value = madeUp();
      purchase.purchaseStateContext = { purchaseState: value };
      const user = `user-${++users}`;
      const answer = await world.post(user, token, playProducts.lifetime);
      expect(answer.status).toBe(503);
      expect(await countedValues(world, value)).toMatchObject([{ field: 'purchaseState' }]);
      expect(await accessEnds(world, user)).toEqual([]);
    });

    it('counts a made-up voidedReason once, however often the list is read', async () => {
      const { life } = await buy();
      world.play.void(life.token, life.latestOrderId);
      Object.assign(world.play.voided.at(-1) ?? {}, { voidedReason: 99 });
      await world.tasks();
      world.clock.advanceMs(600_000);
      await world.tasks();
      expect(await countedValues(world, '99')).toMatchObject([{ field: 'voidedReason', count: 1 }]);
    });

    it('keeps the known end and renewal of a subscription in an unknown state', async () => {
      const { user, life } = await buy();
      const [before] = await world.subscriptions(user);
      answerWith(life, () => ({ subscriptionState: 'SUBSCRIPTION_STATE_DORMANT', lineItems: [] }));
      await world.notify(life.token, RENEWED);
      expect((await world.subscriptions(user))[0]).toEqual(before);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    });
  });
});
