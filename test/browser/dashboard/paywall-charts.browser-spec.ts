import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { expectGoodLayout } from './layout.js';
import { shoot } from './screenshots.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeInBrowser('the charts of paywalls', () => {
  const dashboard = useDashboard();

  it('says how views arrive before there are any', async () => {
    const page = await dashboard.open(dashboard.path('charts/paywall_conversion?env=sandbox'));
    await page.getByText(/^No app showed a paywall in this range\./).waitFor();
    await page.getByRole('link', { name: 'Open an app for the code' }).waitFor();
    await expectAccessible(page);
    await expectGoodLayout(page);
  });

  it('lists them once an app showed a paywall, and opens them by paywall', async () => {
    const nowMs = dashboard.server.clock.nowMs();
    for (const [index, who] of ['ada', 'grace', 'edith'].entries()) {
      const { status } = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
        app_user_id: who,
        product_id: 'pro_monthly',
        offset_days: 5 * (index + 1),
        currency: 'USD',
        price: 10,
      });
      expect(status).toBe(201);
      for (const [paywall, days] of [
        ['pwsummer', 5 * (index + 1) + (index === 1 ? 4 : 0)],
        ['pwwinter', 2],
      ] as const)
        await dashboard.server.dataSource.query(
          `INSERT INTO paywall_views (project_id, environment, app_user_id, paywall_id, first_at)
           VALUES ($1, 'sandbox', $2, $3, $4)`,
          [dashboard.projectId, who, paywall, new Date(nowMs - days * DAY_MS - HOUR_MS)],
        );
    }
    const page = await dashboard.open(dashboard.path('charts?env=sandbox'));
    const group = page.getByRole('region', { name: 'Paywalls' });
    await group
      .getByText(/^66\.\d+ ?%$/)
      .first()
      .waitFor();
    await shoot(page, 'charts-with-paywalls');
    await group.getByRole('link', { name: 'Paywall conversion', exact: true }).click();
    await page.waitForURL(/charts\/paywall_conversion\?.*segment=paywall/);
    const table = page.getByRole('table', { name: 'Values' });
    await table.getByRole('columnheader', { name: 'pwsummer' }).waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining(['Total', 'pwsummer', 'pwwinter']),
    );
    await page.getByLabel('Conversion type').selectOption('trial_start');
    await page.waitForURL(/conversion_type=trial_start/);
    await page
      .getByRole('navigation', { name: 'Charts by category' })
      .getByRole('link', { name: 'Paywall LTV', exact: true })
      .click();
    await page.waitForURL(/charts\/paywall_ltv\?.*segment=paywall/);
    await table.getByRole('columnheader', { name: 'pwsummer' }).waitFor();
    await expectAccessible(page);
    await expectGoodLayout(page);
    await shoot(page, 'paywall-ltv');
  });
});
