import type { Answer } from './api-client.js';
import { startAmazonWorld } from './arrange-amazon.js';
import { startAppStoreWorld } from './arrange-app-store.js';
import { monthly, startPaddleWorld } from './arrange-paddle.js';
import { startPlayWorld } from './arrange-play.js';
import { startRokuWorld } from './arrange-roku.js';
import { startStripeWorld } from './arrange-stripe.js';
import type { TestServer } from './test-server.js';

/** A purchase of one store account, and the two ways in which the server hears of it. */
export interface AccountPurchase {
  /** The key of the purchase at its store. */
  key: string;
  post(appUserId: string): Promise<Answer>;
  /** Sends a notification of the purchase and processes the inbox. */
  notify(): Promise<unknown>;
}

/** A store account: every call makes another purchase with it. */
export type BuyWithAccount = () => AccountPurchase;

/** A store whose app records purchases that only notifications report. */
export interface AccountStore {
  server: TestServer;
  projectId: string;
  /** REST v2, under the path of the project. */
  backend: { post(path: string, body: object): Promise<Answer> };
  newAccount(): BuyWithAccount;
  close(): Promise<void>;
}

async function appStore(): Promise<AccountStore> {
  const world = await startAppStoreWorld();
  await world.configure({ ...world.keyFields, track_new_purchases: true });
  return {
    ...placeOf(world),
    newAccount() {
      const account = world.store.account();
      return () => {
        const subscription = world.store.subscribe(account, { id: 'pro_monthly', priceMilli: 9_990 });
        return {
          key: subscription.originalTransactionId,
          post: (appUserId) => world.post(appUserId, subscription.signed()),
          notify: () => world.notify(subscription.subscribed()),
        };
      };
    },
  };
}

async function playStore(): Promise<AccountStore> {
  const world = await startPlayWorld();
  await world.configure({ track_new_purchases: true });
  let count = 0;
  return {
    ...placeOf(world),
    newAccount() {
      const account = `account-${++count}`;
      return () => {
        const product = {
          id: 'pro',
          basePlanId: 'monthly',
          priceMicros: 9_990_000,
          periodMs: 30 * 86_400_000,
        };
        const { token } = world.play.subscribe(product, { account });
        return {
          key: token,
          post: (appUserId) => world.post(appUserId, token),
          notify: () => world.notify(token, 4),
        };
      };
    },
  };
}

async function stripe(): Promise<AccountStore> {
  const world = await startStripeWorld();
  await world.configure({ track_new_purchases: true });
  return {
    ...placeOf(world),
    newAccount() {
      const customer = world.stripe.newId('cus');
      return () => {
        const subscription = world.stripe.subscribe();
        subscription.object.customer = customer;
        return {
          key: subscription.id,
          post: (appUserId) => world.post(appUserId, subscription.id),
          notify: () => world.notify(subscription.updated()),
        };
      };
    },
  };
}

async function amazon(): Promise<AccountStore> {
  const world = await startAmazonWorld();
  await world.configure({ track_new_purchases: true });
  return {
    ...placeOf(world),
    newAccount() {
      let userId: string | undefined;
      return () => {
        const subscription = world.amazon.subscribe(undefined, undefined, userId);
        userId = subscription.userId;
        return {
          key: subscription.id,
          post: (appUserId) => world.post(appUserId, subscription.id, { store_user_id: subscription.userId }),
          notify: () => world.notify(subscription.change('SUBSCRIPTION_PURCHASED', {})),
        };
      };
    },
  };
}

async function roku(): Promise<AccountStore> {
  const world = await startRokuWorld();
  await world.configure({ track_new_purchases: true });
  return {
    ...placeOf(world),
    newAccount() {
      const customerId = world.roku.newCustomer();
      return () => {
        const subscription = world.roku.subscribe(undefined, { customerId });
        return {
          key: subscription.id.replaceAll('-', '').toLowerCase(),
          post: (appUserId) => world.post(appUserId, subscription.id),
          notify: () => world.notify(subscription.bought()),
        };
      };
    },
  };
}

function placeOf({
  server,
  projectId,
  path,
  backend,
  close,
}: {
  server: TestServer;
  projectId: string;
  path: string;
  backend: { post(path: string, body: object): Promise<Answer> };
  close: () => Promise<void>;
}): Omit<AccountStore, 'newAccount'> {
  const post = (place: string, body: object): Promise<Answer> => backend.post(`${path}${place}`, body);
  return { server, projectId, backend: { post }, close };
}

async function paddle(): Promise<AccountStore> {
  const world = await startPaddleWorld();
  await world.configure({ track_new_purchases: true });
  /** One after another: those of the last notification find what was left of all. */
  let rounds = Promise.resolve();
  return {
    ...placeOf(world),
    newAccount() {
      const customerId = world.paddle.newId('ctm');
      return () => {
        const subscription = world.paddle.subscribe(monthly, { customerId });
        return {
          key: subscription.id,
          post: (appUserId) => world.post(appUserId, subscription.id),
          async notify() {
            await world.notify(subscription.updated('created'));
            // Paddle is asked about one purchase a second; what had to wait is tried again.
            rounds = rounds.then(async () => {
              for (let round = 0; round < 3; round++) {
                world.clock.advanceMs(20_000);
                await world.process();
              }
            });
            await rounds;
          },
        };
      };
    },
  };
}

export const accountStores = { appStore, paddle, playStore, stripe, amazon, roku };
