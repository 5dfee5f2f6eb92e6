import {
  noOneTimeFacts,
  noSubscriptionFacts,
  type OneTimeFacts,
  type PeriodFact,
  type RefundFact,
  type RenewalFact,
  type Store,
  type SubscriptionFacts,
} from '../../libs/engine/index.js';
import type { VerifiedPurchase } from '../../libs/stores/index.js';
import { ReportRowsService } from '../../src/exports/report-rows/report-rows.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { ReportedPurchasesService } from '../../src/purchases/recording/reported-purchases.service.js';
import { createSecretKey, signUp } from './arrange.js';
import type { ApiClient, Json } from './api-client.js';
import { rollUpReports } from './exports/roll-up-reports.js';
import type { TestServer } from './test-server.js';

/** When the rows of the fixture are built. */
export const BUILT_AT = '2026-03-01T00:00:00.000Z';
export const ADA_ANONYMOUS = '$RCAnonymousID:0123456789abcdef0123456789abcdef';

const at = (text: string): number => Date.parse(text);

interface Sold extends Partial<PeriodFact> {
  id: string;
  start: string;
  end: string;
  refund?: RefundFact;
}

interface Place {
  appId: string;
  store: Store;
  environment?: 'production' | 'sandbox';
  owner: string;
}

/** The project of the fixture: ada, bob, =cat and dan, with 14 transactions. */
export class ReportFixture {
  projectId = '';
  backend!: ApiClient;
  private apps: Record<'apple' | 'play' | 'stripe', string> = { apple: '', play: '', stripe: '' };
  private sdk!: ApiClient;
  private grantId = '';

  private constructor(private readonly server: TestServer) {}

  static async create(server: TestServer): Promise<ReportFixture> {
    const fixture = new ReportFixture(server);
    await fixture.arrangeProject();
    await fixture.arrangeCustomers();
    await fixture.recordPurchases();
    return fixture;
  }

  /** Builds the rows. Transaction ids that the server chose have the names of the fixture. */
  async build(): Promise<void> {
    const { app } = this.server;
    await app.get(DatabaseService).transaction((tx) => app.get(ReportRowsService).enable(tx, this.projectId));
    await this.rollUp();
  }

  rollUp(): Promise<void> {
    return rollUpReports(this.server);
  }

  /** The name of a transaction id in the fixture. */
  nameOf(storeTransactionId: string): string {
    return storeTransactionId === this.grantId ? 'grant_1' : storeTransactionId;
  }

  query<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.server.dataSource.query<Row[]>(text, [this.projectId, ...values]);
  }

  /** Reverses the refund of ada's renewal. */
  reverseRefund(): Promise<void> {
    return this.recordAda({ kind: 'full', amountMicros: null, revokedAtMs: null }, at(BUILT_AT));
  }

  private async created(path: string, body: object): Promise<Json> {
    const answer = await this.backend.post(`/v2/projects/${this.projectId}${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  private async arrangeProject(): Promise<void> {
    const { server } = this;
    server.clock.setMs(at('2026-01-01T07:00:00Z'));
    await server.dataSource.query(
      `INSERT INTO exchange_rates (day, source, rates, fetched_at)
       SELECT day, 'test', $1, now() FROM generate_series('2025-01-01'::date, '2026-03-01', '1 day') AS day`,
      [JSON.stringify({ EUR: 1 / 1.1 })],
    );
    await server.app.get(ExchangeRatesService).reload();
    const { session, projectId } = await signUp(server);
    this.projectId = projectId;
    this.backend = (await createSecretKey(session, projectId)).client;
    const apple = await this.created('/apps', {
      name: 'App',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    const play = await this.created('/apps', {
      name: 'Play',
      type: 'play_store',
      play_store: { package_name: 'com.example.app' },
    });
    const stripe = await this.created('/apps', { name: 'Web', type: 'stripe' });
    this.apps = { apple: apple.id, play: play.id, stripe: stripe.id };
    const keys = await this.backend.get(`/v2/projects/${projectId}/apps/${apple.id}/public_api_keys`);
    this.sdk = server.http.with({ authorization: `Bearer ${keys.body.items[0].key}` });
    await this.arrangeCatalog();
  }

  private async arrangeCatalog(): Promise<void> {
    const product = (appId: string, identifier: string, more: object = {}) =>
      this.created('/products', {
        store_identifier: identifier,
        app_id: appId,
        type: 'subscription',
        ...more,
      });
    const { apple, play, stripe } = this.apps;
    const named = (name: string, duration: string) => ({
      display_name: name,
      subscription: { duration },
    });
    const monthly = await product(apple, 'pro_monthly', named('Pro, monthly', 'P1M'));
    await product(apple, 'coins_100', { type: 'consumable' });
    const playMonthly = await product(play, 'pro:monthly', named('Pro Play', 'P1M'));
    const playYearly = await product(play, 'pro:yearly', { subscription: { duration: 'P1Y' } });
    await product(play, 'plus:monthly');
    const web = await product(stripe, 'prod_1');
    const pro = await this.created('/entitlements', { lookup_key: 'pro', display_name: 'Pro' });
    const full = await this.created('/entitlements', { lookup_key: 'full', display_name: 'Full' });
    const attach = (entitlement: Json, products: Json[]) =>
      this.backend.post(
        `/v2/projects/${this.projectId}/entitlements/${entitlement.id}/actions/attach_products`,
        { product_ids: products.map(({ id }) => id as string) },
      );
    await attach(pro, [monthly, playMonthly, playYearly, web]);
    await attach(full, [web]);
  }

  private async seen(appUserId: string, time: string): Promise<void> {
    this.server.clock.setMs(at(time));
    const { status } = await this.sdk.get(`/v1/subscribers/${encodeURIComponent(appUserId)}`);
    if (status !== 201) throw new Error(`${appUserId}: ${status}`);
  }

  private async arrangeCustomers(): Promise<void> {
    await this.seen(ADA_ANONYMOUS, '2026-01-01T08:00:00Z');
    await this.sdk.post('/v1/subscribers/identify', { app_user_id: ADA_ANONYMOUS, new_app_user_id: 'ada' });
    await this.sdk.post('/v1/subscribers/ada/attributes', {
      attributes: {
        $email: { value: 'ada@example.com', updated_at_ms: 1767254400000 },
      },
    });
    await this.seen('bob', '2026-01-02T00:00:00Z');
    await this.seen('=cat', '2026-01-03T00:00:00Z');
    await this.seen('dan', '2026-01-04T00:00:00Z');
    await this.query(
      `UPDATE customers SET last_seen_platform = d.platform, last_seen_country = d.country
       FROM (VALUES ($2, 'iOS', NULL), ('bob', 'android', NULL), ('=cat', 'web', 'US'), ('dan', 'iOS', NULL))
         AS d (id, platform, country) WHERE project_id = $1 AND original_app_user_id = d.id`,
      ADA_ANONYMOUS,
    );
    await this.query(
      `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
       SELECT $1, id, 'plan, "x"', E'a\nb', 1767254400000, 'api', now() FROM customers
       WHERE project_id = $1 AND original_app_user_id = $2 ON CONFLICT DO NOTHING`,
      ADA_ANONYMOUS,
    );
    await this.query(
      `INSERT INTO experiments (project_id, id, status, display_name, offerings, enrollment_percentage,
         enrollment_mode, conditions, primary_metric, secondary_metrics, priority, created_at, updated_at, started_at,
         stopped_at)
       VALUES ($1, 'prexpabc', 'stopped', 'x', '[]', 100, 'only_new', '[]', 'revenue', '[]', 1, now(), now(), now(),
         now())`,
    );
    const grant = await this.backend.post(`/v1/subscribers/dan/entitlements/pro/promotional`, {
      duration: 'monthly',
    });
    if (grant.status !== 200) throw new Error(grant.text);
    this.grantId = grant.body.subscriber.subscriptions.rc_promo_pro_monthly.store_transaction_id as string;
  }

  private async record(
    { owner, environment = 'production', ...place }: Place,
    purchase: object,
  ): Promise<void> {
    const reported = { ...place, environment, projectId: this.projectId };
    await this.server.app
      .get(ReportedPurchasesService, { strict: false })
      .record(
        { ...reported, purchases: [{ firstPostStands: false, ...purchase } as VerifiedPurchase] },
        { kind: 'person', appUserId: owner },
      );
  }

  private async recordSubscription(
    place: Place,
    key: string,
    sold: Sold[],
    more: { renewal?: Partial<RenewalFact>; offering?: string; saidAtMs?: number } = {},
  ): Promise<void> {
    const { renewal, offering, saidAtMs = at('2026-02-28T00:00:00Z') } = more;
    const fact = <T>(value: T) => ({ at: saidAtMs, src: 'api' as const, value });
    const facts: SubscriptionFacts = { ...noSubscriptionFacts, periods: {}, refunds: {} };
    sold.forEach(({ id, start, end, refund, ...period }, index) => {
      facts.periods[id] = fact({
        storeProductId: 'pro_monthly',
        planId: null,
        offerCode: null,
        kind: 'normal',
        isRenewal: index > 0,
        startMs: at(start),
        endMs: at(end),
        price: { amountMicros: null, currency: null, source: 'unknown' },
        quantity: 1,
        ownership: 'purchased',
        storeTransactionId: id,
        country: null,
        ...period,
      });
      if (refund) facts.refunds[id] = fact(refund);
    });
    if (offering !== undefined) facts.hints = fact({ presentedOfferingId: offering });
    if (renewal) {
      facts.renewal = fact({
        periodKey: sold.at(-1)?.id ?? '',
        autoRenew: true,
        cancelledAtMs: null,
        nextProductId: null,
        inRetry: false,
        billingIssueAtMs: null,
        graceUntilMs: null,
        pauseScheduled: false,
        paused: false,
        autoResumeAtMs: null,
        ...renewal,
      });
    }
    await this.record(place, { kind: 'subscription', key, observation: { atMs: saidAtMs, facts } });
  }

  private recordAda(refund: RefundFact, saidAtMs?: number): Promise<void> {
    const price = (micros: number) => ({ amountMicros: micros, currency: 'USD', source: 'store' as const });
    const { apple } = this.apps;
    return this.recordSubscription(
      { appId: apple, store: 'app_store', owner: 'ada' },
      '1001',
      [
        {
          id: '1001',
          start: '2026-01-01T09:00Z',
          end: '2026-01-08T09:00Z',
          kind: 'trial',
          price: price(0),
          country: 'US',
        },
        {
          id: '1002',
          start: '2026-01-08T09:00Z',
          end: '2026-02-08T09:00Z',
          price: price(9_990_000),
          country: 'US',
        },
        {
          id: '1003',
          start: '2026-02-08T09:00Z',
          end: '2026-03-08T09:00Z',
          price: price(9_990_000),
          country: 'US',
          refund,
        },
      ],
      { offering: 'default', ...(saidAtMs !== undefined && { saidAtMs }) },
    );
  }

  private async recordPurchases(): Promise<void> {
    this.server.clock.setMs(at(BUILT_AT));
    const { apple, play, stripe } = this.apps;
    const usd = (micros: number) => ({ amountMicros: micros, currency: 'USD', source: 'store' as const });
    const eur = (micros: number) => ({ amountMicros: micros, currency: 'EUR', source: 'store' as const });
    await this.recordAda({ kind: 'full', amountMicros: null, revokedAtMs: at('2026-02-10T12:00Z') });
    const coins: OneTimeFacts = {
      ...noOneTimeFacts,
      purchase: {
        at: at('2026-01-05T10:00Z'),
        src: 'api',
        value: {
          storeProductId: 'coins_100',
          purchasedAtMs: at('2026-01-05T10:00Z'),
          expiresAtMs: null,
          price: usd(4_990_000),
          quantity: 1,
          ownership: 'purchased',
          storeTransactionId: '1004',
          country: 'US',
        },
      },
    };
    const inApple = { appId: apple, store: 'app_store' as const };
    await this.record(
      { ...inApple, owner: 'ada' },
      {
        kind: 'one_time',
        key: '1004',
        shouldConsume: false,
        observation: { atMs: at(BUILT_AT), facts: coins },
      },
    );
    const bob = { appId: play, store: 'play_store' as const, owner: 'bob' };
    const pro = { storeProductId: 'pro', planId: 'monthly', country: 'DE', price: eur(10_000_000) };
    await this.recordSubscription(
      bob,
      'token-1',
      [
        {
          ...{ ...pro, id: 'GPA.1', start: '2026-01-10T00:00Z', end: '2026-02-10T00:00Z' },
          offerCode: 'spring',
          offer: { type: 'offer_code', id: 'spring' },
        },
        { ...pro, id: 'GPA.1..0', start: '2026-02-10T00:00Z', end: '2026-03-10T00:00Z' },
      ],
      { renewal: { autoRenew: false, cancelledAtMs: at('2026-02-20T06:30Z') } },
    );
    await this.recordSubscription(
      bob,
      'token-2',
      [
        {
          ...{ storeProductId: 'pro', planId: 'yearly', country: 'DE', price: eur(50_000_000) },
          ...{ id: 'GPA.2', start: '2025-02-01T00:00Z', end: '2026-02-01T00:00Z' },
        },
      ],
      {
        renewal: {
          inRetry: true,
          billingIssueAtMs: at('2026-02-01T00:00:05Z'),
          graceUntilMs: at('2026-02-08T00:00Z'),
        },
      },
    );
    await this.recordSubscription(
      bob,
      'token-3',
      [
        {
          ...{ storeProductId: 'plus', planId: 'monthly', country: 'DE', price: eur(5_000_000) },
          ...{ id: 'GPA.3', start: '2026-01-20T00:00Z', end: '2026-02-20T00:00Z' },
        },
      ],
      { renewal: { paused: true, autoResumeAtMs: at('2026-03-20T00:00Z') } },
    );
    const web = { storeProductId: 'prod_1', planId: 'price_1' };
    await this.recordSubscription({ appId: stripe, store: 'stripe', owner: '=cat' }, 'sub_1', [
      {
        ...{ ...web, id: 'in_1', start: '2026-01-15T00:00Z', end: '2026-02-15T00:00Z' },
        kind: 'intro',
        price: usd(5_000_000),
        refund: { kind: 'partial', amountMicros: 2_000_000, revokedAtMs: at('2026-01-16T00:00Z') },
      },
      { ...web, id: 'in_2', start: '2026-02-15T00:00Z', end: '2026-03-15T00:00Z', price: usd(20_000_000) },
    ]);
    const dan = { ...inApple, owner: 'dan' };
    await this.recordSubscription(dan, '1005', [
      {
        ...{ id: '1005', start: '2026-02-01T00:00Z', end: '2026-03-01T00:00Z' },
        ...{ ownership: 'family_shared', price: usd(9_990_000), country: 'US' },
      },
    ]);
    await this.recordSubscription({ ...dan, environment: 'sandbox' }, '2000000001', [
      {
        ...{ id: '2000000001', start: '2026-01-04T01:00Z', end: '2026-01-04T01:05Z' },
        ...{ price: usd(9_990_000), country: 'US' },
      },
    ]);
    await this.recordSubscription(dan, '1006', [
      { id: '1006', start: '2026-01-06T00:00Z', end: '2026-02-06T00:00Z', country: 'GB' },
    ]);
    await this.query(
      `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id, is_sandbox)
       SELECT $1, customer_id, 'prexpabc', 'b', now(), 'ada', false FROM customer_aliases
       WHERE project_id = $1 AND app_user_id = 'ada'`,
    );
  }
}
