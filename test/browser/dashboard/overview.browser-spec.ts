import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('the overview', () => {
  const dashboard = useDashboard();

  it('shows zeros and next steps for an empty project, and links to the setup', async () => {
    const page = await dashboard.open(dashboard.path('overview'));
    await page.getByText('Purchases, renewals and refunds appear here as they happen.').waitFor();
    const revenue = page.getByRole('region', { name: 'Revenue', exact: false }).first();
    await revenue.getByText('$0.00').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Continue setup' }).click();
    await page.waitForURL(/\/setup$/);
  });

  it('shows figures, their change and their days, and new transactions by themselves', async () => {
    const { session } = dashboard.owner;
    const buy = async (appUserId: string, extra: object = {}): Promise<void> => {
      const answer = await session.post(`${dashboard.store.path}/test_purchases`, {
        app_user_id: appUserId,
        product_id: 'pro_monthly',
        ...extra,
      });
      expect(answer.status).toBe(201);
    };
    await buy('user-1', { offset_days: 40 });
    await buy('user-2', { offset_days: 10 });
    await buy(`$RCAnonymousID:${'0123456789abcdef'.repeat(2)}`, {
      offset_days: 3,
      currency: 'JPY',
      price: 1480,
    });

    // A grant is in production, but nothing was bought there.
    const granted = await session.post(
      `/v2/projects/${dashboard.projectId}/customers/user-1/actions/grant_entitlement`,
      { entitlement_id: dashboard.store.entitlements.pro.id, expires_at: Date.now() + 86_400_000 },
    );
    expect(granted.status).toBe(201);

    const page = await dashboard.open(dashboard.path('overview'));
    // Production is empty, so the page shows what there is.
    await page.getByText('Showing sandbox data: there is no production data yet.').waitFor();
    const tile = page.getByRole('region', { name: 'Active subscriptions' });
    await tile.getByText('2', { exact: true }).waitFor();
    await tile.getByRole('img', { name: /^Active subscriptions by UTC day: .* today so far$/ }).waitFor();
    await page.getByText(/^\d in the last 28 days$/).waitFor();
    await page
      .getByRole('cell', { name: '¥1,480', exact: false })
      .or(page.getByText('JPY 1,480'))
      .first()
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'overview');

    await buy('bought-while-looking');
    await page.getByText('bought-while-looking').waitFor();
    await page.getByText('bought-while-looking').click();
    await page.waitForURL(/\/customer\?id=bought-while-looking/);

    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('link', { name: 'Transactions', exact: true }).click();
    await page
      .getByRole('row')
      .filter({ hasText: /(JPY.|¥)1,480/ })
      .waitFor();
  });

  it('keeps the other tiles when one fails, which tries again', async () => {
    const page = await dashboard.newPage();
    let failures = 0;
    await page.route(/metrics\/history\?.*metric=mrr/, async (route) => {
      failures += 1;
      await route.fulfill({
        status: 500,
        json: {
          object: 'error',
          type: 'internal',
          message: 'The figure could not be read.',
          retryable: false,
        },
      });
    });
    dashboard.expectProblem(/status of 500/);
    await page.goto(dashboard.url + dashboard.path('overview'));
    const failed = page.getByRole('region', { name: 'Monthly recurring revenue' });
    await failed.getByRole('alert').getByText('The figure could not be read.').waitFor();
    await page.getByRole('region', { name: 'Active users' }).getByRole('img').waitFor();
    await page.getByRole('table', { name: 'Latest transactions' }).waitFor();
    await expectAccessible(page);
    expect(failures).toBeGreaterThan(0);
  });

  it('leads to events, which come by themselves while they are followed', async () => {
    const buy = (appUserId: string) =>
      dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
        app_user_id: appUserId,
        product_id: 'pro_monthly',
      });
    expect((await buy('first')).status).toBe(201);
    const page = await dashboard.open(dashboard.path('events'));
    await page.getByRole('switch', { name: 'Follow' }).click();
    await page.waitForURL(/follow=yes/);
    await page.getByText('Looks for new events every 3 seconds.').waitFor();
    expect((await buy('followed')).status).toBe(201);
    await page.getByRole('row').filter({ hasText: 'followed' }).first().waitFor();
    await expectAccessible(page);
  });

  it('shows production as soon as purchases were imported there, although no event says so', async () => {
    const nowMs = Date.now();
    const imported = await dashboard.store.backend.post(`${dashboard.store.path}/import/customers`, {
      customers: [
        {
          id: 'imported',
          subscriptions: [
            {
              app_id: dashboard.store.appId,
              store: 'test_store',
              product_identifier: 'pro_monthly',
              starts_at: nowMs - 86_400_000,
              current_period_starts_at: nowMs - 86_400_000,
              current_period_ends_at: nowMs + 86_400_000,
              status: 'active',
              store_subscription_identifier: 'imported_1',
            },
          ],
        },
      ],
    });
    expect(imported.status).toBe(200);
    const page = await dashboard.open(dashboard.path('overview'));
    await page
      .getByRole('region', { name: 'Active subscriptions' })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await page.getByLabel('Environment').first().inputValue()).toBe('production');
    expect(await page.getByText('Showing sandbox data').count()).toBe(0);
  });
});
