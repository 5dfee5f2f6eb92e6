import type { Browser, Page } from 'playwright-core';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';
import { type SdkPage, serveSdkPage } from './sdk-page.js';

/* Functions given to `page.evaluate` run in the page, where `window.sdk` is the SDK's module. */
declare const window: { sdk: any; purchases: any; outcome: any };

const BUY = '.rc-simulated-store-modal-button-primary';

describeInBrowser('what the stock web SDK is shown by rules, placements and experiments', () => {
  let server: TestServer;
  let store: TestStore;
  let browser: Browser;
  let site: SdkPage;
  let summer: Json;
  let count = 0;

  beforeAll(async () => {
    // The SDK judges entitlements by the browser's clock, so the server has to live in the present too.
    server = await startTestServer({ clock: new ManualClock(Date.now()) });
    store = await createTestStore(server);
    const { backend, path, products } = store;
    summer = (await backend.post(`${path}/offerings`, { lookup_key: 'summer', display_name: 'Summer' })).body;
    const monthly = await backend.post(`${path}/offerings/${summer.id}/packages`, {
      lookup_key: '$rc_monthly',
      display_name: 'Monthly',
    });
    await backend.post(`${path}/packages/${monthly.body.id}/actions/attach_products`, {
      products: [{ product_id: products.monthly.id, eligibility_criteria: 'all' }],
    });
    site = await serveSdkPage();
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
  });

  /** A page in which the SDK is configured for an unknown customer. */
  async function newCustomer(): Promise<{ page: Page; appUserId: string }> {
    const appUserId = `shopper-${++count}`;
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction('document.title === "ready"');
    await page.evaluate(
      ({ apiKey, proxyURL, user }) => {
        window.purchases = window.sdk.Purchases.configure({
          apiKey,
          appUserId: user,
          httpConfig: { proxyURL },
          flags: { collectAnalyticsEvents: false },
        });
      },
      { apiKey: store.publicKey, proxyURL: server.baseUrl, user: appUserId },
    );
    return { page, appUserId };
  }

  const current = (page: Page): Promise<string> =>
    page.evaluate(async () => (await window.purchases.getOfferings()).current.identifier);

  /** Buys the monthly package of a placement, or of the current offering. */
  async function buy(page: Page, placement: string | null): Promise<void> {
    await page.evaluate(async (name) => {
      const offering =
        name === null
          ? (await window.purchases.getOfferings()).current
          : await window.purchases.getCurrentOfferingForPlacement(name);
      window.outcome = window.purchases.purchase({ rcPackage: offering.monthly });
    }, placement);
    await page.click(BUY);
    await page.evaluate(() => window.outcome);
  }

  const subscriptionOf = async (appUserId: string): Promise<Json> =>
    (await store.backend.get(`${store.path}/customers/${appUserId}/subscriptions`)).body.items[0];

  it('shows the offering of a rule, and that of a placement; the purchase says so', async () => {
    const rule = await store.backend.post(`${store.path}/targeting_rules`, {
      display_name: 'Web',
      state: 'active',
      offering_id: summer.id,
      conditions: [{ field: 'platform', operator: 'in', value: ['web'] }],
      placements: {
        fallback_offering_id: summer.id,
        placement_offerings: [
          { placement_identifier: 'settings', offering_id: store.offering.id },
          { placement_identifier: 'nowhere', offering_id: null },
        ],
      },
    });
    expect(rule.status).toBe(201);
    const { page, appUserId } = await newCustomer();
    expect(await current(page)).toBe('summer');
    const placements = await page.evaluate(async () =>
      Promise.all(
        ['settings', 'nowhere', 'elsewhere'].map(
          async (name) => (await window.purchases.getCurrentOfferingForPlacement(name))?.identifier ?? null,
        ),
      ),
    );
    expect(placements).toEqual(['default', null, 'summer']);

    await buy(page, null);
    expect(await subscriptionOf(appUserId)).toMatchObject({
      presented_offering_id: summer.id,
      presented_placement_id: null,
      applied_targeting_rule: { rule_id: rule.body.id, revision: rule.body.revision },
    });
    const other = await newCustomer();
    await buy(other.page, 'settings');
    expect(await subscriptionOf(other.appUserId)).toMatchObject({
      presented_offering_id: store.offering.id,
      presented_placement_id: 'settings',
    });
    await store.backend.post(`${store.path}/targeting_rules/${rule.body.id}`, { state: 'inactive' });
    expect(await current((await newCustomer()).page)).toBe('default');
  });

  it('shows the variant of an experiment, which the purchase carries into its event and the charts', async () => {
    const experiment = await store.backend.post(`${store.path}/experiments`, {
      display_name: 'Summer',
      offering_a_id: store.offering.id,
      offering_b_id: summer.id,
    });
    const { id } = experiment.body;
    await store.backend.post(`${store.path}/experiments/${id}/actions/start`, {});
    const seen: Record<string, string> = {};
    // The variant of each is left to the server; sixteen customers of one variant do not happen by chance.
    for (let tries = 0; tries < 16 && Object.keys(seen).length < 2; tries++) {
      const { page, appUserId } = await newCustomer();
      const shown = await current(page);
      const customer = await store.backend.get(`${store.path}/customers/${appUserId}`);
      const { variant } = customer.body.experiment;
      expect([variant, shown]).toEqual(variant === 'a' ? ['a', 'default'] : ['b', 'summer']);
      seen[variant] ??= appUserId;
      if (seen[variant] === appUserId) await buy(page, null);
      await page.close();
    }
    for (const [variant, appUserId] of Object.entries(seen)) {
      const { items } = (await store.backend.get(`${store.path}/customers/${appUserId}/events`)).body;
      const types = items.map(({ type }: Json) => type).sort();
      expect(types).toEqual(['EXPERIMENT_ENROLLMENT', 'INITIAL_PURCHASE']);
      const bought = items.find(({ type }: Json) => type === 'INITIAL_PURCHASE');
      expect(JSON.stringify(bought)).toContain(`"experiment_variant":"${variant}"`);
    }
    const chart = await store.backend.get(
      `${store.path}/charts/revenue?environment=sandbox&segment=experiment_variant`,
    );
    const names = chart.body.segments.map(({ id: segment }: Json) => segment);
    expect(names).toEqual(expect.arrayContaining([`${id}:a`, `${id}:b`]));
  });
});
