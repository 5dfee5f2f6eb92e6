import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { plantRefundRequest } from './plant-refund-request.js';
import { shoot } from './screenshots.js';

const HOUR_MS = 3_600_000;

describeInBrowser('a refund request in the timeline of a customer', () => {
  const dashboard = useDashboard();

  it('shows the request and its outcome, and leads to the answer', async () => {
    const { server, store, projectId } = dashboard;
    const bought = { app_user_id: 'ada', product_id: 'pro_monthly' };
    expect((await store.backend.post(`${store.path}/test_purchases`, bought)).status).toBe(201);
    const requestId = await plantRefundRequest(dashboard, store.appId);
    const nowMs = server.clock.nowMs();
    const reports = [
      { type: 'REFUND_REQUESTED', refund_reason: 'UNINTENDED_PURCHASE' },
      { type: 'REFUND_REQUEST_DECIDED', outcome: 'declined', preference_sent: 'decline' },
    ];
    for (const [index, report] of reports.entries()) {
      const body = { ...report, product_id: 'pro_monthly', store: 'APP_STORE', refund_request_id: requestId };
      const at = new Date(nowMs + (index + 1) * HOUR_MS);
      await server.dataSource.query(
        `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, delivery, body)
         SELECT $1, $2, $3, $2, $4, $3, customer_id, 'suppressed', $5
         FROM customer_aliases WHERE project_id = $1 AND app_user_id = 'ada'`,
        [projectId, at, `event${index}`, report.type, body],
      );
    }
    server.clock.advanceMs(3 * HOUR_MS);
    const page = await dashboard.open(dashboard.path('customer?id=ada'));
    const timeline = page.getByRole('region', { name: 'Events, newest first' });
    await timeline.getByText('Asked the store for a refund of Name of pro_monthly').waitFor();
    await timeline
      .getByRole('button', {
        name: /The store declined the refund of Name of pro_monthly, you asked to decline/,
      })
      .click();
    await expectAccessible(page);
    await shoot(page, 'refund-timeline');
    await page.getByRole('link', { name: 'View the refund request and its answer' }).click();
    await page.waitForURL(new RegExp(`/refunds/${requestId}$`));
    await page.getByRole('heading', { name: 'Refund request', level: 1 }).waitFor();
  });
});
