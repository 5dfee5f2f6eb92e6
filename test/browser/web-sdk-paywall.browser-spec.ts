import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { ManualClock } from '../../libs/kernel/index.js';
import { schemaProblems } from '../../libs/paywalls/document/schema.js';
import { changedExamples } from '../../libs/paywalls/testing/generated.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';
import { type SdkPage, serveSdkPage } from './sdk-page.js';

/* Functions given to `page.evaluate` run in the page, where `window.sdk` is the SDK's module. */
declare const window: { sdk: any; purchases: any; outcome: any; document: any };

const NEWEST = '@revenuecat/purchases-js';

const documentFields = [
  'default_locale',
  'components_config',
  'components_localizations',
  'exit_offers',
  'state_declarations',
  'play_store_product_change_mode',
  'automatically_scale_font_size',
];

describeInBrowser('a paywall in the stock web SDK', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    // The SDK judges entitlements by the browser's clock, so the server has to live in the present too.
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true' },
      clock: new ManualClock(Date.now()),
    });
    browser = await launchChromium();
  });

  beforeEach(async () => {
    problems = [];
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const withSdk = async (packageName: string, use: (site: SdkPage) => Promise<void>): Promise<void> => {
    const site = await serveSdkPage(packageName);
    try {
      await use(site);
    } finally {
      await site.close();
    }
  };

  /** Presents the paywall of the current offering, as an app does. */
  const present = async ({ url }: SdkPage, { publicKey: apiKey }: TestStore): Promise<void> => {
    await page.goto(url);
    await page.waitForFunction('document.title === "ready"');
    await page.evaluate(
      ({ apiKey, proxyURL }) => {
        window.purchases = window.sdk.Purchases.configure({
          apiKey,
          appUserId: 'shopper',
          httpConfig: { proxyURL, eventsURL: proxyURL },
        });
        const htmlTarget = window.document.getElementById('app');
        window.outcome = window.purchases
          .getOfferings()
          .then(({ current }: any) => window.purchases.presentPaywall({ htmlTarget, offering: current }))
          .then((result: any) => Object.keys(result.customerInfo.entitlements.active))
          .catch((error: any) => `${error.errorCode} ${error.message}`);
      },
      { apiKey, proxyURL: server.baseUrl },
    );
  };

  it.each([
    [NEWEST, 1],
    ['purchases-js-1.53.1', 1],
    ['purchases-js-1.40.0', 1],
    // Before events of paywalls.
    ['purchases-js-1.20.0', 0],
  ])('shows what was published, and sells the chosen package (%s, viewers: %i)', async (name, viewers) => {
    const store = await createTestStore(server);
    const { backend, path } = store;
    const paywall = await backend.post(`${path}/paywalls`, {
      offering_id: store.offering.id,
      template_id: 'two_plans',
    });
    expect((await backend.post(`${path}/paywalls/${paywall.body.id}/actions/publish`)).status).toBe(200);

    const reported = viewers
      ? page.waitForResponse((response) => response.request().postData()?.includes('impression') === true)
      : null;
    await withSdk(name, async (site) => {
      await present(site, store);
      await page.getByText('Choose your plan').waitFor();
      await page.getByText('$79.99/year').click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.click('.rc-simulated-store-modal-button-primary');
      expect(await page.evaluate(() => window.outcome)).toEqual(['pro']);
      if (reported) expect((await reported).status()).toBe(200);
    });
    const { body } = await backend.get(`${path}/customers/shopper/subscriptions`);
    expect(body.items.map(({ product_id }: Json) => product_id)).toEqual([store.products.yearly.id]);

    const day = new Date(server.clock.nowMs()).toISOString().slice(0, 10);
    const { body: chart } = await backend.get(
      `${path}/charts/paywall_conversion?environment=sandbox&segment=paywall&start_date=${day}&end_date=${day}`,
    );
    expect(chart.summary.total.Total).toMatchObject({
      'Paywall Viewers': viewers,
      'Initial Conversions': viewers,
    });
    const segments = chart.segments.map((segment: Json) => segment.display_name);
    expect(segments.includes(paywall.body.name)).toBe(viewers === 1);
    expect(problems).toEqual([]);
  });

  it('renders whatever the server publishes', async () => {
    const store = await createTestStore(server);
    const { backend, path } = store;
    const made = async (suffix: string, body: object): Promise<Json> =>
      (await backend.post(path + suffix, body)).body;
    await made('/offerings', { lookup_key: 'last_chance', display_name: 'Last chance' });
    const variable = { type: 'string', default_value: 'basic' };
    await made('/paywall_settings', { custom_variables: { plan: variable } });
    const { id } = await made('/paywalls', { offering_id: store.offering.id });
    const documents = fc.sample(
      changedExamples.filter((document) => schemaProblems(document).length === 0),
      40,
    );
    let revision = 1;
    let shown = 0;
    await withSdk(NEWEST, async (site) => {
      for (const document of documents) {
        const fields = documentFields.map((field) => [field, document[field]] as const);
        const { body: changed } = await backend.send('PATCH', `${path}/paywalls/${id}`, {
          revision,
          ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
        });
        ({ revision } = changed.components.draft ?? changed.components.published);
        const { status, body } = await backend.post(`${path}/paywalls/${id}/actions/publish`);
        if (status === 422) continue;
        expect([status, body.published_at]).toEqual([200, expect.any(Number)]);
        await present(site, store);
        await page.locator('#app button').first().waitFor({ state: 'attached' });
        if (++shown === 20) break;
      }
    });
    expect([shown, problems]).toEqual([20, []]);
  });
});
