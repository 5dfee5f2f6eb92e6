import { ManualClock } from '../../../libs/kernel/index.js';
import { FakePlay } from '../../support/fake-play/fake-play.js';
import { FakePlayServer } from '../../support/fake-play/fake-play-server.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const PACKAGE = 'com.example.app';

describeInBrowser('products from a store in the dashboard', () => {
  const google = new FakePlayServer(new FakePlay(new ManualClock(Date.now()), PACKAGE));
  const options: DashboardOptions = {};
  beforeAll(async () => {
    await google.start();
    options.env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_PLAY_API_URL: google.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
    };
    const { catalog } = google;
    catalog.addSubscription('premium', 'Premium', [
      { id: 'monthly', period: 'P1M', price: 9.99 },
      { id: 'yearly', period: 'P1Y', price: 79.99 },
      { id: 'weekly', period: 'P1W', price: 2.99, state: 'DRAFT' },
      { id: 'former', period: 'P1M', price: 7.99, state: 'INACTIVE' },
    ]);
    catalog.addOffer('premium', 'yearly', 'first-week', 'P1W');
    catalog.addOneTimeProduct('gems', '100 gems', 4.99);
  });
  const dashboard = useDashboard(options);
  afterAll(() => google.close());

  it('imports chosen products and says what differs', async () => {
    const { backend, path } = dashboard.store;
    const { body: app } = await backend.post(`${path}/apps`, {
      name: 'Android app',
      type: 'play_store',
      play_store: { package_name: PACKAGE },
    });
    const add = (name: string, duration: string) =>
      backend.post(`${path}/products`, {
        app_id: app.id,
        store_identifier: name,
        type: 'subscription',
        subscription: { duration },
      });
    await add('premium:monthly', 'P1Y');
    await add('other:monthly', 'P1M');

    const page = await dashboard.open(dashboard.path('catalog/products'));
    await page.getByRole('button', { name: 'Import from a store' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import products from a store' }).waitFor();
    dashboard.expectProblem(/status of 422/);
    await page.getByText('The app has no service account').waitFor();

    await backend.post(`${path}/apps/${app.id}`, {
      play_store: { play_service_account_credentials_json: google.serviceAccount },
    });
    await page.reload();
    await page
      .getByText('3 in the store are not here; 1 here is not in the store; 1 period differs.')
      .waitFor();
    await page.getByText('Details').click();
    await page.getByText('Period: 1 year here, 1 month in the store.').waitFor();
    await page.getByText('Already here').waitFor();
    await expectAccessible(page);
    await shoot(page, 'store-products');
    await page.setViewportSize({ width: 360, height: 740 });
    const name = page.getByRole('row').filter({ hasText: 'Already here' }).getByText('Premium').first();
    expect(await name.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('searchbox', { name: 'Search' }).fill('prem');
    expect(await page.getByText('100 gems').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('button', { name: 'Select all that are not here' }).click();
    await page.getByLabel('Import one-time products as').selectOption({ label: 'Consumable' });
    await page.getByRole('button', { name: 'Import 3 products' }).click();
    await page.getByText('3 products imported.').waitFor();
    await page.getByText('1 here is not in the store; 1 period differs.').waitFor();

    const { body: list } = await backend.get(`${path}/products?app_id=${app.id}`);
    const imported = list.items.map(({ store_identifier: name, type }: Record<string, string>) => [
      name,
      type,
    ]);
    expect(imported).toEqual(
      expect.arrayContaining([
        ['gems', 'consumable'],
        ['premium:weekly', 'subscription'],
        ['premium:yearly', 'subscription'],
      ]),
    );
  });
});
