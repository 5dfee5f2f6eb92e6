import { MailsService } from '../../src/platform/mail/mails.service.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import type { Answer, ApiClient, Json } from './api-client.js';
import { startStripeWorld, type StripeWorld } from './arrange-stripe.js';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.js';
import { startTestServer, type TestServer } from './test-server.js';

export const PUBLIC_URL = 'https://purchases.example.com';

/** A project that sells with Stripe and has a mobile app, on two replicas with a mail server. */
export interface RedemptionWorld {
  stripe: StripeWorld;
  replica: TestServer;
  /** The public key of the mobile app. */
  mobile: ApiClient;
  /** The scheme of the mobile app. */
  scheme: string;
  /** Everything that both replicas wrote to their logs. */
  log: string[];
  set(settings: object): Promise<Answer>;
  /** A subscription of Stripe that a backend posts for a customer. Returns its id here. */
  buy(appUserId: string, attributes?: Record<string, string>): Promise<string>;
  /** Names the email that links of identified owners need. */
  link(subscriptionId: string, more?: object): Promise<Json>;
  /** From an address of its own, so that limits do not meet. */
  redeem(appUserId: string, token: unknown, through?: TestServer): Promise<Answer>;
  customer(appUserId: string): Promise<Answer>;
  /** Mails since the last call. */
  mails(): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

export function tokenOf(link: Json): string {
  return new URL(link.redeem_url as string).searchParams.get('redemption_token') ?? '';
}

export function attributesOf(values: Record<string, string>, nowMs: number): Json {
  const entries = Object.entries(values).map(([name, value]) => [name, { value, updated_at_ms: nowMs }]);
  return Object.fromEntries(entries);
}

export async function startRedemptionWorld(): Promise<RedemptionWorld> {
  const mailServer: MailServer = await startMailServer();
  const log: string[] = [];
  const logTo = (line: string): void => void log.push(line);
  const env = {
    ...mailServer.env,
    SERVICE_ALLOW_SIGNUP: 'true',
    SERVICE_TRUST_PROXY: 'true',
    SERVICE_PUBLIC_URL: PUBLIC_URL,
  };
  const stripe = await startStripeWorld({ env, logTo });
  const { server, backend, path } = stripe;
  const replica = await startTestServer({
    databaseUrl: server.databaseUrl,
    clock: server.clock,
    env: { ...env, SERVICE_TEST_STORES: 'true', SERVICE_STRIPE_API_URL: stripe.api.url },
    logTo,
  });
  const made = await backend.post(`${path}/apps`, {
    name: 'Mobile',
    type: 'app_store',
    app_store: { bundle_id: 'com.example.redeem' },
  });
  const keys = await backend.get(`${path}/apps/${made.body.id}/public_api_keys`);
  const key = keys.body.items[0].key as string;
  const identified = new Set<string>();
  let addresses = 0;
  let seen = 0;
  const set = (settings: object): Promise<Answer> => backend.post(`${path}/redemption_settings`, settings);
  await set({ enabled: 'production', app_name: 'Pro' });
  return {
    stripe,
    replica,
    mobile: server.http.withKey(key),
    scheme: made.body.custom_url_scheme,
    log,
    set,
    async buy(appUserId, attributes = {}) {
      server.clock.advanceMs(1000);
      const { id } = stripe.stripe.subscribe();
      const nowMs = server.clock.nowMs();
      const answer = await backend.with({ 'x-platform': 'stripe' }).post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: id,
        attributes: attributesOf(attributes, nowMs),
      });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
      const list = await backend.get(`${path}/customers/${encodeURIComponent(appUserId)}/subscriptions`);
      const subscriptionId = list.body.items[0].id as string;
      if (!appUserId.startsWith('$RCAnonymousID:')) identified.add(subscriptionId);
      return subscriptionId;
    },
    async link(subscriptionId, more = {}) {
      const answer = await backend.post(`${path}/redemption_links`, {
        subscription_id: subscriptionId,
        ...(identified.has(subscriptionId) && { email: 'tester@example.com' }),
        ...more,
      });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
      return answer.body;
    },
    redeem: (appUserId, token, through = server) =>
      through.http
        .withKey(key)
        .with({
          'x-platform': 'iOS',
          'x-forwarded-for': `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`,
        })
        .post('/v1/subscribers/redeem_purchase', { app_user_id: appUserId, redemption_token: token }),
    customer: (appUserId) => backend.get(`${path}/customers/${encodeURIComponent(appUserId)}`),
    async mails() {
      const apps = [server, replica].map(({ app }) => app);
      await Promise.all(apps.map((app) => app.get(StoreTasksService).drain()));
      await Promise.all(apps.map((app) => app.get(MailsService).waitForPending()));
      const mails = mailServer.mails.slice(seen);
      seen = mailServer.mails.length;
      return mails;
    },
    async close() {
      await replica.close();
      await stripe.close();
      await mailServer.close();
    },
  };
}
