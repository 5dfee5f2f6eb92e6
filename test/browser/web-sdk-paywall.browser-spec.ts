import type { Browser, Page } from 'playwright-core';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';
import { type SdkPage, serveSdkPage } from './sdk-page.js';

/* Functions given to `page.evaluate` run in the page, where `window.sdk` is the SDK's module. */
declare const window: { sdk: any; purchases: any; outcome: any; document: any };

describeInBrowser('a paywall in the stock web SDK', () => {
  let server: TestServer;
  let store: TestStore;
  let browser: Browser;
  let site: SdkPage;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    // The SDK judges entitlements by the browser's clock, so the server has to live in the present too.
    server = await startTestServer({ clock: new ManualClock(Date.now()) });
    store = await createTestStore(server);
    site = await serveSdkPage();
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
  });

  it('shows what was published, sells the chosen package, and counts in the charts', async () => {
    const { backend, path } = store;
    const { items: offerings } = (await backend.get(`${path}/offerings`)).body;
    const paywall = await backend.post(`${path}/paywalls`, {
      offering_id: offerings[0].id,
      template_id: 'two_plans',
    });
    expect((await backend.post(`${path}/paywalls/${paywall.body.id}/actions/publish`)).status).toBe(200);

    const reported = page.waitForResponse(
      (response) => response.request().postData()?.includes('paywall_impression') === true,
    );
    await page.goto(site.url);
    await page.waitForFunction('document.title === "ready"');
    await page.evaluate(
      ({ apiKey, proxyURL }) => {
        window.purchases = window.sdk.Purchases.configure({
          apiKey,
          appUserId: 'shopper',
          httpConfig: { proxyURL, eventsURL: proxyURL },
        });
        window.outcome = window.purchases
          .presentPaywall({ htmlTarget: window.document.getElementById('app') })
          .then((result: any) => Object.keys(result.customerInfo.entitlements.active))
          .catch((error: any) => `${error.errorCode} ${error.message}`);
      },
      { apiKey: store.publicKey, proxyURL: server.baseUrl },
    );
    await page.getByText('Choose your plan').waitFor();
    await page.getByText('$79.99/year').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.click('.rc-simulated-store-modal-button-primary');
    expect(await page.evaluate(() => window.outcome)).toEqual(['pro']);
    const { body } = await backend.get(`${path}/customers/shopper/subscriptions`);
    expect(body.items.map(({ product_id }: Json) => product_id)).toEqual([store.products.yearly.id]);

    expect((await reported).status()).toBe(200);
    const day = new Date(server.clock.nowMs()).toISOString().slice(0, 10);
    const chart = await backend.get(
      `${path}/charts/paywall_conversion?environment=sandbox&segment=paywall&start_date=${day}&end_date=${day}`,
    );
    expect(chart.body.segments.map((segment: Json) => segment.display_name)).toContain(paywall.body.name);
    expect(chart.body.summary.total.Total).toMatchObject({ 'Paywall Viewers': 1, 'Initial Conversions': 1 });
    expect(problems).toEqual([]);
  });
});
