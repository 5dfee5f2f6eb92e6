import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('refunds in the dashboard', () => {
  const dashboard = useDashboard();

  const saved = async () => {
    const { backend, path } = dashboard.store;
    return (await backend.get(`${path}/refund_policies`)).body.items;
  };

  it('creates, orders, edits and deletes policies', async () => {
    const page = await dashboard.open(dashboard.path('refunds'));
    const policies = page.getByRole('region', { name: 'Policies' });
    const dialog = page.getByRole('dialog');
    await policies.getByText('Leave it to the store').waitFor();
    expect(await saved()).toMatchObject([{ display_name: 'All others', is_default: true }]);

    await policies.getByRole('button', { name: 'Add policy' }).click();
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.getByText('Give the policy a name.').waitFor();
    await dialog.getByLabel('Name').fill('Spent coins');
    await dialog.getByLabel('Minutes to wait for a person').fill('90');
    await dialog.getByRole('checkbox', { name: 'Google Play' }).uncheck();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    const first = dialog.getByRole('group', { name: 'Condition 1' });
    await first.getByRole('checkbox', { name: 'Unintended purchase' }).check();
    await first.getByRole('checkbox', { name: 'None given' }).check();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    const second = dialog.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Field').selectOption({ label: 'Consumed (percent)' });
    await second.getByLabel('Operator').selectOption({ label: 'is at least' });
    await second.getByLabel('Value').fill('most of it');
    dashboard.expectProblem(/status of 400/);
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await second.locator('[aria-invalid=true]').waitFor();
    await expectAccessible(page);
    await shoot(page, 'refund-policy');
    await second.getByLabel('Value').fill('80');
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await policies
      .getByText('Reason is any of Unintended purchase, None given; Consumed (percent) is at least 80')
      .waitFor();
    await policies.getByText('1 hour, 30 minutes').waitFor();

    await policies.getByRole('button', { name: 'Add policy' }).click();
    await dialog.getByLabel('Name').fill('Everyone');
    await dialog.getByLabel('Answer', { exact: true }).selectOption({ label: 'Ask for a refund' });
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await policies.getByText('Every request').waitFor();
    await expectAccessible(page);
    await shoot(page, 'refund-policies');
    expect(await saved()).toMatchObject([
      {
        display_name: 'Spent coins',
        stores: ['app_store'],
        hold_minutes: 90,
        preference: 'decline',
        conditions: [
          { field: 'refund_reason', value: ['UNINTENDED_PURCHASE', 'NONE'] },
          { field: 'consumed_percent', operator: '>=', value: 80 },
        ],
      },
      { display_name: 'Everyone', preference: 'grant_full', stores: ['app_store', 'play_store'] },
      { is_default: true },
    ]);

    await policies.getByRole('button', { name: 'Actions for Everyone' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await page.getByText('Everyone is now number 1').waitFor();
    expect(await saved()).toMatchObject([{ display_name: 'Everyone' }, { display_name: 'Spent coins' }, {}]);

    await policies.getByRole('button', { name: 'Actions for All others' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await dialog.getByRole('button', { name: 'Add condition' }).count()).toBe(0);
    await dialog.getByLabel('Answer', { exact: true }).selectOption({ label: 'Do not answer' });
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await policies.getByText('Do not answer').waitFor();

    await policies.getByRole('button', { name: 'Actions for Everyone' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Everyone').waitFor();
    await policies.getByText('Everyone').waitFor({ state: 'detached' });
    expect(await saved()).toHaveLength(2);
  });

  it('shows policies to a viewer, who cannot change them', async () => {
    const page = await dashboard.open(dashboard.path('refunds'), await dashboard.member('viewer'));
    const policies = page.getByRole('region', { name: 'Policies' });
    await policies.getByText('All others').first().waitFor();
    const add = policies.getByRole('button', { name: 'Add policy' });
    expect(await add.getAttribute('aria-disabled')).toBe('true');
  });
});
