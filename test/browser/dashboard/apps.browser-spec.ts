import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ManualClock } from '../../../libs/kernel/index.js';
import { FakeAppStore } from '../../support/fake-app-store/fake-app-store.js';
import { FakeServerApi } from '../../support/fake-app-store/fake-server-api.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { heldByPage } from './held-by-page.js';
import { shoot } from './screenshots.js';

const BUNDLE_ID = 'com.example.app';

describeInBrowser('apps and their stores', () => {
  const options: DashboardOptions = { begin: 'project' };
  let apple: FakeServerApi;
  beforeAll(async () => {
    apple = new FakeServerApi(new FakeAppStore(new ManualClock(Date.now()), BUNDLE_ID, 6443000000));
    await apple.start();
    options.env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_APPLE_API_URL: apple.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.urls.Sandbox,
    };
  });
  const dashboard = useDashboard(options);
  afterAll(() => apple.close());

  async function check(page: Page, name: string): Promise<void> {
    await expectAccessible(page);
    await shoot(page, name);
  }

  /** Chooses a key file as Apple names it, whose key the fake store does or does not know. */
  async function chooseKey(page: Page, pem: string, keyId: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'In-app purchase key', exact: true });
    await dialog.getByLabel('Key file (.p8)').setInputFiles({
      name: `SubscriptionKey_${keyId}.p8`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(pem),
    });
    await dialog.getByText(`Read SubscriptionKey_${keyId}.p8`).waitFor();
    expect(await dialog.getByLabel('Key ID').inputValue()).toBe(keyId);
  }

  it('creates them, checks the store before credentials are saved, and keeps no secret in the page', async () => {
    const page = await dashboard.open(dashboard.path('apps'));
    await page.getByText('An app connects one store').waitFor();
    await check(page, 'apps-empty');
    await page.getByRole('button', { name: 'New app' }).first().click();
    const creation = page.getByRole('dialog', { name: 'New app' });
    await creation.getByLabel('Name').fill('Acme for iPhone');
    await creation.getByRole('button', { name: 'Create app' }).click();
    await creation.getByText('Enter it exactly as in the store.').waitFor();
    await creation.getByLabel('Bundle ID').fill(BUNDLE_ID);
    await check(page, 'apps-create');
    await creation.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Acme for iPhone' }).waitFor();

    await page.getByRole('button', { name: 'Add: In-app purchase key' }).click();
    const dialog = page.getByRole('dialog', { name: 'In-app purchase key', exact: true });
    const wrong = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    await chooseKey(page, wrong, 'WRONG12345');
    await dialog.getByLabel('Issuer ID').fill(apple.key.issuerId);
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await dialog.getByText('The store did not accept this').waitFor();
    await dialog.getByRole('button', { name: 'Save anyway' }).waitFor();
    await check(page, 'apps-key-refused');

    apple.interfere = () => ({ status: 500 });
    await chooseKey(page, apple.key.privateKeyPem, apple.key.keyId);
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await dialog.getByText('Could not reach the store').waitFor();
    await dialog.getByRole('button', { name: 'Save without a check' }).waitFor();
    expect(await dialog.getByText('did not accept').count()).toBe(0);

    apple.interfere = () => undefined;
    // The same values are asked about again once one of them was touched.
    await chooseKey(page, apple.key.privateKeyPem, apple.key.keyId);
    await dialog.getByRole('button', { name: 'Check and save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'In-app purchase key' }) });
    await row.getByText('Verified').waitFor();
    await row.getByText(`Set, key id ${apple.key.keyId}.`).waitFor();
    await check(page, 'apps-store');

    const planted = [wrong, apple.key.privateKeyPem].map((pem) => pem.split('\n')[1] ?? '');
    const held = await heldByPage(page);
    expect(held.split('verify_credentials').length).toBeGreaterThan(3);
    for (const secret of planted) {
      expect(secret.length).toBeGreaterThan(40);
      expect(held).not.toContain(secret);
    }
  });

  it('shows their keys and the first notification, and asks before they are deleted', async () => {
    const { session, projectId } = dashboard.owner;
    const path = `/v2/projects/${projectId}`;
    const made = await session.post(`${path}/apps`, { name: 'Throwaway', type: 'test_store' });
    const keys = await session.get(`${path}/apps/${made.body.id}/public_api_keys`);
    const page = await dashboard.open(dashboard.path('apps'));
    await page.getByRole('link', { name: 'Throwaway' }).click();
    await page.getByText(keys.body.items[0].key).first().waitFor();
    await check(page, 'app-overview');
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete app' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete Throwaway?' });
    await question.getByText('0 products').waitFor();
    await question.getByRole('textbox').fill('Throwaway');
    await question.getByRole('button', { name: 'Delete app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    expect((await session.get(`${path}/apps/${made.body.id}`)).status).toBe(404);
  });

  it('extends every App Store subscription of a product and shows the progress', async () => {
    const { session, projectId } = dashboard.owner;
    const path = `/v2/projects/${projectId}`;
    const app = await session.post(`${path}/apps`, {
      name: 'Extended',
      type: 'app_store',
      app_store: {
        bundle_id: BUNDLE_ID,
        subscription_private_key: apple.key.privateKeyPem,
        subscription_key_id: apple.key.keyId,
        subscription_key_issuer: apple.key.issuerId,
      },
    });
    await session.post(`${path}/products`, {
      store_identifier: 'pro_monthly',
      app_id: app.body.id,
      type: 'subscription',
      subscription: { duration: 'P1M' },
    });
    const page = await dashboard.open(dashboard.path(`apps/${app.body.id}/extend`));
    await page.getByRole('combobox', { name: 'Product' }).selectOption('pro_monthly');
    await page.getByRole('main').getByRole('combobox', { name: 'Environment' }).selectOption('sandbox');
    await check(page, 'app-extend');
    await page.getByRole('button', { name: 'Continue' }).click();
    const question = page.getByRole('alertdialog', { name: 'Extend every subscription of pro_monthly?' });
    await question.getByText('emails each customer').waitFor();
    await question.getByRole('button', { name: 'Extend' }).click();
    await page.getByText('Apple is working on it').waitFor();
    await page
      .getByRole('region', { name: 'Work in progress' })
      .getByText('Extension of pro_monthly')
      .waitFor();
    await check(page, 'app-extending');
    apple.completeExtensions();
    await page.reload();
    await page.getByText('Complete', { exact: true }).waitFor();
  });

  describe('of a move from the vendor', () => {
    const isStatus = /\/import\/status$/;
    const command = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

    it('shows the commands for this server and project to everyone who may read customers', async () => {
      const viewer = await dashboard.member('viewer');
      const page = await dashboard.open(dashboard.path('apps'), viewer);
      await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
      await page.keyboard.press('/');
      await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('impo');
      await page.getByRole('option', { name: /^Imports/ }).click();
      await page.locator('h1:focus', { hasText: 'Imports' }).waitFor();
      await page.getByText('Nothing has been imported yet.').waitFor();
      await page.getByText('No purchases are missing a token.').waitFor();
      const target = `--to ${dashboard.url} \\\n  --to-project ${dashboard.projectId}`;
      expect(await command(page, 'Then the import itself:').innerText()).toBe(
        `npm run --silent tenure -- import \\\n  ${target}`,
      );
      await page.getByLabel('Where the command line runs').selectOption('In the container image');
      expect(await command(page, 'Verify').innerText()).toBe(
        `node dist/src/cli/tenure.js import verify \\\n  ${target}`,
      );
      await page.getByRole('button', { name: 'Show the API call', exact: true }).click();
      await page
        .getByText(`curl '${dashboard.url}/v2/projects/${dashboard.projectId}/import/status'`)
        .waitFor();
      await expectAccessible(page);
      await shoot(page, 'imports-viewer');
    });

    it('counts imports live, on other pages too, and pending tokens by app', async () => {
      const app = await dashboard.owner.session.post(`/v2/projects/${dashboard.projectId}/apps`, {
        name: 'Acme for Android',
        type: 'play_store',
        play_store: { package_name: 'com.example.moved' },
      });
      const appId = app.body.id as string;
      const page = await dashboard.newPage();
      await page.clock.install();
      let calls = 0;
      let changes: object = {};
      await page.route(isStatus, async (route) => {
        calls += 1;
        const answer = await route.fetch();
        await route.fulfill({ json: { ...((await answer.json()) as object), ...changes } });
      });
      await page.goto(dashboard.url + dashboard.path('imports'));
      await page.getByText('Nothing has been imported yet.').waitFor();
      await page.clock.runFor(14_000);
      expect(calls).toBe(1);

      changes = {
        customers: 31_877,
        needs_token_refresh: 310,
        needs_token_refresh_by_app: { [appId]: 309, app_gone: 1 },
        last_import_at: await page.evaluate('Date.now()'),
      };
      await page.clock.runFor(2_000);
      await page.getByText('An import is running.').waitFor();
      await page.getByText(/^\+31,\d{3} since /).waitFor();
      const waiting = page.getByRole('table', { name: 'Purchases missing a token, by app' });
      await waiting.getByRole('row', { name: /^Acme for Android 309/ }).waitFor();
      await waiting.getByRole('row', { name: /^app_gone 1/ }).waitFor();
      const strip = page.getByRole('region', { name: 'Work in progress' });
      await strip.getByText('31,877 customers in the project').waitFor();
      await expectAccessible(page);
      // Five seconds apart, for every caller; the page's clock is ahead of the answers.
      const before = calls;
      let seconds = 0;
      for (; calls - before < 3; seconds += 1) await page.clock.runFor(1_000);
      expect(seconds).toBeGreaterThanOrEqual(8);
      await shoot(page, 'imports');

      await page.getByRole('link', { name: 'Targeting', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Targeting' }).waitFor();
      changes = { ...changes, customers: 31_900 };
      for (let minute = 0; minute < 3; minute += 1) await page.clock.runFor(60_000);
      await strip.getByText('Done').waitFor();
      await strip.getByText('31,900 customers in the project').waitFor();
      await strip.getByRole('button', { name: 'Close Import' }).click();
    });

    it('reports unreadable counts, and keeps the steps', async () => {
      dashboard.expectProblem(/status of 503/);
      const page = await dashboard.newPage();
      await page.clock.install();
      await page.route(isStatus, (route) =>
        route.fulfill({
          status: 503,
          json: {
            object: 'error',
            type: 'server_error',
            message: 'Counting took too long.',
            retryable: true,
          },
        }),
      );
      await page.goto(dashboard.url + dashboard.path('imports'));
      await page.getByRole('alert').getByText('Counting took too long.').first().waitFor();
      await page.getByRole('heading', { name: 'Cut over' }).waitFor();
      await expectAccessible(page);
      // Otherwise the page might ask again before the button is pressed.
      await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 100'));
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Retry' }).first().click();
      await page.clock.resume();
      await page.getByText('Nothing has been imported yet.').waitFor();
    });

    it('hides them from a person who may not read customers, who starts with a page that they may read', async () => {
      const page = await dashboard.newPage();
      await page.route(/\/auth\/me$/, async (route) => {
        const answer = await route.fetch();
        const account = (await answer.json()) as { projects: object[] };
        const permissions = ['project_configuration:apps:read'];
        const projects = account.projects.map((project) => ({ ...project, role: 'custom', permissions }));
        await route.fulfill({ json: { ...account, projects } });
      });
      await page.goto(`${dashboard.url}/`);
      await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
      const navigation = page.getByRole('navigation', { name: 'Project' });
      await navigation.getByRole('link', { name: 'Apps' }).waitFor();
      expect(await navigation.getByRole('link', { name: 'Imports' }).count()).toBe(0);
      await page.goto(dashboard.url + dashboard.path('imports'));
      await page.getByRole('heading', { name: 'You cannot see this page' }).waitFor();
      await page.getByText('customer_information:customers:read', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Go to your project' }).click();
      await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    });
  });
});
