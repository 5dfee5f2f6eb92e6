import { type AmazonWorld, startAmazonWorld } from '../support/arrange-amazon.js';
import { type FakeAmazonSubscription, fakeSkus } from '../support/fake-amazon/fake-amazon.js';
import { type LifeDriver, testLives } from '../support/store-lives.js';

describe('lives of subscriptions in the Amazon Appstore', () => {
  let world: AmazonWorld;

  beforeAll(async () => {
    world = await startAmazonWorld();
  });
  afterAll(() => world.close());

  const driver = (): LifeDriver<FakeAmazonSubscription, string> => ({
    begin: (trial) => world.amazon.subscribe(fakeSkus.monthly, trial ? 7 : undefined),
    receipt: ({ id, userId }) => ({ fetchToken: id, more: { store_user_id: userId } }),
    notify: (message) => world.notify(message),
    monthly: null,
    happenings: {
      renew: (life) => life.renew(),
      recover: (life) => life.renew(),
      cancel: (life) => life.setAutoRenew(false),
      uncancel: (life) => life.setAutoRenew(true),
      failWithGrace: (life) => life.enterGrace(16),
      expireVoluntarily: (life) => life.end(1),
      expireUnpaid: (life) => life.end(2),
      planNextProduct: (life) =>
        life.change('SUBSCRIPTION_MODIFIED_DEFERRED', { deferredSku: fakeSkus.yearly.termSku }),
      keepProduct: (life) => life.change('SUBSCRIPTION_MODIFIED_DEFERRED', { deferredSku: null }),
    },
  });

  // Amazon has no retry without access, never says that money went back, and replaces receipts with upgrades.
  testLives(() => world, driver, [
    'grace over, in retry',
    'not paid, without grace',
    'recovered after access was lost',
    'given up in the end',
    'refunded',
    'refund reversed',
    'an older period refunded: only money',
    'upgraded at once',
  ]);
});
