import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../support/arrange.js';
import { sdkHeaders } from '../../support/sdk-requests.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

type Reached = 'button' | 'link' | 'tab';

/** Presses Tab until the control has the focus, as a person without a mouse does. */
async function reach(page: Page, control: Locator): Promise<void> {
  await control.first().waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await control.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${String(control)}`);
}

async function press(page: Page, role: Reached, name: string): Promise<void> {
  await reach(page, page.getByRole(role, { name, exact: true }));
  await page.keyboard.press('Enter');
}

describeInBrowser('the first run on a fresh server', () => {
  const dashboard = useDashboard({ begin: 'nothing' });

  it('leads by keyboard alone from the sign-up to the first purchase', async () => {
    const page = await dashboard.open('/signup', null);
    for (const [label, value] of [
      ['Email address', 'ada@example.com'],
      ['Password', PASSWORD],
    ] as const) {
      await reach(page, page.getByLabel(label, { exact: true }));
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\/\w+\/setup$/);
    const projectId = /projects\/(\w+)/.exec(page.url())![1]!;
    const { name, value } = (await page.context().cookies()).find((cookie) => cookie.httpOnly)!;
    const session = dashboard.server.http.withCookie(`${name}=${value}`);
    const project = `/v2/projects/${projectId}`;

    await page.getByRole('heading', { name: 'Your app' }).waitFor();
    await expectAccessible(page);

    await press(page, 'button', 'Try it with the Test Store');
    // The step that the button led to has the focus.
    await page.locator('h2:focus', { hasText: 'What you sell' }).waitFor();
    await press(page, 'button', 'Create sample catalog');
    await page.locator('h2:focus', { hasText: 'Connect your SDK' }).waitFor();
    await page.getByText('2 products, 1 entitlement').waitFor();
    await page.getByText('No SDK request yet').waitFor();

    await reach(page, page.getByRole('tab', { name: 'iOS' }));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Android', selected: true }).waitFor();
    const apps = await session.get(`${project}/apps`);
    const keys = await session.get(`${project}/apps/${apps.body.items[0].id}/public_api_keys`);
    const snippet = page.getByRole('tabpanel');
    await snippet.getByText(`URL("${dashboard.url}")`).waitFor();
    await snippet.getByText(`"${keys.body.items[0].key}"`).waitFor();
    await expectAccessible(page);
    await shoot(page, 'setup-waiting');

    await press(page, 'button', 'Buy a test subscription');
    await page.getByRole('status').getByText('First purchase received: pro_monthly by demo-user-1').waitFor();
    await expectAccessible(page);
    await press(page, 'link', 'View customer');
    await page.waitForURL(/\/customer\?id=demo-user-1$/);

    const access = await session.get(`${project}/customers/demo-user-1/active_entitlements`);
    expect(access.body.items).toHaveLength(1);
    const offerings = await session.get(`${project}/offerings?expand=items.package.product`);
    expect(offerings.body.items).toMatchObject([
      {
        lookup_key: 'default',
        is_current: true,
        packages: {
          items: [
            {
              lookup_key: '$rc_monthly',
              products: { items: [{ product: { store_identifier: 'pro_monthly' } }] },
            },
            {
              lookup_key: '$rc_annual',
              products: { items: [{ product: { store_identifier: 'pro_yearly' } }] },
            },
          ],
        },
      },
    ]);
    // The platform is remembered, and the checklist can be put away and taken out again.
    await page.goto(`${dashboard.url}/projects/${projectId}/setup`);
    await page.getByRole('tab', { name: 'Android', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Skip setup' }).click();
    await page.waitForURL(/\/overview$/);
    await page.goto(`${dashboard.url}/projects/${projectId}/setup`);
    await page.getByRole('button', { name: 'Show the steps' }).click();
    await page.getByRole('heading', { name: 'Your app' }).waitFor();
  });
});

describeInBrowser('a catalog of one’s own', () => {
  const dashboard = useDashboard({ begin: 'project' });

  it('unlocks its first entitlement within nine clicks, with nothing typed twice', async () => {
    let clicks = 0;
    const page = await dashboard.open(dashboard.path('setup'));
    const click = async (role: Reached, name: string) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };
    const steps = page.getByRole('list', { name: 'Your own catalog' });
    const done = (name: string) => steps.getByRole('listitem').filter({ hasText: name }).getByLabel('Done:');

    await click('button', 'Try it with the Test Store');
    await click('button', 'Create my own');
    await done('App').waitFor();
    await page.getByLabel('Store identifier').fill('gold_yearly');
    await page.getByLabel('Period').selectOption({ label: '1 year' });
    await expectAccessible(page);
    await shoot(page, 'setup-own-catalog');
    await click('button', 'Create product');
    await done('Gold yearly').waitFor();
    await page.getByLabel('Lookup key').fill('gold');
    await click('button', 'Create entitlement');
    await done('Gold').last().waitFor();
    await click('button', 'Create offering');
    await click('button', 'Create package');
    await page.locator('h2:focus', { hasText: 'Connect your SDK' }).waitFor();
    await click('button', 'Buy a test subscription');
    await click('link', 'View customer');
    await page.getByRole('region', { name: 'Access now' }).getByText('Has access').waitFor();
    expect(clicks).toBeLessThanOrEqual(9);

    const { session, projectId } = dashboard.owner;
    const offerings = await session.get(`/v2/projects/${projectId}/offerings?expand=items.package.product`);
    expect(offerings.body.items).toMatchObject([
      {
        lookup_key: 'default',
        packages: {
          items: [
            {
              lookup_key: '$rc_annual',
              products: { items: [{ product: { store_identifier: 'gold_yearly' } }] },
            },
          ],
        },
      },
    ]);
  });

  it('leads back to the sample, and continues with what exists', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    await page.getByRole('button', { name: 'Show “What you sell”' }).click();
    await page.getByRole('button', { name: 'Create my own' }).click();
    const steps = page.getByRole('list', { name: 'Your own catalog' });
    expect(await steps.getByLabel('Done:').count()).toBe(5);
    await page.getByRole('button', { name: 'Back to the sample catalog' }).click();
    await page.getByRole('button', { name: 'Create sample catalog' }).waitFor();
  });
});

describeInBrowser('the setup of a project with an app and a catalog', () => {
  const dashboard = useDashboard();

  it('leads from the pages of its catalog back to it, until another page is opened', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    await page.getByRole('button', { name: 'Show “What you sell”' }).click();
    await page.getByRole('button', { name: 'Create my own' }).click();
    await page.getByRole('list', { name: 'Your own catalog' }).getByRole('link').first().click();
    const places = page.getByRole('navigation', { name: 'Breadcrumb' });
    await places.getByRole('link', { name: 'Products' }).click();
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
    await places.getByRole('link', { name: 'Back to setup' }).click();
    await page.getByRole('heading', { level: 1, name: 'Setup' }).waitFor();

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Catalog', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
    expect(await places.count()).toBe(0);
  });

  it('sees the SDK call and its purchase come, and helps when nothing comes', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    await page.getByText('4 products, 1 entitlement').waitFor();
    await page.getByRole('button', { name: 'Not seeing anything?' }).click();
    const causes = page.getByRole('region', { name: 'Usual causes' });
    await causes.getByText('means the device itself').waitFor();
    await causes.getByText(dashboard.store.publicKey).waitFor();
    await expectAccessible(page);

    const sdk = dashboard.store.sdk.with(sdkHeaders.iOS);
    expect((await sdk.get('/v1/subscribers/ada')).status).toBe(201);
    await page.getByText(/SDK 5\.86\.0 on iOS called/).waitFor();
    const receipt = { app_user_id: 'ada', product_id: 'pro_yearly', fetch_token: `test_${Date.now()}_1` };
    expect((await sdk.post('/v1/receipts', receipt)).status).toBe(200);
    await page.getByRole('status').getByText('First purchase received: pro_yearly by ada').waitFor();
  });

  it('does not call a grant a purchase', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    const latest = page.getByText('Purchases arrive. The latest');
    await latest.waitFor();
    await dashboard.store.backend.post(`${dashboard.store.path}/customers/ada/actions/grant_entitlement`, {
      entitlement_id: dashboard.store.entitlements.pro.id,
      expires_at: null,
    });
    await page.reload();
    await latest.waitFor();
    await page.getByText('pro_yearly', { exact: true }).waitFor();
  });

  it('lists what is wrong, each with the page that mends it', async () => {
    const { session, projectId } = dashboard.owner;
    const app = await session.post(`/v2/projects/${projectId}/apps`, {
      name: 'Acme <b>Android</b>',
      type: 'play_store',
      play_store: { package_name: 'com.example.acme' },
    });
    expect(app.status).toBe(201);
    const page = await dashboard.open(dashboard.path('overview'));
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Store credentials are missing').waitFor();
    await expectAccessible(page);
    await attention.getByRole('link', { name: 'Setup health' }).click();
    const health = page.getByRole('region', { name: 'Setup health' });
    await health.getByRole('link', { name: 'Open the app for Acme <b>Android</b>' }).click();
    await page.waitForURL(new RegExp(`/apps/${app.body.id}$`));
  });
});
