import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { expectGoodLayout } from './layout.js';
import { shoot } from './screenshots.js';

describeInBrowser('the settings of a project in the dashboard', () => {
  const dashboard = useDashboard();

  it('makes a key that is shown once, works as chosen, and is revoked', async () => {
    const page = await dashboard.open(dashboard.path('settings/keys'));
    await page.getByRole('button', { name: 'New secret key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports');
    await dialog.getByRole('button', { name: 'Nothing' }).click();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Give the key at least one permission.').waitFor();
    await dialog.getByLabel('Customers', { exact: true }).selectOption('read');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await dialog.getByRole('region', { name: 'Secret key' }).innerText();
    const backend = dashboard.server.http.withKey(key.trim());
    const path = `/v2/projects/${dashboard.projectId}`;
    expect((await backend.get(`${path}/customers`)).status).toBe(200);
    expect((await backend.get(`${path}/apps`)).status).toBe(403);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key.trim());

    await page.getByRole('button', { name: 'Show the API calls of this page' }).click();
    await page.getByRole('dialog', { name: 'API calls' }).waitFor();
    expect(await page.content()).not.toContain(key.trim());
    await page.keyboard.press('Escape');

    await page.getByRole('row').filter({ hasText: 'Reports' }).getByText('1 area, read only').waitFor();
    await page.getByRole('button', { name: 'Revoke Reports' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Show the API call' }).click();
    await question.getByText(/curl -X DELETE .*\/api_keys\/[^{]+'/).waitFor();
    await question.getByRole('button', { name: 'Revoke' }).click();
    // What is below an open dialog is hidden, too.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke Reports' }).waitFor({ state: 'detached' });
    expect((await backend.get(`${path}/customers`)).status).toBe(401);
  });

  it('chooses which events of SDKs are stored', async () => {
    const page = await dashboard.open(dashboard.path('settings/general'));
    const panel = page.getByRole('group', { name: 'Paywall and survey events' });
    expect(await panel.getByRole('radio', { name: /^Essential/ }).isChecked()).toBe(true);
    for (const [label, setting] of [
      ['All', 'all'],
      ['Off', 'off'],
    ] as const) {
      await panel.getByRole('radio', { name: new RegExp(`^${label}`) }).check();
      await shoot(page, 'sdk-events');
      const save = panel.locator('xpath=ancestor::form').getByRole('button', { name: 'Save' });
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        save.click(),
      ]);
      expect(await answer.json()).toMatchObject({ sdk_events: setting });
      await page.getByText('Saved').first().waitFor();
    }
    await page.reload();
    expect(await panel.getByRole('radio', { name: /^Off/ }).isChecked()).toBe(true);
    await expectAccessible(page);
    await expectGoodLayout(page);
  });

  it('renames the project and changes what a restore does; the audit log finds both', async () => {
    const page = await dashboard.open(dashboard.path('settings/general'));
    await page.getByRole('textbox', { name: 'Name' }).fill('Engines');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('button', { name: /^Engines/ }).waitFor();
    await page
      .getByRole('group', { name: 'Production purchases' })
      .getByRole('radio', { name: /^Share/ })
      .check();
    await page
      .getByRole('table', { name: 'Effect of each rule' })
      .getByRole('row', { name: /^Keep with the original customer Restore is refused/ })
      .waitFor();
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.getByRole('region', { name: 'Restoring purchases' }).getByRole('button', { name: 'Save' }).click(),
    ]);
    const { body } = await dashboard.owner.session.get(`/v2/projects/${dashboard.projectId}`);
    expect(body).toMatchObject({ name: 'Engines', transfer_behavior: 'share' });

    await page.goto(`${dashboard.url}${dashboard.path('settings/audit')}`);
    await page.getByLabel('Action').selectOption({ label: 'Project name updated' });
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByRole('cell', { name: 'Project name updated' }).click();
    await page.getByRole('heading', { name: 'Project name updated' }).waitFor();
    const changes = page.getByRole('table', { name: 'Changes' });
    expect(await changes.getByRole('row').allInnerTexts()).toEqual([
      'Field\tBefore\tAfter',
      'name\tMy project\tEngines',
    ]);
    await expectAccessible(page);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('action')).toBe('project_name_updated');

    // In a narrow window filters open below a button with their number, where `f` leads.
    await page.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    const action = page.getByLabel('Action');
    await action.waitFor({ state: 'hidden' });
    await page.keyboard.press('f');
    await page.locator(':focus').getByText('Filters1').waitFor();
    await page.keyboard.press('Enter');
    await action.waitFor();
    await expectAccessible(page);
    await shoot(page, 'filters');

    // A link opens the entry, also where the list does not have it.
    await page.setViewportSize({ width: 1280, height: 800 });
    const link = `settings/audit?action=app_created&entry=${searchParams.get('entry')}`;
    await page.goto(dashboard.url + dashboard.path(link));
    await page.getByRole('heading', { name: 'Project name updated' }).waitFor();
    await page.getByRole('button', { name: 'Copy link to this entry' }).waitFor();
    await page.getByRole('region', { name: 'Project name updated' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
  });

  it('shows old and new values of a change as text, and says which the log does not hold', async () => {
    const { store } = dashboard;
    const made = await store.backend.post(`${store.path}/apps`, {
      name: '<b>Phone</b>',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.audited' },
    });
    await store.backend.post(`${store.path}/apps/${made.body.id}`, {
      name: '<img src=x onerror=alert(1)>\u202e',
      app_store: { shared_secret: 'a'.repeat(32), app_store_connect_vendor_number: '85000000' },
    });
    const page = await dashboard.open(dashboard.path(`settings/audit?target=${made.body.id}`));
    await page.getByRole('table', { name: 'Audit log' }).getByRole('cell', { name: 'App updated' }).click();
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    const expected = [
      'Field\tBefore\tAfter',
      'name\t<b>Phone</b>\t<img src=x onerror=alert(1)>\\u202e',
      'sealed_credentials.shared_secret\tValue not recorded',
      'store_settings.app_store_connect_vendor_number\t—\t85000000',
    ];
    expect(await rows.allInnerTexts()).toEqual(expected);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessible(page);
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(360);
    await shoot(page, 'audit-changes');
  });

  it.each(['Pacific/Auckland', 'America/Los_Angeles'])('asks for UTC days, also in %s', async (zone) => {
    const page = await dashboard.open(dashboard.path('settings/audit'), dashboard.owner, { zone });
    const asked = page.waitForRequest(/audit_logs\?.*start_date/);
    await page.getByLabel('From UTC').fill('2026-11-23');
    expect(new URL((await asked).url()).searchParams.get('start_date')).toBe('2026-11-23');
    expect(await page.getByLabel('From UTC').inputValue()).toBe('2026-11-23');
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-11-23');
  });

  it('adds a sign-in provider and says what is wrong with a token', async () => {
    const page = await dashboard.open(dashboard.path('settings/sign-in'));
    await page.getByLabel('Customers can sign in').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a provider' }).click();
    await dialog.getByText('Fill in this field.').waitFor();
    await dialog.getByLabel('Firebase project id').fill('acme-games');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByText('https://securetoken.google.com/acme-games').waitFor();

    await page.getByRole('button', { name: /^Edit / }).click();
    await page.getByRole('menuitem', { name: 'Test a token' }).click();
    await dialog.getByLabel('ID token').fill('not-a-token');
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await dialog.getByText('It is not a JSON web token.').waitFor();
    page.once('dialog', (question) => void question.accept());
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Customers' }).click();
    await page.getByText('Customers appear here when they have signed in.').waitFor();
    await expectGoodLayout(page);
  });

  it('turns web purchases on, and says what is wrong with an address', async () => {
    dashboard.expectProblem(/status of 400/);
    const page = await dashboard.open(dashboard.path('settings/redemption'));
    await page.getByRole('heading', { level: 1, name: 'Web purchases' }).waitFor();
    await page.getByText('This server has no mail server').waitFor();
    expect(await page.getByLabel('Send a link after a purchase').isDisabled()).toBe(true);
    await page.getByRole('radio', { name: /^Sandbox purchases/ }).check();
    await page.getByLabel('Address in the App Store').fill('javascript:alert(1)');
    await page.getByLabel('Link lifetime (minutes)').fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a number from 5 to 10080.').waitFor();
    await page.getByLabel('Link lifetime (minutes)').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('app_store_url must be an https URL.').waitFor();
    // Scrolls to the top, because what scrolls below the bar is smaller than a finger.
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await page.getByLabel('Address in the App Store').fill('https://apps.apple.com/app/id1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const settings = `/v2/projects/${dashboard.projectId}/redemption_settings`;
    expect((await dashboard.owner.session.get(settings)).body).toMatchObject({
      enabled: 'sandbox',
      link_minutes: 30,
      app_store_url: 'https://apps.apple.com/app/id1',
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await expectGoodLayout(page);
  });

  it('blocks an id, and unblocks it with a way back', async () => {
    const page = await dashboard.open(dashboard.path('blocked'));
    await page.getByRole('button', { name: 'Block a customer' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('App user id').fill('fraud-1');
    await dialog.getByLabel('Note').fill('Chargebacks');
    await dialog.getByRole('button', { name: 'Block a customer' }).click();
    await page.getByRole('button', { name: 'Unblock fraud-1' }).click();
    await page.getByText('Unblocked fraud-1').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Unblock fraud-1' }).waitFor();
    await page.getByText('Chargebacks').waitFor();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Unblock fraud-1' }).click();
    const toast = page.getByText('Unblocked fraud-1');
    await toast.waitFor();
    await expectAccessible(page);
    await expectGoodLayout(page);
    await page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });
  });

  it('plays a purchase, and a month of a clock', async () => {
    const page = await dashboard.open(dashboard.path('test/purchases'));
    await page.getByLabel('App user id').fill('ada');
    await page.getByLabel('Product', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Make the test purchase' }).click();
    await page.getByRole('link', { name: /INITIAL_PURCHASE|NON_RENEWING_PURCHASE/ }).waitFor();
    await expectAccessible(page);

    await page.goto(`${dashboard.url}${dashboard.path('test/clocks')}`);
    await page.getByRole('button', { name: 'New test clock' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('A year');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'A year' }).waitFor();
    const id = page.url().split('/').at(-1)!;
    const clock = `/v2/projects/${dashboard.projectId}/test_clocks/${id}`;
    const before = (await dashboard.owner.session.get(clock)).body.frozen_time as number;
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/actions/advance')),
      page.getByRole('button', { name: '+ 1 week' }).click(),
    ]);
    await page.getByText('Ready', { exact: true }).waitFor();
    // The page may have shown it before the advance began.
    const isReady = async () => (await dashboard.owner.session.get(clock)).body.status === 'ready';
    while (!(await isReady()));
    await page.reload();
    await page.getByText('Ready', { exact: true }).waitFor();
    const after = (await dashboard.owner.session.get(clock)).body.frozen_time as number;
    expect(after - before).toBe(7 * 24 * 60 * 60_000);

    // An advance that takes a while is followed in the job strip, on other pages too.
    let isThere = false;
    const slowly = { status: 'advancing', target_time: after + 7 * 24 * 60 * 60_000, progress: 0.4 };
    await page.route(new RegExp(`test_clocks/${id}(/actions/advance)?$`), async (route) => {
      const answer = await route.fetch();
      const now = (await answer.json()) as object;
      await route.fulfill({ json: isThere ? now : { ...now, ...slowly } });
    });
    await page.getByRole('button', { name: '+ 1 week' }).click();
    const strip = page.getByRole('region', { name: 'Work in progress' });
    await strip.getByText('40%').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Test clocks' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Test clocks' }).waitFor();
    isThere = true;
    await strip.getByText('Done · 100%').waitFor();
    await page.unrouteAll();
    await strip.getByRole('button', { name: 'Close Advance of A year' }).click();
    await page.getByRole('link', { name: 'A year' }).click();

    const { backend, sdk, path } = dashboard.store;
    await backend.post(`${path}/customers`, { id: 'grace', test_clock_id: id });
    const receipt = {
      app_user_id: 'grace',
      fetch_token: `test_${dashboard.server.clock.nowMs()}_grace`,
      product_id: 'pro_monthly',
    };
    expect((await sdk.post('/v1/receipts', receipt)).status).toBe(200);
    await page.reload();
    const events = page.getByRole('table', { name: 'Events of its customers' });
    await events.getByRole('row', { name: /INITIAL_PURCHASE/ }).waitFor();
    for (const renewals of [1, 2]) {
      await page.getByRole('button', { name: '+ 1 period' }).click();
      await events
        .getByRole('row', { name: /RENEWAL/ })
        .nth(renewals - 1)
        .waitFor();
      await page.getByText('Ready', { exact: true }).waitFor();
      expect(await events.getByRole('row', { name: /RENEWAL/ }).count()).toBe(renewals);
    }
    // It shows for what takes longer than a second.
    for (const close of await strip.getByRole('button', { name: /^Close Advance/ }).all())
      await close.click();
    await shoot(page, 'test-clock');
    await expectAccessible(page);
    await events.getByRole('link', { name: 'RENEWAL' }).first().click();
    await page.getByRole('heading', { level: 2, name: 'RENEWAL' }).waitFor();
  });
});
