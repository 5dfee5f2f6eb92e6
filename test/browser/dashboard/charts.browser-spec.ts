import { readFileSync } from 'node:fs';
import { charts } from '../../../libs/dashboard/src/charts/chart-list.js';
import { ChartsRollupJob } from '../../../src/insights/charts/rollup/charts-rollup.job.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { expectGoodLayout } from './layout.js';
import { shoot } from './screenshots.js';

describeInBrowser('the charts', () => {
  const dashboard = useDashboard();
  const get = (path: string) => dashboard.owner.session.get(`/v2/projects/${dashboard.projectId}${path}`);

  beforeAll(async () => {
    for (const [id, days, currency] of [
      ['ada', 20, 'USD'],
      ['grace', 10, 'USD'],
      ['edith', 3, 'EUR'],
    ] as const) {
      const { status } = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
        app_user_id: id,
        product_id: 'pro_monthly',
        offset_days: days,
        currency,
        price: 10,
      });
      expect(status).toBe(201);
    }
  });

  it('lists the charts of the server and no other', async () => {
    const unknown = await get('/charts/nothing');
    expect([unknown.status, unknown.body.param]).toEqual([400, 'chart_name']);
    for (const { id, name } of charts) {
      expect([id, (await get(`/charts/${id}/options`)).status]).toEqual([id, 200]);
      expect(unknown.body.message).toContain(id);
      expect(name).not.toBe('');
    }
    const page = await dashboard.open(dashboard.path('overview'));
    await page.getByRole('link', { name: 'Charts', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Charts', level: 1 }).waitFor();
    const list = page.getByRole('main');
    // Charts of paywalls are not listed before an app showed one.
    for (const { name, category } of charts)
      if (category !== 'paywalls') await list.getByRole('link', { name, exact: true }).waitFor();
    expect(await list.getByRole('region', { name: 'Paywalls' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Revenue', exact: true }).click();
    await page.waitForURL(/\/charts\/revenue$/);
    await page.getByText(/^Money from all purchases.*Revenue = payments/).waitFor();
    // Purchases of the Test Store are sandbox purchases, and there are no others.
    await page.getByText('Showing sandbox data: there is no production data yet.').waitFor();
  });

  it('draws what the address says, and the address says what is chosen', async () => {
    const page = await dashboard.open(dashboard.path('charts/revenue?env=sandbox&range=28d'));
    const figures = page.getByRole('list', { name: 'Figures' });
    await figures.getByText('Total').first().waitFor();
    await page.getByRole('img', { name: /^Revenue from .* \(UTC\)/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Values' }).getByRole('row').count()).toBe(29);

    await page.getByLabel('Resolution').selectOption('week');
    await page.waitForURL(/resolution=week/);
    await page.getByLabel('Revenue type').selectOption('proceeds');
    await page.waitForURL(/revenue_type=proceeds/);
    await page.getByRole('columnheader', { name: 'Proceeds' }).waitFor();
    await page.getByRole('button', { name: 'Compare to previous period' }).click();
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor();
    await page.getByLabel('Group by').selectOption('store');
    await page.waitForURL(/segment=store/);
    await page.getByRole('columnheader', { name: 'Test Store' }).waitFor();
    await page.getByLabel('Filter', { exact: true }).selectOption('product_id');
    await page.getByLabel('Value', { exact: true }).selectOption({ index: 1 });
    await page.waitForURL(/filter=product_id/);
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByText(/^€\d/).first().waitFor();

    const link = page.url();
    const other = await dashboard.open(link.slice(dashboard.url.length));
    await other.getByRole('columnheader', { name: 'Test Store' }).waitFor();
    expect(await other.getByLabel('Resolution').inputValue()).toBe('week');
    expect(await other.getByLabel('Revenue type').inputValue()).toBe('proceeds');
    await other.getByRole('button', { name: /^Remove the filter Product: / }).click();
    await other.waitForURL((url) => !url.search.includes('filter'));
    await expectAccessible(other);
  });

  it('shows the numbers of the CSV in its table, and the days of UTC in every zone', async () => {
    const options = { zone: 'Pacific/Auckland' };
    const address = 'charts/revenue?env=sandbox&range=28d';
    const page = await dashboard.open(dashboard.path(address), dashboard.owner, options);
    const table = page.getByRole('table', { name: 'Values' });
    await table.waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [header, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(header).toBe('date,incomplete,Revenue (USD),Transactions');
    const rows = await table.getByRole('row').all();
    const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()));
    expect(cells.map((row) => row.map((text) => Number(text.replace(/[$,]/g, '')))).toReversed()).toEqual(
      lines.map((line) => line.split(',').slice(2).map(Number)),
    );
    expect(lines.at(-1)?.slice(0, 10)).toBe(
      new Date(dashboard.server.clock.nowMs()).toISOString().slice(0, 10),
    );
    await table.getByText('(incomplete)').waitFor();
  });

  it('draws movements, rates and cohorts, all by keyboard too', async () => {
    const page = await dashboard.open(dashboard.path('charts/actives_movement?env=sandbox'));
    const drawing = page.getByRole('img', { name: /^Active Subscriptions Movement from / });
    await drawing.focus();
    await page.keyboard.press('End');
    await page.getByRole('status').getByText('Movement').waitFor();
    await shoot(page, 'chart-movement');
    await page.goto(dashboard.url + dashboard.path('charts/churn?env=sandbox'));
    // Nothing was active in the beginning: no rate.
    await page.getByRole('cell', { name: '–', exact: true }).first().waitFor();
    const rate = page
      .getByRole('list', { name: 'Figures' })
      .getByRole('listitem')
      .filter({ hasText: 'Churn Rate' });
    await rate.getByText('– Total').waitFor();
    await rate.getByText(/Average of \d+ complete days?/).waitFor();
    await page.goto(dashboard.url + dashboard.path('charts/cohort_explorer?env=sandbox'));
    const table = page.getByRole('table', { name: 'Cohort Explorer' });
    await table.getByRole('rowheader', { name: 'Total' }).waitFor();
    await expectAccessible(page);
    await expectGoodLayout(page);
    await shoot(page, 'chart-cohorts');
    await page.goto(dashboard.url + dashboard.path('charts/subscription_status?env=sandbox&segment=store'));
    await page.getByRole('img', { name: /^Subscription Status/ }).waitFor();
    await expectAccessible(page);
  });

  it('heads a chart of states with the state now, which is that of the overview', async () => {
    const { body } = await get('/metrics/overview?environment=sandbox');
    const mrr = body.metrics.find(({ id }: { id: string }) => id === 'mrr').value;
    const page = await dashboard.open(dashboard.path('charts/mrr?env=sandbox&range=28d'));
    const figures = page.getByRole('list', { name: 'Figures' });
    const headline = figures.getByText(/^\$[\d.,]+ now$/);
    expect((await headline.innerText()).replaceAll(/[$,]| now/g, '')).toBe(String(mrr));
    await figures.getByText('Average of 27 complete days').waitFor();
    await expectAccessible(page);
    await page.goto(
      dashboard.url + dashboard.path('charts/mrr?env=sandbox&range=custom&from=2025-12-01&to=2025-12-03'),
    );
    await figures.getByText('on Dec 3, 2025').waitFor();
  });

  it('names a chart that is not there, and what a filter got wrong', async () => {
    const page = await dashboard.newPage();
    dashboard.expectProblem(/status of 400/);
    await page.goto(dashboard.url + dashboard.path('charts/ad_revenue?env=sandbox'));
    await page.getByText('There is no chart "ad_revenue" on this server.').waitFor();
    await page.goto(dashboard.url + dashboard.path('charts/revenue?env=sandbox&segment=weather'));
    await page
      .getByRole('alert')
      .getByText(/weather/)
      .waitFor();
  });

  it('names products, and splits by an attribute that the project chooses', async () => {
    const attributes = { team: { value: 'red', updated_at_ms: dashboard.server.clock.nowMs() } };
    dashboard.expectProblem(/status of 400/);
    const set = await dashboard.store.sdk.post('/v1/subscribers/ada/attributes', { attributes });
    expect(set.status).toBe(200);
    const page = await dashboard.open(
      dashboard.path('charts/revenue?env=sandbox&range=28d&segment=product_id'),
    );
    await page.getByRole('columnheader', { name: 'Name of pro_monthly' }).waitFor();
    await page.goto(dashboard.url + dashboard.path('settings/general'));
    const panel = page.getByRole('region', { name: 'Attributes in charts' });
    const field = panel.getByRole('textbox', { name: 'Attributes' });
    await field.fill('$email team');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/"\$email" is not a reserved attribute that charts can have/).waitFor();
    await field.fill('team');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect((await get('')).body.chart_attributes).toEqual(['team']);
    await expectAccessible(page);
    await dashboard.server.app.get(ChartsRollupJob).run();
    await page.getByRole('link', { name: 'Charts', exact: true }).first().click();
    await page.getByRole('link', { name: 'Revenue', exact: true }).click();
    await page.getByLabel('Group by').selectOption({ label: 'team' });
    await page.waitForURL(/segment=custom_attribute/);
    await page.getByRole('columnheader', { name: 'red' }).waitFor();
    await page.getByLabel('Filter', { exact: true }).selectOption({ label: 'team' });
    await page.getByLabel('Value', { exact: true }).selectOption('red');
    await page.getByRole('button', { name: 'Remove the filter team: red' }).waitFor();
  });

  it('begins weeks on the day of the project', async () => {
    const page = await dashboard.open(dashboard.path('settings/general'));
    await page.getByRole('radio', { name: 'Sunday' }).check();
    const panel = page.getByRole('region', { name: 'First day of week' });
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect((await get('')).body.week_starts_on).toBe('sunday');
  });
});
