import { readFile } from 'node:fs/promises';
import type { Json } from '../../support/api-client.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

describeInBrowser('the list of customers in the dashboard', () => {
  const dashboard = useDashboard();

  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await dashboard.store.backend.post(`${dashboard.store.path}${path}`, body);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const simulate = (customer: string, scenario: string) =>
    post('/test_purchases', { app_user_id: customer, product_id: 'pro_monthly', scenario });
  const create = (id: string, attributes: Record<string, string> = {}) =>
    post('/customers', {
      id,
      attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    });
  const names = async (page: Awaited<ReturnType<typeof dashboard.open>>): Promise<string[]> => {
    await settled(page);
    const rows = await page.getByRole('table', { name: 'Customers' }).getByRole('row').allInnerTexts();
    return rows.slice(1).map((text) => text.split('\n')[0] ?? '');
  };

  beforeAll(async () => {
    await create('u-1', { $email: 'ada@example.com', $displayName: 'Ada Lovelace', plan: 'team' });
    await create('u-2', { $email: 'adele@example.com', plan: 'team' });
    await create('u-3');
    await simulate('u-1', 'trial');
    await simulate('u-2', 'billing_issue');
    await simulate('u-4', 'refund');
  });

  it('shows names first, and narrows the list with filters that can be removed', async () => {
    const page = await dashboard.open(dashboard.path('customers'));
    await page.getByText('Ada Lovelace').waitFor();
    await page.getByText('4 customers').waitFor();
    await page.getByLabel('Filter', { exact: true }).selectOption({ label: 'Status' });
    await page.getByLabel('Value', { exact: true }).selectOption({ label: 'In a trial' });
    await page.getByText('1 customer', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['Ada Lovelace']);
    await page.getByLabel('Filter', { exact: true }).selectOption({ label: 'Country' });
    await page.getByLabel('Value', { exact: true }).fill('Germany');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Enter a code of two letters, such as DE.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Value', { exact: true }).fill('DE');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('0 customers').waitFor();
    expect(new URL(page.url()).searchParams.get('country')).toBe('DE');
    await page.getByRole('button', { name: 'Remove the filter Country: DE' }).click();
    await page.getByText('1 customer', { exact: true }).waitFor();
    await shoot(page, 'customer-list-filtered');
    await page.getByRole('button', { name: 'Remove the filter Status: In a trial' }).click();
    await page.getByText('4 customers').waitFor();
    await expectAccessible(page);
    await shoot(page, 'customer-list');
  });

  it('filters by product, entitlement and attribute, and sorts', async () => {
    const page = await dashboard.open(dashboard.path('customers'));
    const add = async (filter: string, choose: () => Promise<unknown>) => {
      await page.getByLabel('Filter', { exact: true }).selectOption({ label: filter });
      await choose();
    };
    await add('Entitlement', () => page.getByLabel('Value', { exact: true }).selectOption({ label: 'Pro' }));
    await page.getByText('3 customers').waitFor();
    await add('Attribute', async () => {
      await page.getByLabel('Value', { exact: true }).fill('plan=team');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    });
    await page.getByText('2 customers').waitFor();
    await page.getByLabel('Sort by').selectOption({ label: 'Spent: most first' });
    expect(await names(page)).toEqual(['adele@example.com', 'Ada Lovelace']);
    await page.getByLabel('Sort by').selectOption({ label: 'Spent: least first' });
    expect(await names(page)).toEqual(['Ada Lovelace', 'adele@example.com']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('4 customers').waitFor();
  });

  it('finds customers by the beginning of an email, on the page and in the search of every page', async () => {
    const page = await dashboard.open(dashboard.path('customers'));
    await page.getByRole('textbox', { name: 'Find a customer' }).fill('AD');
    await page.getByRole('textbox', { name: 'Find a customer' }).press('Enter');
    await page.getByText('2 customers').waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill('adel');
    await dialog.getByRole('option', { name: /u-2 Customer, pro/ }).waitFor();
    await dialog.getByRole('combobox').press('Escape');
  });

  it('saves a list, opens it again and deletes it', async () => {
    const page = await dashboard.open(`${dashboard.path('customers')}?status=trial&sort=spent`);
    await page.getByText('1 customer', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Saved lists' }).click();
    await page.getByRole('menuitem', { name: 'Save this list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Trials');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${dashboard.url}${dashboard.path('customers')}?country=DE`);
    await page.getByText('0 customers').waitFor();
    await page.getByRole('button', { name: 'Saved lists' }).click();
    await page
      .getByRole('menuitemcheckbox', { name: 'Trials' })
      .or(page.getByRole('menuitemradio', { name: 'Trials' }))
      .or(page.getByRole('menuitem', { name: 'Trials' }))
      .click();
    await page.getByText('1 customer', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('country')).toBeNull();
    await page.getByRole('button', { name: 'Trials', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete Trials' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Saved lists' }).waitFor();
  });

  it('downloads the whole list as CSV', async () => {
    const page = await dashboard.open(`${dashboard.path('customers')}?status=billing_issue`);
    await page.getByText('1 customer', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.split('\r\n')[1]).toMatch(/^u-2,adele@example.com,,active in_grace_period billing_issue,/);
  });
});
