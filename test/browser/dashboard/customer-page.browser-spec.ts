import type { Page } from 'playwright-core';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { layoutShift, noteLayoutShifts, skeletonsDrawn } from './in-page.mjs';
import { expectGoodLayout } from './layout.js';
import { settled, takeScreenshot } from './screenshots.js';

const widths = [390, 1024, 1440];
const MOST_SHIFT = 0.01;

describeInBrowser("a customer's page in the dashboard", () => {
  const dashboard = useDashboard();

  const customer = (id: string): string => dashboard.path(`customer?id=${encodeURIComponent(id)}`);
  const fact = (page: Page, label: string) =>
    page.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) });
  const factValue = (page: Page, label: string) =>
    fact(page, label).first().locator('xpath=following-sibling::dd[1]');
  const preferEuro = (page: Page) =>
    page.addInitScript(
      "localStorage.setItem('tenure.preferences', JSON.stringify({ displayCurrency: 'EUR' }))",
    );

  beforeAll(async () => {
    const { sdk, path, backend } = dashboard.store;
    const buy = (appUserId: string, productId: string, more: object = {}) =>
      sdk.post('/v1/receipts', {
        app_user_id: appUserId,
        fetch_token: `test_${dashboard.server.clock.nowMs()}_${productId}`,
        product_id: productId,
        ...more,
      });
    await buy('ada', 'pro_monthly', { price: 8.5, currency: 'EUR', store_country: 'PRT' });
    dashboard.server.clock.advanceMs(1_000);
    await buy('ada', 'pro_lifetime', { price: 100, currency: 'USD' });
    const attributes = { $email: 'ada@example.com', $displayName: 'Ada Lovelace', plan: 'team', seats: '40' };
    await backend.post(`${path}/customers/ada/attributes`, {
      attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    });
    await backend.post(`${path}/customers/ada/notes`, { text: 'Wants an invoice each month.' });
    await backend.post(`${path}/customers`, { id: 'silent' });
    dashboard.server.clock.advanceMs(1_000);
  });

  it.each(widths)('moves nothing that is drawn already at %i px', async (width) => {
    const page = await dashboard.newPage(undefined, { width, height: 900 });
    await page.addInitScript(noteLayoutShifts);
    await page.route(/\/v2\//, async (call) => {
      await page.evaluate(skeletonsDrawn);
      await call.continue();
    });
    await page.goto(dashboard.url + customer('ada'));
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.getByText('Wants an invoice each month.').waitFor();
    await settled(page);
    await page.unrouteAll({ behavior: 'wait' });
    const { score, moved } = await page.evaluate(layoutShift);
    expect([moved, score > MOST_SHIFT]).toEqual([expect.anything(), false]);
    await expectGoodLayout(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await takeScreenshot(page, 'customer-page', { theme, width, height: 900 });
      await expectAccessible(page);
    }
  });

  it('shows the name of a customer as the title, with the app user id below', async () => {
    const page = await dashboard.open(customer('ada'));
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.getByText('ada@example.com').first().waitFor();
    await page.getByText('ada', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Copy app user id' }).waitFor();
  });

  it('shows known facts only', async () => {
    const page = await dashboard.open(customer('silent'));
    await factValue(page, 'First seen').waitFor();
    for (const label of ['Country', 'Platform', 'App version', 'Last seen'])
      expect([label, await fact(page, label).count()]).toEqual([label, 0]);
    await page.goto(dashboard.url + customer('ada'));
    await factValue(page, 'Country').getByText('PT').waitFor();
    await factValue(page, 'Country').getByText('from a purchase').waitFor();
  });

  it('places attributes beside the timeline, and below it in a narrow window', async () => {
    const page = await dashboard.open(customer('ada'));
    const attributes = page.getByRole('region', { name: 'Attributes' });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const boxes = async () => {
      const [a, t] = [await attributes.boundingBox(), await timeline.boundingBox()];
      if (!a || !t) throw new Error('a panel is not drawn');
      return { isBeside: t.x + t.width <= a.x && a.y === t.y, isBelow: a.y >= t.y + t.height };
    };
    await attributes.getByText('team').waitFor();
    await page.setViewportSize({ width: 1024, height: 800 });
    expect(await boxes()).toMatchObject({ isBeside: true });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await boxes()).toMatchObject({ isBelow: true });
  });

  it('names products, apps and amounts in the display currency, with the original ones', async () => {
    const page = await dashboard.newPage();
    await preferEuro(page);
    await page.goto(dashboard.url + customer('ada'));
    await factValue(page, 'Total spent in sandbox').getByText('€').first().waitFor();
    await factValue(page, 'Total spent in sandbox').getByText('$').waitFor();
    const card = page.getByRole('tabpanel').getByRole('article', { name: 'Name of pro_monthly' });
    await card.getByText('€8.50').waitFor();
    await card.getByRole('button', { name: 'Copy pro_monthly' }).waitFor();
    await card.getByRole('img', { name: 'Test Store' }).waitFor();
    await card.getByRole('button', { name: 'Payments' }).click();
    await card.getByRole('table', { name: 'Payments' }).getByText('€8.50').waitFor();
    // Scrolled rows are under the bar of the page.
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessible(page);
  });

  it('shows a dash and the reason for an amount without an exchange rate', async () => {
    await dashboard.server.dataSource.query(
      `UPDATE store_transactions SET usd_micros = NULL, fx_day = NULL, currency = 'XTS'
       WHERE project_id = $1 AND purchase_id IS NOT NULL`,
      [dashboard.projectId],
    );
    const page = await dashboard.newPage();
    await preferEuro(page);
    await page.goto(`${dashboard.url}${customer('ada')}&tab=purchases`);
    const card = page.getByRole('article', { name: 'Name of pro_lifetime' });
    await card.getByText('No exchange rate').waitFor();
    await factValue(page, 'Total spent in sandbox').getByText('—').waitFor();
    await page.goto(`${dashboard.url}${dashboard.path('customers?env=sandbox&country=PT')}`);
    const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
    await row.getByText('PT').waitFor();
    await row.getByText('purchase', { exact: true }).waitFor();
    await settled(page);
    await takeScreenshot(page, 'customers-of-purchases', { theme: 'light', width: 1280, height: 800 });
  });
});
