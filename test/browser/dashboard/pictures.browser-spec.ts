import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startReceiver } from '../../support/webhook-receiver.js';
import { describeInBrowser } from '../chromium.js';
import { arrangeShop, shopCustomer } from './arrange-shop.js';
import { useDashboard } from './dashboard.js';
import { settled } from './screenshots.js';
import { smallPng } from './small-png.js';

/** `PICTURES=docs/images npm run test:browser pictures` takes the pictures of the documentation again. */
const folder = process.env.PICTURES;
const LARGEST_BYTES = 150 * 1024;
/** A customer with a year's subscription. */
const CUSTOMER = shopCustomer(113).id;

const savedCharts = [
  ['Revenue by country', 'revenue', { range: '90d', resolution: 'week', segment: 'country' }],
  ['Recurring revenue', 'mrr', { range: '12m', resolution: 'month' }],
  ['New subscriptions', 'actives_new', { range: '90d', resolution: 'week' }],
  ['Active subscriptions by store', 'actives', { range: '90d', segment: 'store' }],
] as const;

// Ordinary runs skip it, because it writes files of the repository.
(folder ? describeInBrowser : describe.skip)('the pictures of the documentation', () => {
  const dashboard = useDashboard();

  async function takePicture(page: Page, name: string): Promise<void> {
    await settled(page);
    const picture = smallPng(await page.screenshot({ animations: 'disabled' }));
    expect(picture.length).toBeLessThan(LARGEST_BYTES);
    mkdirSync(folder!, { recursive: true });
    writeFileSync(join(folder!, `dashboard-${name}.png`), picture);
  }

  it('shows a shop with customers, sales and webhooks', async () => {
    const receiver = await startReceiver();
    await arrangeShop(dashboard, receiver);
    const { session } = dashboard.owner;
    const { path: project } = dashboard.store;
    for (const product of ['coaching_monthly', 'coins_100'])
      await session.post(`${project}/test_purchases`, { app_user_id: CUSTOMER, product_id: product });
    await session.post(`${project}/customers/${CUSTOMER}/notes`, { text: 'Asked about the family plan.' });
    for (const [display_name, chart_name, parameters] of savedCharts)
      expect(
        (await session.post(`${project}/saved_charts`, { display_name, chart_name, parameters })).status,
      ).toBe(201);
    for (const [name, path, theme, text] of [
      ['overview', 'overview', 'light', 'Latest transactions'],
      ['charts', 'charts/revenue?range=90d', 'light', /^\$[\d,.]+ Total$/],
      ['board', 'board', 'light', 'New subscriptions'],
      ['customer', `customer?id=${CUSTOMER}`, 'light', 'Has access'],
      ['entitlements', 'catalog/entitlements?view=matrix', 'light', 'Pro, yearly'],
      ['transactions', 'transactions', 'dark', 'Pro, yearly'],
      ['webhooks', 'webhooks', 'dark', 'Circuit open'],
    ] as const) {
      const page = await dashboard.open(dashboard.path(path), dashboard.owner, { theme });
      await page.getByText(text).first().waitFor();
      await takePicture(page, name);
    }

    const { body } = await session.post('/v2/projects', { name: 'Acme Fitness' });
    const page = await dashboard.open(`/projects/${body.id}/setup`);
    await page.getByRole('button', { name: 'Try it with the Test Store' }).click();
    await page.getByRole('button', { name: 'Create sample catalog' }).click();
    await page.locator('h2:focus', { hasText: 'Connect your SDK' }).waitFor();
    await takePicture(page, 'setup');
    await receiver.close();
  }, 300_000);
});
