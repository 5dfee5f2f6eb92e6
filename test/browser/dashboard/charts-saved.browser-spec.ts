import type { Page } from 'playwright-core';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('saved charts', () => {
  const dashboard = useDashboard();

  beforeAll(async () => {
    const answer = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
      app_user_id: 'ada',
      product_id: 'pro_monthly',
      offset_days: 10,
    });
    expect(answer.status).toBe(201);
  });

  const save = async (body: object): Promise<string> => {
    const path = `${dashboard.store.path}/saved_charts`;
    const answer = await dashboard.owner.session.post(path, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body.id;
  };
  const menuItem = async (page: Page, button: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: button }).click();
    await page
      .getByRole('menuitem', { name: item })
      .or(page.getByRole('menuitemcheckbox', { name: item }))
      .click();
  };
  const names = (page: Page) =>
    page.getByRole('list', { name: 'Board' }).getByRole('heading', { level: 2 }).allTextContents();

  it('saves the question of a chart, opens it again, renames and deletes it', async () => {
    const question =
      'env=sandbox&range=custom&from=2026-01-01&to=2026-03-31&resolution=month&segment=country&filter=store%3A%3D%3Atest_store&currency=EUR&draw=share&revenue_type=proceeds';
    const page = await dashboard.open(dashboard.path(`charts/revenue?${question}`));
    page.setDefaultTimeout(30_000);
    await menuItem(page, 'Saved charts', 'Save this chart');
    const dialog = page.getByRole('dialog', { name: 'Save this chart' });
    await dialog.getByLabel('Name').fill('Proceeds by country');
    await dialog.getByLabel('Only you').check();
    await expectAccessible(page);
    await shoot(page, 'saved-chart-dialog');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Proceeds by country' }).waitFor();

    await page.goto(dashboard.url + dashboard.path('charts/mrr?range=28d&compare=before&env=sandbox'));
    await menuItem(page, 'Saved charts', 'Proceeds by country');
    await page.waitForURL(/charts\/revenue/);
    const opened = [...new URL(page.url()).searchParams].map(([name, value]) => `${name}=${value}`);
    expect(opened.sort()).toEqual(
      [...new URLSearchParams(question)].map(([name, value]) => `${name}=${value}`).sort(),
    );

    await menuItem(page, 'Proceeds by country', 'Rename Proceeds by country');
    const rename = page.getByRole('dialog', { name: 'Rename Proceeds by country' });
    await rename.getByLabel('Name').fill('Proceeds');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await menuItem(page, 'Proceeds', 'Delete Proceeds');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Saved charts' }).waitFor();
    const list = await dashboard.owner.session.get(`${dashboard.store.path}/saved_charts`);
    expect(list.body.items).toEqual([]);
  });

  it('says what the server refuses', async () => {
    const page = await dashboard.open(dashboard.path('charts/revenue?segment=mood&env=sandbox'));
    page.setDefaultTimeout(30_000);
    dashboard.expectProblem(/status of 400/);
    await menuItem(page, 'Saved charts', 'Save this chart');
    const dialog = page.getByRole('dialog', { name: 'Save this chart' });
    await dialog.getByLabel('Name').fill('Moods');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').getByText('has no segment "mood"').waitFor();
  });

  it('shows them on a board, which the keyboard arranges and which can be the start page', async () => {
    await save({
      display_name: 'Revenue in euros',
      chart_name: 'revenue',
      parameters: { range: '28d', currency: 'EUR', segment: 'country' },
    });
    await save({ display_name: 'MRR', chart_name: 'mrr', visibility: 'private' });
    await save({ display_name: 'Retention', chart_name: 'subscription_retention' });
    const page = await dashboard.open(dashboard.path('board?env=sandbox'));
    page.setDefaultTimeout(30_000);
    const board = page.getByRole('list', { name: 'Board' });
    const tile = board.getByRole('listitem').filter({ hasText: 'Revenue in euros' });
    await tile.getByText(/^€/).waitFor();
    await tile.getByRole('img', { name: /^Revenue in euros, / }).waitFor();
    await board.getByText('a table of cohorts').waitFor();
    await expectAccessible(page);
    await shoot(page, 'board');

    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('button', { name: 'Move MRR up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('MRR is now 1 of 3.').waitFor();
    expect(await names(page)).toEqual(['MRR', 'Revenue in euros', 'Retention']);
    await page.getByRole('button', { name: 'Move MRR down' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await shoot(page, 'board-arranged');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await board.getByRole('listitem').first().getByText('MRR').first().waitFor();
    expect(await names(page)).toEqual(['MRR', 'Revenue in euros', 'Retention']);

    await tile.getByRole('link', { name: 'Revenue in euros' }).click();
    await page.waitForURL(/charts\/revenue\?.*currency=EUR/);
    expect(new URL(page.url()).searchParams.get('segment')).toBe('country');

    await page.goto(dashboard.url + dashboard.path('board?env=sandbox'));
    await page.getByRole('button', { name: 'My start page' }).click();
    await page.goto(dashboard.url);
    await page.waitForURL(/\/board/);
    await page.getByRole('button', { name: 'My start page' }).click();
    await page.goto(dashboard.url);
    await page.waitForURL(/\/overview/);
  });

  it('offers charts without a place on the board', async () => {
    const path = `${dashboard.store.path}/saved_charts`;
    const present = (await dashboard.owner.session.get(path)).body.items.length;
    for (let index = present; index < 13; index++)
      await save({ display_name: `Chart ${index}`, chart_name: 'actives' });
    const page = await dashboard.open(dashboard.path('board?env=sandbox'));
    page.setDefaultTimeout(30_000);
    const rest = page.getByRole('list', { name: 'Not on the board' });
    await rest.getByRole('link', { name: 'Chart 12' }).waitFor();
    await page.getByRole('button', { name: 'Arrange' }).click();
    await rest.getByRole('button', { name: 'Show on the board: Chart 12' }).click();
    await rest.getByRole('link', { name: 'Chart 11' }).waitFor();
    expect((await names(page)).at(-1)).toBe('Chart 12');
  });

  it('shows the board to viewers, who cannot arrange it', async () => {
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('board?env=sandbox'), viewer);
    page.setDefaultTimeout(30_000);
    await page.getByRole('list', { name: 'Board' }).waitFor();
    await page.getByRole('button', { name: 'Arrange' }).and(page.locator('[aria-disabled=true]')).waitFor();
  });
});
