import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { expectGoodLayout } from './layout.js';
import { shoot } from './screenshots.js';

const DAY_MS = 86_400_000;
const answers = ['COST_RELATED', 'COST_RELATED', null, 'OTHERS', 'FOUND_BETTER_APP'];

describeInBrowser('the chart of cancel reasons', () => {
  const dashboard = useDashboard();

  it('opens from the list of charts and shows the number of each answer', async () => {
    const nowMs = dashboard.server.clock.nowMs();
    for (const [index, reason] of answers.entries()) {
      await dashboard.server.dataSource.query(
        `INSERT INTO play_cancellations (project_id, cancelled_at, key_hash, environment, reason)
         VALUES ($1, $2, sha256($3), 'production', $4)`,
        [dashboard.projectId, new Date(nowMs - (index + 1) * DAY_MS), Buffer.from(`token${index}`), reason],
      );
    }
    const list = await dashboard.open(dashboard.path('charts'));
    await list.getByRole('link', { name: 'Play Store cancel reasons', exact: true }).click();
    await list.waitForURL(/\/charts\/play_store_cancel_reasons/);
    const page = await dashboard.open(
      dashboard.path('charts/play_store_cancel_reasons?env=production&range=28d'),
    );
    await page.getByText(/^Subscriptions of Google Play by the day their customer cancelled/).waitFor();
    const figures = page.getByRole('list', { name: 'Figures' });
    await figures.getByText('Cost').first().waitFor();
    const table = page.getByRole('table', { name: 'Values' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining(['Cost', 'Found a better app', 'Unspecified']),
    );
    await expectAccessible(page);
    await expectGoodLayout(page);
    await shoot(page, 'play-store-cancel-reasons');
  });
});
