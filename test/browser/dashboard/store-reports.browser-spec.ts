import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';

describeInBrowser('store reports in the dashboard', () => {
  const dashboard = useDashboard();

  it('shows that there are none yet', async () => {
    const page = await dashboard.open(dashboard.path('store-reports'));
    await page.getByRole('heading', { level: 1, name: 'Store reports' }).waitFor();
    await page.getByText('No outside purchases yet.').waitFor();
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('No outside purchases yet.').waitFor();
    await expectAccessible(page);
  });
});
