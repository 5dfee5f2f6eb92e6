import type { Browser, Page } from 'playwright-core';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { heardChanges } from '../support/heard-changes.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { ManualClock } from '../../libs/kernel/index.js';
import { describeInBrowser, launchChromium } from './chromium.js';
import { type SdkPage, serveSdkPage } from './sdk-page.js';

/* Functions given to `page.evaluate` run in the page, where `window.sdk` is the SDK's module. */
declare const window: { sdk: any; purchases: any; outcome: any };

const MODAL = '.rc-simulated-store-modal';
const BUTTONS = {
  buy: `${MODAL}-button-primary`,
  fail: `${MODAL}-button-secondary`,
  cancel: `${MODAL}-button-cancel`,
};

describeInBrowser('the stock web SDK in a browser', () => {
  let server: TestServer;
  let store: TestStore;
  let browser: Browser;
  let site: SdkPage;
  let page: Page;
  const calls: string[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    // The SDK judges entitlements by the browser's clock, so the server has to live in the present too.
    server = await startTestServer({ clock: new ManualClock(Date.now()) });
    store = await createTestStore(server);
    site = await serveSdkPage();
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('response', (response) => {
      const url = new URL(response.url());
      if (url.origin !== server.baseUrl) return;
      calls.push(`${response.request().method()} ${url.pathname} ${response.status()}`);
    });
    await page.goto(site.url);
    await page.waitForFunction('document.title === "ready"');
    await page.evaluate(
      ({ apiKey, proxyURL }) => {
        window.purchases = window.sdk.Purchases.configure({
          apiKey,
          appUserId: 'shopper',
          httpConfig: { proxyURL },
          flags: { collectAnalyticsEvents: false },
        });
      },
      { apiKey: store.publicKey, proxyURL: server.baseUrl },
    );
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
  });

  /** Opens the SDK's own purchase dialog for the monthly package and presses a button of it. */
  async function purchase(button: string): Promise<any> {
    await page.evaluate(async () => {
      const offerings = await window.purchases.getOfferings();
      window.outcome = window.purchases
        .purchase({ rcPackage: offerings.current.monthly })
        .then((result: any) => ({ active: Object.keys(result.customerInfo.entitlements.active) }))
        .catch((error: any) => ({ errorCode: error.errorCode, message: error.message }));
    });
    await page.click(button);
    return page.evaluate(() => window.outcome);
  }

  it('shows the offering with prices and periods', async () => {
    const offering = await page.evaluate(async () => {
      const { current } = await window.purchases.getOfferings();
      return {
        identifier: current.identifier,
        packages: current.availablePackages.map((item: any) => [
          item.identifier,
          item.webBillingProduct.identifier,
          item.webBillingProduct.currentPrice.formattedPrice,
          item.webBillingProduct.normalPeriodDuration,
        ]),
      };
    });
    expect(offering).toEqual({
      identifier: 'default',
      packages: [
        ['$rc_monthly', 'pro_monthly', '$9.99', 'P1M'],
        ['$rc_annual', 'pro_yearly', '$79.99', 'P1Y'],
      ],
    });
  });

  it('knows a new customer without entitlements', async () => {
    const active = await page.evaluate(async () =>
      Object.keys((await window.purchases.getCustomerInfo()).entitlements.active),
    );
    expect(active).toEqual([]);
    expect(calls).toContain('GET /v1/subscribers/shopper 201');
  });

  it('records nothing when the purchase fails or is cancelled in the dialog', async () => {
    const before = calls.filter((call) => call.startsWith('POST /v1/receipts')).length;
    const failed = await purchase(BUTTONS.fail);
    expect(failed.errorCode).toBe(42);
    const cancelled = await purchase(BUTTONS.cancel);
    expect(cancelled.errorCode).toBe(1);
    expect(calls.filter((call) => call.startsWith('POST /v1/receipts'))).toHaveLength(before);
  });

  it('buys through its own dialog and has the entitlement', async () => {
    expect(await purchase(BUTTONS.buy)).toEqual({ active: ['pro'] });
    const info = await page.evaluate(async () => {
      const { entitlements } = await window.purchases.getCustomerInfo();
      const { isActive, productIdentifier, store: bought, isSandbox, willRenew } = entitlements.active.pro;
      return { isActive, productIdentifier, bought, isSandbox, willRenew };
    });
    expect(info).toEqual({
      isActive: true,
      productIdentifier: 'pro_monthly',
      bought: 'test_store',
      isSandbox: true,
      willRenew: true,
    });
    const subscriptions = await store.backend.get(`${store.path}/customers/shopper/subscriptions`);
    expect(subscriptions.body.items).toHaveLength(1);
    expect(subscriptions.body.items[0]).toMatchObject({
      gives_access: true,
      presented_offering_id: store.offering.id,
    });
    const events = await store.backend.get(`${store.path}/customers/shopper/events`);
    expect(events.body.items.map(({ type }: { type: string }) => type)).toEqual(['INITIAL_PURCHASE']);
  });

  it('has no currencies yet', async () => {
    const codes = await page.evaluate(async () =>
      Object.keys((await window.purchases.getVirtualCurrencies()).all),
    );
    expect(codes).toEqual([]);
  });

  it('signs an anonymous customer in with what they bought', async () => {
    const anonymous = await page.evaluate(async () => {
      const id = window.sdk.Purchases.generateRevenueCatAnonymousAppUserId();
      await window.purchases.changeUser(id);
      return id as string;
    });
    expect(await purchase(BUTTONS.buy)).toEqual({ active: ['pro'] });
    const result = await page.evaluate(async () => {
      const { customerInfo, wasCreated } = await window.purchases.identifyUser('signed-in');
      return {
        wasCreated,
        active: Object.keys(customerInfo.entitlements.active),
        originalAppUserId: customerInfo.originalAppUserId,
        appUserId: window.purchases.getAppUserId(),
      };
    });
    expect(result).toEqual({
      wasCreated: true,
      active: ['pro'],
      originalAppUserId: anonymous,
      appUserId: 'signed-in',
    });
  });

  it('switches to another customer', async () => {
    const active = await page.evaluate(async () =>
      Object.keys((await window.purchases.changeUser('somebody-else')).entitlements.active),
    );
    expect(active).toEqual([]);
  });

  it('shows the price in the currency that the page asks for, else the one in USD', async () => {
    const product = `${store.path}/products/${store.products.monthly.id}`;
    await store.backend.post(product, { test_store_price: null });
    const prices = [
      { amount_micros: 9_990_000, currency: 'USD' },
      { amount_micros: 8_490_000, currency: 'EUR' },
    ];
    expect((await store.backend.post(`${product}/test_store_prices`, { prices })).status).toBe(201);
    await heardChanges(server, { repeated: true });
    const shown = await page.evaluate(async () => {
      const found: [string, string][] = [];
      for (const currency of ['EUR', 'GBP', undefined]) {
        const { current } = await window.purchases.getOfferings({ currency });
        const { formattedPrice, currency: sold } = current.monthly.webBillingProduct.currentPrice;
        found.push([formattedPrice, sold]);
      }
      return found;
    });
    expect(shown).toEqual([
      ['€8.49', 'EUR'],
      ['$9.99', 'USD'],
      ['$9.99', 'USD'],
    ]);
  });

  it('got an answer to every call, over CORS, without an error in the page', () => {
    const paths = [
      ...new Set(calls.map((call) => call.replace(/%24RCAnonymousID[^/ ]*/, '<anonymous>'))),
    ].sort();
    expect(problems).toEqual([]);
    expect(paths.filter((call) => !/ (200|201|204)$/.test(call))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'GET /v1/subscribers/shopper 200',
        'GET /v1/subscribers/shopper/offerings 200',
        'GET /rcbilling/v1/subscribers/shopper/products 200',
        'POST /v1/receipts 200',
        'GET /v1/subscribers/shopper/virtual_currencies 200',
        'POST /v1/subscribers/identify 201',
        'GET /v1/subscribers/somebody-else 201',
      ]),
    );
    process.stdout.write(`calls of the web SDK:\n${paths.join('\n')}\n`);
  });
});
