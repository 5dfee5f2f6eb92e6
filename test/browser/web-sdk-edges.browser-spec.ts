import { jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ManualClock } from '../../libs/kernel/index.js';
import { testStore } from '../../libs/stores/index.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';
import { type SdkPage, serveSdkPage } from './sdk-page.js';

/* Functions given to `page.evaluate` run in the page, where `window.sdk` is the SDK's module. */
declare const window: { sdk: any; purchases: any; outcome: any };

const MODAL_BUY = '.rc-simulated-store-modal-button-primary';

describeInBrowser('the stock web SDK at the edges', () => {
  let server: TestServer;
  let store: TestStore;
  let browser: Browser;
  let site: SdkPage;
  let page: Page;
  const calls: string[] = [];

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(Date.now()),
      env: { SERVICE_SIGNING_KEY: Buffer.alloc(32, 4).toString('base64') },
    });
    store = await createTestStore(server);
    const offering = await store.backend.post(`${store.path}/offerings`, {
      lookup_key: 'sale',
      display_name: 'On sale',
      metadata: { headline: 'Zoë 😀', discount: { percent: 20 }, tags: ['a', null] },
    });
    const item = await store.backend.post(`${store.path}/offerings/${offering.body.id}/packages`, {
      lookup_key: 'custom',
      display_name: 'Custom',
    });
    await store.backend.post(`${store.path}/packages/${item.body.id}/actions/attach_products`, {
      products: [{ product_id: store.products.lifetime.id }],
    });
    site = await serveSdkPage();
    browser = await launchChromium();
  });

  beforeEach(async () => {
    calls.length = 0;
    page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on('response', (response) => {
      const url = new URL(response.url());
      if (url.origin === server.baseUrl && response.request().method() !== 'OPTIONS')
        calls.push(`${response.request().method()} ${url.pathname} ${response.status()}`);
    });
    await page.goto(site.url);
    await page.waitForFunction('document.title === "ready"');
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await page.close();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
  });

  async function configure(apiKey: string, appUserId: string): Promise<void> {
    await page.evaluate(
      (options) => {
        window.purchases = window.sdk.Purchases.configure({
          apiKey: options.apiKey,
          appUserId: options.appUserId,
          httpConfig: { proxyURL: options.proxyURL },
          flags: { collectAnalyticsEvents: false },
        });
      },
      { apiKey, appUserId, proxyURL: server.baseUrl },
    );
  }

  /** The error with which a call of the SDK rejects. */
  function failure(call: string): Promise<{ code: number; backendCode: unknown; status: unknown }> {
    return page.evaluate(
      (name) =>
        window.purchases[name]().then(
          () => ({ code: 0 }),
          (error: any) => ({
            code: error.errorCode,
            backendCode: error.extra?.backendErrorCode,
            status: error.extra?.statusCode,
          }),
        ),
      call,
    );
  }

  it('reads metadata as it was given, in every offering, and finds the current one for every placement', async () => {
    await configure(store.publicKey, 'browsing');
    const read = await page.evaluate(async () => {
      const { all, current } = await window.purchases.getOfferings();
      return {
        current: current.identifier,
        metadata: Object.fromEntries(Object.entries(all).map(([key, value]: any) => [key, value.metadata])),
        sale: all.sale.availablePackages.map((item: any) => [
          item.identifier,
          item.webBillingProduct.title,
          item.webBillingProduct.currentPrice.amountMicros,
        ]),
        placement: (await window.purchases.getCurrentOfferingForPlacement('onboarding'))?.identifier,
      };
    });
    expect(read).toEqual({
      current: 'default',
      metadata: {
        default: null,
        sale: { headline: 'Zoë 😀', discount: { percent: 20 }, tags: ['a', null] },
      },
      sale: [['custom', 'Name of pro_lifetime', 199_000_000]],
      placement: 'default',
    });
  });

  it('buys from an offering that is not the current one', async () => {
    await configure(store.publicKey, 'bargain');
    await page.evaluate(async () => {
      const { all } = await window.purchases.getOfferings();
      window.outcome = window.purchases
        .purchase({ rcPackage: all.sale.packagesById.custom })
        .then(({ customerInfo }: any) => ({
          active: Object.keys(customerInfo.entitlements.active),
          transactions: customerInfo.nonSubscriptionTransactions.map((item: any) => item.productIdentifier),
        }));
    });
    await page.click(MODAL_BUY);
    expect(await page.evaluate(() => window.outcome)).toEqual({
      active: ['pro'],
      transactions: ['pro_lifetime'],
    });
    const [purchase] = (await store.backend.get(`${store.path}/customers/bargain/purchases`)).body.items;
    expect(purchase.presented_offering_id).toMatch(/^ofrng/);
  });

  it('says that the credentials are wrong for an unknown key', async () => {
    await configure('test_unknown', 'stranger');
    expect(await failure('getCustomerInfo')).toMatchObject({ code: 11, backendCode: 7225 });
    expect(await failure('getOfferings')).toMatchObject({ code: 11, backendCode: 7225 });
  });

  it('says that a purchase was not verified while the store has trouble, and buys afterwards', async () => {
    await configure(store.publicKey, 'unlucky');
    const buy = async () => {
      await page.evaluate(async () => {
        const { current } = await window.purchases.getOfferings();
        window.outcome = window.purchases.purchase({ rcPackage: current.monthly }).then(
          ({ customerInfo }: any) => Object.keys(customerInfo.entitlements.active),
          (error: any) => [error.errorCode, error.extra?.statusCode],
        );
      });
      await page.click(MODAL_BUY);
      return page.evaluate(() => window.outcome);
    };
    jest.spyOn(testStore, 'verify').mockResolvedValue({ failure: 'temporary', code: 7101, message: 'x' });
    expect(await buy()).toEqual([16, 503]);
    jest.restoreAllMocks();
    expect(await buy()).toEqual(['pro']);
  });

  it('shows a web checkout as a failed purchase', async () => {
    const app = await store.backend.post(`${store.path}/apps`, { name: 'Web shop', type: 'rc_billing' });
    const keys = await store.backend.get(`${store.path}/apps/${app.body.id}/public_api_keys`);
    const product = await store.backend.post(`${store.path}/products`, {
      store_identifier: 'web_monthly',
      app_id: app.body.id,
      type: 'subscription',
      display_name: 'Web monthly',
    });
    const { items } = (await store.backend.get(`${store.path}/offerings/${store.offering.id}/packages`)).body;
    await store.backend.post(`${store.path}/packages/${items[0].id}/actions/attach_products`, {
      products: [{ product_id: product.body.id }],
    });
    await configure(keys.body.items[0].key, 'web-buyer');
    await page.evaluate(async () => {
      const { current } = await window.purchases.getOfferings();
      const options = { rcPackage: current.monthly, customerEmail: 'a@example.com' };
      // It ends when the customer closes the dialog, which stays to tell what happened.
      window.purchases.purchase(options).catch(() => undefined);
    });
    await page.waitForSelector('text=error code: 7878');
    expect(calls).toEqual(
      expect.arrayContaining(['GET /rcbilling/v1/branding 200', 'POST /rcbilling/v1/checkout/start 400']),
    );
    expect((await store.backend.get(`${store.path}/customers/web-buyer`)).status).toBe(404);
  });

  it('saves attributes, which backends read, also over to who signs in', async () => {
    const anonymous = `$RCAnonymousID:${'5'.repeat(32)}`;
    await configure(store.publicKey, anonymous);
    await page.evaluate(async () => {
      await window.purchases.getCustomerInfo();
      await window.purchases.setAttributes({ $displayName: 'Zoë 😀', level: '7', gone: 'x' });
      await window.purchases.setAttributes({ gone: null });
      await window.purchases.identifyUser('with-attributes');
    });
    expect(calls).toContain(`POST /v1/subscribers/${encodeURIComponent(anonymous)}/attributes 200`);
    const path = `${store.path}/customers/with-attributes`;
    const { body } = await store.backend.get(`${path}?expand=attributes`);
    const attributes = body.attributes.items.map(({ name, value }: any) => [name, value]);
    expect(attributes.sort()).toEqual([
      ['$displayName', 'Zoë 😀'],
      ['level', '7'],
    ]);
    const aliases = (await store.backend.get(`${path}/aliases`)).body.items.map(({ id }: any) => id);
    expect(aliases.sort()).toEqual([anonymous, 'with-attributes'].sort());
  });

  it('shows what a customer holds of each currency, after a credit and after it was spent', async () => {
    await store.backend.post(`${store.path}/virtual_currencies`, { code: 'GLD', name: 'Gold' });
    await configure(store.publicKey, 'rich');
    const adjust = (amount: number) =>
      store.backend.post(`${store.path}/customers/rich/virtual_currencies/transactions`, {
        adjustments: { GLD: amount },
      });
    const balances = () =>
      page.evaluate(async () => {
        window.purchases.invalidateVirtualCurrenciesCache();
        const { all } = await window.purchases.getVirtualCurrencies();
        return Object.values(all).map(({ code, name, balance }: any) => [code, name, balance]);
      });
    await page.evaluate(() => window.purchases.getCustomerInfo());
    expect(await balances()).toEqual([['GLD', 'Gold', 0]]);
    await adjust(120);
    expect(await balances()).toEqual([['GLD', 'Gold', 120]]);
    await adjust(-20);
    expect(await balances()).toEqual([['GLD', 'Gold', 100]]);
  });

  it('shows the offering that a backend assigned, and says when an id cannot be', async () => {
    await configure(store.publicKey, 'assigned');
    await page.evaluate(() => window.purchases.getCustomerInfo());
    const { body } = await store.backend.get(`${store.path}/offerings`);
    const sale = body.items.find((item: any) => item.lookup_key === 'sale');
    await store.backend.post(`${store.path}/customers/assigned/actions/assign_offering`, {
      offering_id: sale.id,
    });
    const read = () =>
      page.evaluate(async () => {
        const { current } = await window.purchases.getOfferings();
        return current.identifier;
      });
    expect(await read()).toBe('sale');
    const placed = () =>
      page.evaluate(
        async () => (await window.purchases.getCurrentOfferingForPlacement('onboarding'))?.identifier,
      );
    expect(await placed()).toBe('sale');
    await page.evaluate(() => window.purchases.changeUser('assigned-to-nobody'));
    expect(await read()).toBe('default');
    const refused = await page.evaluate(() =>
      window.purchases.identifyUser('a/b').then(
        () => null,
        (error: any) => error.errorCode,
      ),
    );
    expect(refused).not.toBeNull();
    expect(refused).toBeGreaterThan(0);
  });
});
