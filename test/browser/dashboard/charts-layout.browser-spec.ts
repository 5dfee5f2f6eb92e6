import { charts } from '../../../libs/dashboard/src/charts/chart-list.js';
import { describeInBrowser } from '../chromium.js';
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
});
