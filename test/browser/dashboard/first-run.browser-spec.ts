import type { Page } from 'playwright-core';
import { sessionCookie } from '../../support/arrange.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

/** Presses `key` until the control has the focus, as a person without a mouse does. */
async function reach(page: Page, role: 'button' | 'link' | 'tab', name: string | RegExp): Promise<void> {
  const control = page.getByRole(role, { name, exact: typeof name === 'string' });
  await control.first().waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await control.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach the ${role} ${String(name)}`);
}

async function press(page: Page, role: 'button' | 'link' | 'tab', name: string | RegExp): Promise<void> {
  await reach(page, role, name);
  await page.keyboard.press('Enter');
}

describe('the first run on a fresh server', () => {
  const dashboard = useDashboard({ begin: 'project' });

  it('leads by keyboard alone from an empty project to the first purchase', async () => {
    const page = await dashboard.open(dashboard.path('setup'));
    await page.getByRole('heading', { name: 'Your app' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'setup-empty');

    await press(page, 'button', 'Try it with the Test Store');
    // The step that the button led to has the focus.
    await page.locator('h2:focus', { hasText: 'What you sell' }).waitFor();
    await press(page, 'button', 'Make a sample catalog');
    await page.locator('h2:focus', { hasText: 'Connect your SDK' }).waitFor();
    await page.getByText('2 products, 1 entitlement').waitFor();
    await page.getByText('No call yet').waitFor();

    await reach(page, 'tab', 'iOS');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Android', selected: true }).waitFor();
    const { items: apps } = (await dashboard.owner.session.get(`/v2/projects/${dashboard.projectId}/apps`))
      .body;
    const keys = await dashboard.owner.session.get(
      `/v2/projects/${dashboard.projectId}/apps/${apps[0].id}/public_api_keys`,
    );
    const snippet = page.getByRole('tabpanel');
    await snippet.getByText(`URL("${dashboard.url}")`).waitFor();
    await snippet.getByText(`"${keys.body.items[0].key}"`).waitFor();
    await expectAccessible(page);
    await shoot(page, 'setup-waiting');

    await press(page, 'button', 'Buy a test subscription');
    await page.getByRole('status').getByText('First purchase received: pro_monthly by demo-user-1').waitFor();
    await expectAccessible(page);
    await shoot(page, 'setup-received');
    await press(page, 'link', 'See the customer');
    await page.waitForURL(/\/customer\?id=demo-user-1$/);

    const { session, projectId } = dashboard.owner;
    const access = await session.get(`/v2/projects/${projectId}/customers/demo-user-1/active_entitlements`);
    expect(access.body.items).toHaveLength(1);
    const offerings = await session.get(`/v2/projects/${projectId}/offerings?expand=items.package.product`);
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
    await page.goto(dashboard.url + dashboard.path('setup'));
    await page.getByRole('tab', { name: 'Android', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Dismiss the checklist' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Show the checklist' }).click();
    await page.getByRole('heading', { name: 'Your app' }).waitFor();
  });
});

describe('the set-up of a project that is not empty', () => {
  const dashboard = useDashboard({ env: { SERVICE_DEMO: 'true' }, begin: 'nothing' });

  it('goes on with the demo, says what an SDK did, and lists what is wrong with its cure', async () => {
    await dashboard.server.app; // The demo exists once the server is ready.
    const signedUp = await dashboard.server.http.post('/auth/signup', {
      email: 'owner@example.com',
      password: 'correct horse battery',
    });
    const cookie = sessionCookie(signedUp);
    const session = dashboard.server.http.withCookie(cookie);
    const projects = await session.get('/v2/projects');
    const demo = projects.body.items.find(({ name }: { name: string }) => name === 'Demo');
    expect(demo).toBeDefined();
  });
});
