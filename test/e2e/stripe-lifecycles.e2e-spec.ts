import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import {
  type FakeCharge,
  type FakeEvent,
  fakePrices,
  type StripeObject,
} from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription, StripeStart } from '../support/fake-stripe/fake-stripe-subscription.js';
import type { LifeDriver } from '../support/store-lives/life.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import { testLives } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';

const { monthly, yearly, plus, coins, lifetime } = fakePrices;

/** A customer's subscriptions; the last one continues. */
type Life = FakeStripeSubscription[];

describe('lives of purchases with Stripe', () => {
  let world: StripeWorld;

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  afterAll(() => world.close());

  const begin = (start: StripeStart = {}): Life => [world.stripe.subscribe(monthly, start)];
  const happens =
    (what: (subscription: FakeStripeSubscription) => FakeEvent) =>
    (life: Life): { event: FakeEvent; bought?: string } => ({
      event: what(life.at(-1) as FakeStripeSubscription),
    });

  const driver: LifeDriver<Life, { event: FakeEvent; bought?: string }> = {
    store: 'stripe',
    starts: { plain: () => begin(), trial: () => begin({ trialDays: 7 }) },
    happenings: {
      renew: happens((life) => life.renew()),
      recover: happens((life) => life.renew()),
      cancel: happens((life) => life.cancel()),
      uncancel: happens((life) => life.uncancel()),
      resubscribe: (life) => {
        const next = world.stripe.subscribe(monthly);
        life.push(next);
        return { event: next.updated(), bought: next.id };
      },
      failWithGrace: happens((life) => life.fail(16)),
      failWithoutGrace: happens((life) => life.fail(null)),
      cancelInGrace: happens((life) => life.terminate('cancellation_requested')),
      endGrace: happens((life) => life.giveUp()),
      expire: happens((life) => life.terminate('cancellation_requested')),
      expireUnpaid: happens((life) => life.terminate('payment_failed')),
      schedulePause: happens((life) => life.pause(world.stripe.now() + 40 * 86_400)),
      pause: happens((life) => life.updated()),
      skipPeriod: happens((life) => life.skipPeriod()),
      liftPause: happens((life) => life.resume()),
      resume: happens((life) => {
        life.resume();
        return life.renew();
      }),
      refund: happens((life) => life.refund()),
      refundFirstPeriod: happens((life) => {
        const [first] = life.invoices.slice(-1);
        if (!first?.charge) throw new Error('the first period was not charged');
        return world.stripe.refund(first.charge);
      }),
      reverseRefund: happens((life) => world.stripe.failRefund(life.charge)),
      upgrade: happens((life) => life.changeTo(yearly)),
      crossgrade: happens((life) => life.exchange(plus)),
      planNextProduct: happens((life) => life.schedule(yearly)),
      keepProduct: happens((life) => life.schedule(null)),
    },
    async post(life, user) {
      const answers = [];
      for (const { id } of life) answers.push(await world.post(user, id));
      return answers.find(({ status }) => status !== 200) ?? { status: 200, text: '' };
    },
    async deliver({ event, bought }, user) {
      if (bought !== undefined) expect((await world.post(user, bought)).status).toBe(200);
      expect((await world.notify(event)).status).toBe(200);
    },
  };

  testLives(() => world, driver);

  /** Checkout sessions of a customer; the last is what something happens to. */
  type OneTime = { session: StripeObject; charge: FakeCharge | null }[];

  const last = (life: OneTime): OneTime[number] => life.at(-1) as OneTime[number];
  const charged = (life: OneTime): FakeCharge => {
    const { charge } = last(life);
    if (!charge) throw new Error('nothing was charged');
    return charge;
  };
  const starts =
    (...[items, options]: Parameters<typeof world.stripe.checkout>) =>
    (): OneTime => [world.stripe.checkout(items, options)];
  const notificationOf = (life: OneTime, type: string): FakeEvent =>
    world.stripe.event(`checkout.session.${type}`, last(life).session);
  const adds =
    (price: typeof coins) =>
    (life: OneTime): FakeEvent => {
      life.push(world.stripe.checkout([{ price }]));
      return notificationOf(life, 'completed');
    };

  testOneTimeLives<OneTime, FakeEvent>(() => world, {
    store: 'stripe',
    coins: coins.product,
    lifetime: lifetime.product,
    starts: {
      coins: starts([{ price: coins }]),
      three: starts([{ price: coins, quantity: 3 }]),
      lifetime: starts([{ price: lifetime }]),
      pending: starts([{ price: coins }], { paid: false }),
    },
    happenings: {
      buyCoins: adds(coins),
      buyLifetime: adds(lifetime),
      pay(life) {
        last(life).charge = world.stripe.paySession(last(life).session);
        return notificationOf(life, 'async_payment_succeeded');
      },
      dropPayment: (life) => notificationOf(life, 'async_payment_failed'),
      refund: (life) => world.stripe.refund(charged(life)),
      refundHalf: (life) => world.stripe.refund(charged(life), charged(life).amount / 2),
      reverseRefund: (life) => world.stripe.failRefund(charged(life)),
      chargeBack: (life) => world.stripe.dispute(charged(life)),
    },
    async post(life, user) {
      const answers = [];
      for (const { session } of life) answers.push(await world.post(user, session.id));
      return answers.map(({ status }) => status);
    },
    async deliver(event) {
      expect((await world.notify(event)).status).toBe(200);
    },
  } satisfies OneTimeDriver<OneTime, FakeEvent>);
});
