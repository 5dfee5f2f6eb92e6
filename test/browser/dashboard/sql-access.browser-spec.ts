import pg from 'pg';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> \u202egnp.exe';

/** Who a connection string connects as. */
async function userOf(connectionUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: connectionUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
  await client.end();
  return rows[0]!.name;
}

describeInBrowser('SQL access in the dashboard', () => {
  const dashboard = useDashboard();

  it('creates a user, shows its connection string once, replaces its password and deletes it', async () => {
    const page = await dashboard.open(dashboard.path('integrations'));
    page.setDefaultTimeout(30_000);
    await page.getByRole('navigation').getByRole('link', { name: 'SQL access' }).first().click();
    await page.getByText('No SQL users yet.').waitFor();
    await page.getByText(/^These users connect to the primary database\./).waitFor();
    await shoot(page, 'sql-access-empty');

    await page.getByRole('button', { name: 'Create SQL user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create SQL user' });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Metabase');
    await expectAccessible(page);
    await shoot(page, 'sql-user-new');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const created = page.getByRole('dialog', { name: 'Connection string' });
    await created.getByText('Copy this connection string now. The password is not shown again.').waitFor();
    const first = (await created.locator('code').first().textContent())!;
    const role = await userOf(first);
    await expectAccessible(page);
    await shoot(page, 'sql-user-created');
    await created.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: new RegExp(`Metabase.*${role}`) });
    await row.getByText('Never').first().waitFor();
    await expectAccessible(page);
    await shoot(page, 'sql-access');

    await page.getByRole('button', { name: 'Actions for Metabase' }).click();
    await page.getByRole('menuitem', { name: 'Replace password' }).click();
    const replace = page.getByRole('alertdialog', { name: 'Replace the password of Metabase?' });
    await replace.getByRole('button', { name: 'Replace' }).click();
    await created.waitFor();
    const second = (await created.locator('code').first().textContent())!;
    await expect(userOf(first)).rejects.toThrow(/password authentication failed/);
    expect(await userOf(second)).toBe(role);
    await created.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Actions for Metabase' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Delete this SQL user?' });
    await confirm.getByText('Open connections end at once.').waitFor();
    await confirm.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No SQL users yet.').waitFor();
  });

  it('shows hostile names as text, and an expired user as expired', async () => {
    const { session } = dashboard.owner;
    const path = `/v2/projects/${dashboard.projectId}/sql_users`;
    const { clock } = dashboard.server;
    const made = await session.post(path, { name: HOSTILE, expires_at: clock.nowMs() + 1_000 });
    expect(made.status).toBe(201);
    clock.advanceMs(1_000);
    const page = await dashboard.open(dashboard.path('integrations/sql-access'));
    await page
      .getByRole('row', { name: /img src=x/ })
      .getByText('Expired')
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'sql-access-expired');
    expect(await page.title()).not.toBe('owned');
    expect((await session.delete(`${path}/${made.body.id}`)).status).toBe(200);
  });

  it('shows a viewer why nothing can be changed', async () => {
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('integrations/sql-access'), viewer, { width: 390 });
    await page
      .getByRole('button', { name: 'Create SQL user' })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
    // The tab of the page is in view on a phone too.
    const tab = await page.getByRole('link', { name: 'SQL access', exact: true }).boundingBox();
    expect(tab!.x + tab!.width).toBeLessThanOrEqual(390);
  });
});

describeInBrowser('SQL access that is turned off', () => {
  const dashboard = useDashboard({ env: { SERVICE_SQL_ACCESS: 'off' } });

  it('says how to turn it on', async () => {
    const page = await dashboard.open(dashboard.path('integrations/sql-access'));
    await page
      .getByText('SQL access is turned off on this server. Set SERVICE_SQL_ACCESS to turn it on.')
      .waitFor();
    await page.getByRole('link', { name: 'Read more in the documentation' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'sql-access-off');
  });
});
