import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { plantRefundRequest } from './plant-refund-request.js';
import { shoot } from './screenshots.js';

const HOUR_MS = 3_600_000;

describeInBrowser('refunds in the dashboard', () => {
  const dashboard = useDashboard();

  const plantRequest = (appId: string, fields: Record<string, unknown> = {}) =>
    plantRefundRequest(dashboard, appId, fields);

  const createApp = async (): Promise<string> => {
    const { backend, path } = dashboard.store;
    const body = { name: 'Shop', type: 'app_store', app_store: { bundle_id: 'com.example.shop' } };
    return (await backend.post(`${path}/apps`, body)).body.id;
  };

  const saved = async () => {
    const { backend, path } = dashboard.store;
    return (await backend.get(`${path}/refund_policies`)).body.items;
  };

  it('turns answers on, and asks for the consent of customers', async () => {
    const page = await dashboard.open(dashboard.path('refunds'));
    const main = page.getByRole('main');
    const dialog = page.getByRole('dialog');
    await main.getByText('No refund requests yet. They arrive with store notifications.').waitFor();
    await main.getByRole('link', { name: 'Set up answers' }).waitFor();
    const appId = await createApp();
    await page.reload();
    await main.getByText('Answers are off. Apple and Google decide without you.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'refunds-off');
    await main.getByRole('button', { name: 'Turn on answers' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await main.getByText('Nothing is sent to Apple until you confirm that your customers agree.').waitFor();
    await main.getByRole('button', { name: 'Confirm consent' }).click();
    await dialog.getByText('Only confirm this if your terms say so.', { exact: false }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'refunds-consent');
    await dialog.getByRole('radio', { name: 'All customers agreed' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Consent saved').waitFor();
    await main.getByRole('button', { name: 'Confirm consent' }).waitFor({ state: 'detached' });
    const { backend, path } = dashboard.store;
    expect((await backend.get(`${path}/apps/${appId}/store_settings`)).body).toMatchObject({
      refund_request_handling: 'policies',
      refund_data_consent: 'all_customers',
    });
  });

  it('shows requests, and answers one by hand', async () => {
    const appId = await createApp();
    const id = await plantRequest(appId);
    await plantRequest(appId, {
      answer_status: 'refused',
      due_at: null,
      last_error: 'Invalid consumptionPercentage. (4000228)',
      answered_at: new Date(),
    });
    await plantRequest(appId, {
      answer_status: 'sent',
      due_at: null,
      preference: 'decline',
      answered_at: new Date(),
      body_sent: { customerConsented: true, refundPreference: 'DECLINE' },
      outcome: 'partially_refunded',
      outcome_at: new Date(),
      refunded_micros: 4_000_000,
      refunded_usd_micros: 4_000_000,
    });
    await plantRequest(appId, { deadline_at: new Date(Date.now() + HOUR_MS / 2), answer_status: 'waiting' });
    const page = await dashboard.open(dashboard.path('refunds'));
    const main = page.getByRole('main');
    await main.getByRole('region', { name: 'Waiting for you' }).getByText('1', { exact: true }).waitFor();
    await main.getByText('in 11 h 2', { exact: false }).waitFor();
    await main.getByText('Refunded in part').waitFor();
    await expectAccessible(page);
    await shoot(page, 'refunds');

    await main.getByLabel('Answer', { exact: true }).selectOption({ label: 'Refused' });
    await main.getByText('Refunded in part').waitFor({ state: 'detached' });
    await main.getByLabel('Answer', { exact: true }).selectOption({ label: 'Waiting for you' });
    await main.getByText('in 11 h 2', { exact: false }).click();
    await page.getByRole('heading', { level: 1, name: 'Refund request' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'refund-request');
    await main.getByLabel('Note').fill('Bought twice.');
    await main.getByLabel('Delivery').selectOption({ label: 'Not delivered: other reason' });
    await main.getByRole('button', { name: 'Show the API call' }).click();
    await main.getByRole('button', { name: 'Do not answer' }).focus();
    await main.getByText(`refund_requests/${id}/actions/do_not_answer`).waitFor();
    await main.getByRole('button', { name: 'Ask for a refund' }).focus();
    await main.getByText(/"preference": ?"grant_full"/).waitFor();
    await shoot(page, 'refund-request-call');
    await main.getByRole('button', { name: 'Ask for a refund' }).click();
    await page.getByText('Answer saved: Ask for a refund').waitFor();
    await main.getByRole('definition').getByText('Bought twice.').waitFor();
    const { backend, path } = dashboard.store;
    expect((await backend.get(`${path}/refund_requests/${id}`)).body).toMatchObject({
      preference: 'grant_full',
      decided_by: 'person',
      note: 'Bought twice.',
    });
  });

  it('shows why the App Store refused an answer', async () => {
    const id = await plantRequest(await createApp(), {
      answer_status: 'refused',
      due_at: null,
      last_error: 'Invalid consumptionPercentage. (4000228)',
    });
    const page = await dashboard.open(dashboard.path(`refunds/${id}`));
    await page.getByText('Apple refused the answer: Invalid consumptionPercentage. (4000228).').waitFor();
    expect(await page.getByRole('button', { name: 'Ask to decline' }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('creates, orders, edits and deletes policies', async () => {
    const page = await dashboard.open(dashboard.path('refunds?tab=policies'));
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

    await policies.getByRole('button', { name: 'Actions for Spent coins' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    const third = dialog.getByRole('group', { name: 'Condition 3' });
    await third.getByLabel('Field').selectOption({ label: 'Product' });
    const [product] = (await dashboard.store.backend.get(`${dashboard.store.path}/products`)).body.items;
    await third.getByRole('searchbox', { name: 'Products' }).fill(product.store_identifier);
    await third.getByRole('checkbox').first().check();
    await third.getByText('1 product chosen').waitFor();
    await expectAccessible(page);
    await shoot(page, 'refund-policy-product');
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await policies.getByText(`Product is any of ${product.display_name}`, { exact: false }).waitFor();
    expect((await saved())[0].conditions[2]).toMatchObject({ field: 'product', value: [product.id] });

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
    const page = await dashboard.open(
      dashboard.path('refunds?tab=policies'),
      await dashboard.member('viewer'),
    );
    const policies = page.getByRole('region', { name: 'Policies' });
    await policies.getByText('All others').first().waitFor();
    const add = policies.getByRole('button', { name: 'Add policy' });
    expect(await add.getAttribute('aria-disabled')).toBe('true');
  });
});
