import { readFile } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { CustomerListExportsJob } from '../../../src/support/customer-list/exports/customer-list-exports.job.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const CUSTOMERS = 10_050;

describeInBrowser('downloads of long lists of customers in the dashboard', () => {
  const dashboard = useDashboard();

  beforeAll(async () => {
    const of = `FROM generate_series(1, ${CUSTOMERS}) n`;
    const query = (sql: string) => dashboard.server.dataSource.query(sql, [dashboard.projectId]);
    await query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       SELECT $1, 'cust' || n, 'user-' || n, now(), now() ${of}`,
    );
    await query(
      `INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, tags)
       SELECT $1, 'cust' || n, now(), now(), '{}' ${of} ON CONFLICT DO NOTHING`,
    );
    await query('DELETE FROM listed_customer_changes WHERE project_id = $1');
  });

  it('shows the progress, also after the page was left, and offers the file', async () => {
    const job = dashboard.server.app.get(CustomerListExportsJob);
    const waking = jest.spyOn(job, 'wake').mockImplementation(() => undefined);
    const page = await dashboard.open(`${dashboard.path('customers')}`);
    await page.getByText('More than 10,000 customers').waitFor();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('heading', { name: 'Large downloads' }).waitFor();
    await page.getByRole('progressbar', { name: 'All customers' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'customer-export-running');
    waking.mockRestore();

    await page.goto(`${dashboard.url}${dashboard.path('overview')}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${dashboard.url}${dashboard.path('customers')}`);
    await page.getByRole('button', { name: 'Preparing a download' }).click();
    await job.drain();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download file' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(new Set(file.split('\r\n').slice(1, -1)).size).toBe(CUSTOMERS);
    await page.getByText('10,050 customers', { exact: true }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'customer-export-ready');

    await page.getByRole('button', { name: 'Delete download: All customers' }).click();
    await page.getByRole('heading', { name: 'Large downloads' }).waitFor({ state: 'detached' });
  });

  it('cancels a download, and shows why one failed', async () => {
    const job = dashboard.server.app.get(CustomerListExportsJob);
    const waking = jest.spyOn(job, 'wake').mockImplementation(() => undefined);
    const page = await dashboard.open(`${dashboard.path('customers')}`);
    await page.getByText('More than 10,000 customers').waitFor();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('button', { name: 'Cancel download: All customers' }).click();
    await page.getByRole('heading', { name: 'Large downloads' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('button', { name: 'Cancel download: All customers' }).waitFor();
    waking.mockRestore();
    await job.drain();
    const { backend, path } = dashboard.store;
    await backend.post(`${path}/customers`, { id: 'erased' });
    await backend.delete(`${path}/customers/erased`);
    await page.reload();
    await page.getByRole('button', { name: 'Large downloads' }).click();
    await page.getByText('The file was deleted because a customer was deleted.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'customer-export-failed');
  });
});
