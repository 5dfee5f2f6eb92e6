import { randomUUID } from 'node:crypto';
import {
  APPLE_ID,
  BUNDLE_ID,
  earlier,
  fakeAppStore,
  fakeGooglePlay,
  fakePaddle,
  fakeStripe,
} from './fake-stores.mjs';
import { call } from './world.mjs';

/** Subscriptions of 30 days are bought this long before they renew, 12 hours early as at the App Store. */
const AGE_MS = 29.5 * 86_400_000;
const AUDIENCE = 'https://tenure.example.com/push';
const PUSHER = 'pusher@example-project.iam.gserviceaccount.com';

/** Paddle answers one background call a second; without this its notifications would wait for each other. */
const LIFT_BUDGETS = `
  CREATE FUNCTION bench_budget() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.tokens := 1000; RETURN NEW; END $$;
  CREATE TRIGGER bench_budget BEFORE INSERT OR UPDATE ON shared_store_budgets
    FOR EACH ROW EXECUTE FUNCTION bench_budget();
  CREATE TRIGGER bench_budget BEFORE INSERT OR UPDATE ON store_budgets
    FOR EACH ROW EXECUTE FUNCTION bench_budget();`;

/** The stores that send notifications, and the settings of a server that asks them. */
export async function startFakes(folder) {
  const apple = await fakeAppStore(folder);
  const google = await fakeGooglePlay(folder);
  const stripe = await fakeStripe(folder);
  const paddle = await fakePaddle(folder);
  return {
    apple,
    google,
    stripe,
    paddle,
    env: {
      SERVICE_PLAY_API_URL: google.api.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.api.url}/token`,
      SERVICE_GOOGLE_CERTS_URL: `${google.api.url}/certs`,
      SERVICE_STRIPE_API_URL: stripe.api.url,
      SERVICE_PADDLE_API_URL: paddle.api.url,
    },
    close: () => Promise.all([apple, google, stripe, paddle].map(({ api }) => api.close())),
  };
}

/** An app with a product that unlocks the entitlement of the world. */
async function appWith(url, { path, backendHeaders }, { type, platform, fields, product }) {
  const post = async (suffix, body) => (await call(url, 'POST', path + suffix, backendHeaders, body)).json;
  const app = await post('/apps', { name: 'Bench', type, [type]: fields });
  const made = await post('/products', {
    store_identifier: product,
    app_id: app.id,
    type: 'subscription',
    subscription: { duration: 'P1M' },
  });
  const { json: entitlements } = await call(url, 'GET', `${path}/entitlements`, backendHeaders);
  const place = `/entitlements/${entitlements.items[0].id}/actions/attach_products`;
  await post(place, { product_ids: [made.id] });
  const keys = await call(url, 'GET', `${path}/apps/${app.id}/public_api_keys`, backendHeaders);
  const headers = { authorization: `Bearer ${keys.json.items[0].key}`, 'x-platform': platform };
  return { id: app.id, headers, post };
}

const receiptOf = (fetchToken, more = {}) => ({
  app_user_id: `device-${randomUUID()}`,
  fetch_token: fetchToken,
  ...more,
});

/**
 * Apps of stores: `subscribe` buys at the store, `receipt` is what a phone posts about it, `renewal` the notification
 * of its next period. `prepare` changes the app before it is measured.
 */
export async function notifyingApps(url, world, { apple, google, stripe, paddle }, query) {
  await query(LIFT_BUDGETS);
  const old = (work) => earlier(AGE_MS, work);
  const appleApp = await appWith(url, world, {
    type: 'app_store',
    platform: 'iOS',
    fields: { bundle_id: BUNDLE_ID, app_apple_id: APPLE_ID },
    product: apple.product.id,
  });
  const { privateKeyPem, keyId, issuerId } = apple.api.key;
  const ofApple = {
    ...appleApp,
    store: 'apple',
    subscribe: () => old(() => apple.store.subscribe(apple.store.account(), apple.product)),
    receipt: (subscription) => receiptOf(subscription.signed(), { product_id: apple.product.id }),
    renewal: (subscription) => ({ body: subscription.renew().body }),
    callsSoFar: () => apple.api.calls.length,
  };

  const googleApp = await appWith(url, world, {
    type: 'play_store',
    platform: 'android',
    fields: {
      package_name: BUNDLE_ID,
      play_service_account_credentials_json: google.api.serviceAccount,
      pubsub_audience: AUDIENCE,
      pubsub_service_account: PUSHER,
    },
    product: `${google.product.id}:${google.product.basePlanId}`,
  });
  const bearer = await google.api.pushToken({ aud: AUDIENCE, email: PUSHER, email_verified: true });
  const ofGoogle = {
    ...googleApp,
    name: 'Google Play',
    store: 'google',
    subscribe: () => old(() => google.store.subscribe(google.product)),
    receipt: ({ token }) => receiptOf(token, { product_id: google.product.id }),
    renewal: (subscription) => {
      const [notificationType] = subscription.renew();
      const content = {
        version: '1.0',
        packageName: BUNDLE_ID,
        eventTimeMillis: String(Date.now()),
        subscriptionNotification: { version: '1.0', notificationType, purchaseToken: subscription.token },
      };
      const data = Buffer.from(JSON.stringify(content)).toString('base64');
      const message = { data, messageId: randomUUID() };
      return {
        body: JSON.stringify({ message, subscription: 'projects/example/subscriptions/play' }),
        headers: () => ({ authorization: `Bearer ${bearer}` }),
      };
    },
    callsSoFar: () => google.api.calls.length,
  };

  /** Apps whose store signs with a shared secret when it sends. */
  const ofWeb = async (type, { store, api, product }, sdk) => ({
    ...(await appWith(url, world, sdk)),
    name: type === 'stripe' ? 'Stripe' : 'Paddle',
    store: type,
    subscribe: () => old(() => store.subscribe(product)),
    receipt: ({ id }) => receiptOf(id),
    renewal: (subscription) => {
      const { body } = subscription.renew();
      return { body, headers: () => ({ [`${type}-signature`]: store.signature(body) }) };
    },
    callsSoFar: () => api.calls.length,
  });
  const ofStripe = await ofWeb('stripe', stripe, {
    type: 'stripe',
    platform: 'stripe',
    fields: {
      stripe_secret_key: stripe.store.secretKey,
      stripe_webhook_secret: stripe.store.webhookSecret,
    },
    product: stripe.product.product,
  });
  const ofPaddle = await ofWeb('paddle', paddle, {
    type: 'paddle',
    platform: 'paddle',
    fields: { paddle_api_key: paddle.store.apiKey, paddle_webhook_secret: paddle.store.webhookSecret },
    product: paddle.product.product,
  });
  return [
    { ...ofApple, name: 'App Store, no key' },
    {
      ...ofApple,
      name: 'App Store, with a key',
      prepare: () =>
        ofApple.post(`/apps/${ofApple.id}`, {
          app_store: {
            subscription_private_key: privateKeyPem,
            subscription_key_id: keyId,
            subscription_key_issuer: issuerId,
          },
        }),
    },
    ofGoogle,
    ofStripe,
    ofPaddle,
  ];
}
