import { monthly, refundOf, reportsOf } from '../../support/external-charges.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeInBrowser('store reports in the dashboard', () => {
  const dashboard = useDashboard();

  /** Stores reports about a purchase as the ledger would: a start that was sent, and a refund that Apple refused. */
  const addReports = async (): Promise<void> => {
    const answers = [
      { state: 'sent', answer: null },
      { state: 'refused', answer: HOSTILE },
    ];
    const reports = reportsOf([monthly, refundOf(monthly, 6_050_000)]);
    for (const [position, report] of reports.entries()) {
      const { id, requestIdentifier, sourceKey, event, items, body } = report;
      const { state, answer } = answers[position] ?? { state: 'due', answer: null };
      await dashboard.server.dataSource.query(
        `INSERT INTO external_purchase_reports (project_id, id, token_id, app_id, store, environment, purchase_key,
           position, source_key, event, request_identifier, items, body, state, store_answer, created_at)
         VALUES ($1, $2, NULL, 'app1', 'apple', 'production', 'sub_outside', $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          ...[dashboard.projectId, id, position, sourceKey, event, requestIdentifier],
          ...[JSON.stringify(items), JSON.stringify(body), state, answer],
          new Date(dashboard.server.clock.nowMs() + position),
        ],
      );
    }
  };

  it('shows that there are none yet', async () => {
    const page = await dashboard.open(dashboard.path('store-reports'));
    await page.getByRole('heading', { level: 1, name: 'Store reports' }).waitFor();
    await page.getByText('No outside purchases yet.').waitFor();
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('No outside purchases yet.').waitFor();
    await expectAccessible(page);
  });

  it('lists reports, sends a refused one again and downloads a month', async () => {
    await addReports();
    const page = await dashboard.open(dashboard.path('store-reports'));
    await page.getByText('Refused', { exact: true }).last().waitFor();
    await settled(page);
    await expectAccessible(page);
    await shoot(page, 'store-reports');
    expect(await page.locator('img[src=x]').count()).toBe(0);

    const month = new Date(dashboard.server.clock.nowMs()).toISOString().slice(0, 7);
    const address = `${dashboard.url}${dashboard.path('store-reports')}?month=${month}`;
    await page.goto(address);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download month' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`store-reports-${month}.csv`);

    await page.getByRole('button', { name: 'Send again: oprt2' }).click();
    await page.getByText('The report is sent again').waitFor();
    await page.getByRole('button', { name: 'Send again: oprt2' }).waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('refused');
    await page.getByText('No reports match').waitFor();
  });
});
