import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('notes on days', () => {
  const dashboard = useDashboard();

  it('marks a note on every chart, reads it out by keyboard, and deletes it', async () => {
    const today = new Date(dashboard.server.clock.nowMs()).toISOString().slice(0, 10);
    const { status } = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
      app_user_id: 'ada',
      product_id: 'pro_monthly',
      offset_days: 10,
    });
    expect(status).toBe(201);
    const page = await dashboard.open(dashboard.path('charts/revenue?env=sandbox&range=28d'));
    page.setDefaultTimeout(30_000);
    await page.getByRole('button', { name: 'Add note' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a note' });
    expect(await dialog.getByLabel('Day').inputValue()).toBe(today);
    await dialog.getByLabel('Note').fill('Version 2 released');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('list', { name: 'Notes' }).getByText('Version 2 released').waitFor();

    await page.goto(dashboard.url + dashboard.path('charts/mrr?env=sandbox&range=28d'));
    await page.getByRole('list', { name: 'Notes' }).getByText('Version 2 released').waitFor();
    await page.locator('[data-note]').waitFor({ state: 'attached' });
    await page.getByRole('img', { name: /^MRR from / }).focus();
    await page.keyboard.press('End');
    await page.getByRole('status').getByText('Note: Version 2 released').waitFor();
    await expectAccessible(page);
    await shoot(page, 'chart-notes');

    await page.getByRole('button', { name: /^Delete the note of .*: Version 2 released$/ }).click();
    await page.getByRole('list', { name: 'Notes' }).waitFor({ state: 'detached' });
  });

  it('shows notes to viewers, who cannot add one', async () => {
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('charts/revenue?env=sandbox'), viewer);
    await page.getByRole('button', { name: 'Add note' }).and(page.locator('[aria-disabled=true]')).waitFor();
  });
});
