import type { PurchaseReport } from '../../../libs/external-reports/index.js';
import { chargeOf, google, monthly, refundOf, reportsOf } from '../../support/external-charges.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeInBrowser('store reports in the dashboard', () => {
  const dashboard = useDashboard();

  const save = async (
    store: string,
    purchase: string,
    reports: readonly (PurchaseReport & { answer?: string })[],
  ): Promise<void> => {
    for (const [position, report] of reports.entries()) {
      const { id, requestIdentifier, sourceKey, event, items, body, state, reason, answer = null } = report;
      await dashboard.server.dataSource.query(
        `INSERT INTO external_purchase_reports (project_id, id, token_id, app_id, store, environment, purchase_key,
           position, source_key, event, request_identifier, items, body, state, reason, store_answer, created_at)
         VALUES ($1, $2, NULL, 'app1', $3, 'production', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          ...[dashboard.projectId, id, store, purchase, position, sourceKey, event, requestIdentifier],
          ...[JSON.stringify(items), body && JSON.stringify(body), state, reason, answer],
          new Date(dashboard.server.clock.nowMs() + position),
        ],
      );
    }
  };

  /** Stores reports about a purchase as the ledger would: a start that was sent, and a refund that Apple refused. */
  const addReports = async (): Promise<void> => {
    const [start, refund] = reportsOf([monthly, refundOf(monthly, 6_050_000)]);
    if (!start || !refund) throw new Error('There are no reports.');
    await save('apple', 'sub_outside', [
      { ...start, state: 'sent' },
      { ...refund, state: 'refused', answer: HOSTILE },
    ]);
  };

  /** A charge and its refund in the ledger, of the purchase that the reports are about. */
  const addLedger = async (): Promise<void> => {
    const { dataSource, clock } = dashboard.server;
    const at = new Date(clock.nowMs());
    await dataSource.query(
      `INSERT INTO external_purchase_tokens (project_id, id, app_id, store, environment, state, created_at)
       VALUES ($1, 'ept1', 'app1', 'apple', 'production', 'used', $2)`,
      [dashboard.projectId, at],
    );
    await dataSource.query(
      `INSERT INTO external_purchase_bindings (project_id, purchase_key, store, token_id, bound_by, bound_at)
       VALUES ($1, 'sub_outside', 'stripe', 'ept1', 'id', $2)`,
      [dashboard.projectId, at],
    );
    for (const [id, kind, micros] of [
      ['txn_1', 'purchase', 12_100_000],
      ['txn_refund', 'refund', -6_050_000],
    ] as const) {
      await dataSource.query(
        `INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, store,
           environment, kind, kind_seq, period_key, owner_key, store_ids, amount_micros, currency, commission_bps,
           tax_bps, quantity, price_source, purchased_at, period_type, ownership)
         VALUES ($1, $2, $3, 'cust1', 'sub1', 'stripe', 'production', $4, 0, 'in_1', 'sub_outside', '{in_1}', $5,
           'EUR', 0, 0, 1, 'store', $2, 'normal', 'purchased')`,
        [dashboard.projectId, at, id, kind, micros],
      );
    }
  };

  it('shows that there are none yet', async () => {
    const page = await dashboard.open(dashboard.path('store-reports'));
    await page.getByRole('heading', { level: 1, name: 'Store reports' }).waitFor();
    await page.getByText('No outside purchases yet.').waitFor();
    await page.getByRole('tab', { name: 'Months' }).click();
    await page.getByText('No outside purchases yet.').waitFor();
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('No outside purchases yet.').waitFor();
    await page.getByText('Reporting is off. Tokens are still stored.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'store-reports-off');

    const { backend, path } = dashboard.store;
    await backend.post(`${path}/apps`, {
      name: 'iOS',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.ios', external_purchase_reports: { enabled: true } },
    });
    await page.reload();
    await settled(page);
    expect(await page.getByText('Reporting is off.').count()).toBe(0);
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
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`store-reports-${month}.csv`);

    await page.getByRole('button', { name: 'Send again: oprt2' }).click();
    await page.getByText('The report will be sent again').waitFor();
    await page.getByRole('button', { name: 'Send again: oprt2' }).waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('refused');
    await page.getByText('No reports match').waitFor();
  });

  it('shows what reports to Google wait for', async () => {
    const refund = refundOf(monthly, 6_050_000, 'txn_back');
    const failed = { ...refundOf(monthly, -6_050_000, 'txn_failed'), atMs: refund.atMs + 1 };
    const changed = chargeOf(1, { productId: 'pro_plus' });
    const reports = reportsOf([monthly, refund, failed, changed], google);
    const sent = reports.map((report) => ({
      ...report,
      id: `google_${report.id}`,
      sourceKey: `google_${report.sourceKey}`,
      state: report.state === 'due' ? ('sent' as const) : report.state,
    }));
    await save('google', 'sub_android', sent);
    const page = await dashboard.open(dashboard.path('store-reports'));
    const rowOf = (text: string) => page.getByRole('row', { name: new RegExp(`sub_android.*${text}`) });
    await rowOf('Product change').getByText('Needs a token', { exact: true }).waitFor();
    await rowOf('Refund reversed').getByText('Manual', { exact: true }).waitFor();
    expect(await rowOf('Google Play').count()).toBe(4);
    await settled(page);
    await expectAccessible(page);
    await shoot(page, 'store-reports-google');
    await page.getByLabel('State').selectOption('needs_token');
    await rowOf('Product change').waitFor();
    await rowOf('Refund reversed').waitFor({ state: 'detached' });
  });

  it('compares what was reported in a month with the ledger', async () => {
    await addLedger();
    const page = await dashboard.open(dashboard.path('store-reports?tab=months'));
    const month = new Date(dashboard.server.clock.nowMs()).toISOString().slice(0, 7);
    const row = page.getByRole('row', { name: new RegExp(month) });
    await row.waitFor();
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 2)).toEqual([month, 'App Store']);
    expect(cells.slice(2)).toEqual([
      expect.stringMatching(/12\.10$/),
      expect.stringMatching(/6\.05$/),
      expect.stringMatching(/^[-−].*6\.05$/),
    ]);
    await expectAccessible(page);
    await shoot(page, 'store-reports-months');
  });
});
