import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { type FakeEvent, fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription } from '../support/fake-stripe/fake-stripe-subscription.js';
import { type LifeDriver, testLives } from '../support/store-lives.js';

describe('lives of subscriptions with Stripe', () => {
  let world: StripeWorld;

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  afterAll(() => world.close());

  const driver = (): LifeDriver<FakeStripeSubscription, FakeEvent> => ({
    begin: (trial) => world.stripe.subscribe(fakePrices.monthly, trial ? { trialDays: 7 } : {}),
    receipt: ({ id }) => ({ fetchToken: id }),
    notify: (event) => world.notify(event),
    monthly: 9.99,
    happenings: {
      renew: (life) => life.renew(),
      recover: (life) => life.renew(),
      cancel: (life) => life.cancel(),
      uncancel: (life) => life.uncancel(),
      failWithGrace: (life) => life.fail(16),
      failWithoutGrace: (life) => life.fail(null),
      endGrace: (life) => life.giveUp(),
      expireVoluntarily: (life) => life.terminate('cancellation_requested'),
      expireUnpaid: (life) => life.terminate('payment_failed'),
      refund: (life) => life.refund(),
      refundFirstPeriod: (life) => {
        const [first] = life.invoices.slice(-1);
        if (!first?.charge) throw new Error('the first period was not charged');
        return world.stripe.refund(first.charge);
      },
      upgrade: (life) => life.changeTo(fakePrices.yearly),
      planNextProduct: (life) => life.schedule(fakePrices.yearly),
      keepProduct: (life) => life.schedule(null),
      reverseRefund: (life) => world.stripe.failRefund(life.charge),
    },
  });

  testLives(() => world, driver, []);
});
