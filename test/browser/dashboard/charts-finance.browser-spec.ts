import { ChartsRollupJob } from '../../../src/insights/charts/rollup/charts-rollup.job.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const MONTHS_PER_QUARTER = 3;

/** Noon of a day in the second month of a quarter, counted back from the current one. */
function inQuarter(nowMs: number, quartersAgo: number): number {
  const now = new Date(nowMs);
  const first = now.getUTCMonth() - (now.getUTCMonth() % MONTHS_PER_QUARTER);
  return Date.UTC(now.getUTCFullYear(), first - quartersAgo * MONTHS_PER_QUARTER + 1, 10, 12);
}

describeInBrowser('the questions of finance', () => {
  const dashboard = useDashboard();

  beforeAll(async () => {
    const { store, server, owner } = dashboard;
    const nowMs = server.clock.nowMs();
    for (const [id, platform, country, quartersAgo, price] of [
      ['hans', 'iOS', 'DE', 1, 30],
      ['lena', 'iOS', 'DE', 2, 20],
      ['andreas', 'android', 'DE', 1, 500],
      ['pierre', 'iOS', 'FR', 1, 700],
    ] as const) {
      expect(
        (await store.sdk.with({ 'x-platform': platform }).get(`/v1/subscribers/${id}`)).status,
      ).toBeLessThan(300);
      const { status } = await owner.session.post(`${store.path}/test_purchases`, {
        app_user_id: id,
        product_id: 'coins_100',
        currency: 'EUR',
        price,
        country_code: country,
        purchased_at: inQuarter(nowMs, quartersAgo),
      });
      expect(status).toBe(201);
    }
    await server.app.get(ChartsRollupJob).run();
  });

  it('answers the net revenue of iOS in Germany last quarter, in euros, compared with the quarter before', async () => {
    const page = await dashboard.open(dashboard.path('charts/revenue?env=sandbox'));
    page.setDefaultTimeout(20_000);
    const chips = page.getByRole('group', { name: 'Range, filters and grouping' });
    await chips.getByLabel('Range').selectOption('Last quarter');
    await chips.getByLabel('Revenue type').selectOption('Revenue (net of taxes)');
    await chips.getByLabel('Currency').selectOption('EUR');
    await chips.getByLabel('Filter', { exact: true }).selectOption('Platform');
    await chips.getByLabel('Value', { exact: true }).selectOption('iOS');
    await chips.getByLabel('Filter', { exact: true }).selectOption('Country');
    await chips.getByLabel('Value', { exact: true }).selectOption('Germany');
    await chips.getByRole('button', { name: 'Compare to previous period' }).click();

    const answer = page
      .getByRole('list', { name: 'Figures' })
      .getByRole('listitem')
      .filter({ hasText: 'Revenue (net of taxes)' });
    await answer.getByText('€30.00 Total').waitFor();
    await answer.getByText(/^50\.0% vs\. €20\.00, /).waitFor();
    const coverage = page.getByRole('region', { name: 'Coverage and figures' });
    await coverage.getByText(/\(UTC\) · EUR, converted at .* · complete$/).waitFor();
    await page.getByRole('img', { name: /; Previous period: .*€20\.00/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'chart-finance');

    // The link asks the same, also of a person with another currency.
    const link = page.url();
    expect(new URL(link).search).toContain('currency=EUR');
    const colleague = await dashboard.open(link.slice(dashboard.url.length));
    await colleague.getByText('€30.00 Total').waitFor();
  });

  it('keeps the currency for every chart, and for the next visit', async () => {
    const page = await dashboard.open(dashboard.path('charts/mrr?env=sandbox'));
    await page.getByLabel('Currency').selectOption('GBP');
    await page.waitForURL(/currency=GBP/);
    await page.goto(dashboard.url + dashboard.path('charts/revenue?env=sandbox&range=12m'));
    await page
      .getByRole('list', { name: 'Figures' })
      .getByText(/^£[\d,]+\.\d\d Total$/)
      .waitFor();
    await page.goto(`${dashboard.url}/account?tab=preferences`);
    expect(await page.getByLabel('Display currency').inputValue()).toBe('GBP');
  });
});
