import { charts } from '../../../libs/dashboard/src/charts/chart-list.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { buyForAYear } from './arrange-sales.js';
import { useDashboard } from './dashboard.js';
import { settled, takeScreenshot } from './screenshots.js';

const widths = [390, 1024, 1440];
/** Charts whose pictures cover every kind of drawing. */
const pictured = ['revenue', 'mrr', 'mrr_movement', 'churn', 'subscription_retention', 'cohort_explorer'];

describeInBrowser('the layout of charts', () => {
  const dashboard = useDashboard();

  beforeAll(() => buyForAYear(dashboard));

  it('never scrolls a page of charts sideways, in any width', async () => {
    const page = await dashboard.open(dashboard.path('charts?env=sandbox'));
    const wide: string[] = [];
    for (const chart of ['', ...charts.map(({ id }) => `/${id}`)]) {
      await page.goto(`${dashboard.url}${dashboard.path(`charts${chart}?env=sandbox`)}`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
        const client = await page.evaluate<number>('document.documentElement.clientWidth');
        if (scroll > client) wide.push(`charts${chart} at ${width} px: ${scroll} px`);
        if (chart !== '' && !pictured.includes(chart.slice(1))) continue;
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme });
          await takeScreenshot(page, `charts${chart.replace('/', '-')}`, { theme, width, height: 900 });
        }
      }
    }
    expect(wide).toEqual([]);
  });

  it('opens with the main chart and a picture of each other one, in one call for all', async () => {
    const page = await dashboard.newPage();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/charts')) calls.push(pathname.replace(/^.*projects\/[^/]+/, ''));
    });
    await page.goto(dashboard.url + dashboard.path('charts?env=sandbox'));
    await page.getByRole('img', { name: /^Revenue from .*\(UTC\)/ }).waitFor();
    const tile = page.getByRole('region', { name: 'Subscriptions' }).locator('section').first();
    await tile.getByText(/^\d+$/).waitFor();
    await tile.getByRole('img', { name: /^Active Subscriptions, / }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(calls.filter((path) => path.startsWith('/charts'))).toHaveLength(2);
    await expectAccessible(page);
    await page.getByLabel('Range', { exact: true }).selectOption('Last 12 months');
    await page.waitForURL(/range=12m/);
    await page.getByRole('link', { name: 'MRR', exact: true }).click();
    await page.waitForURL(/charts\/mrr\?.*range=12m/);
  });
});
