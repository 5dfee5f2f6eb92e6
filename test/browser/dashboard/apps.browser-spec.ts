import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ManualClock } from '../../../libs/kernel/index.js';
import { FakeAppStore } from '../../support/fake-app-store/fake-app-store.js';
import { FakeServerApi } from '../../support/fake-app-store/fake-server-api.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { heldByPage } from './held-by-page.js';
import { shoot } from './screenshots.js';

const BUNDLE_ID = 'com.example.app';

describe('apps and their stores', () => {
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
    const dialog = page.getByRole('dialog', { name: 'In-app purchase key' });
    await dialog.getByLabel('Key file (.p8)').setInputFiles({
      name: `SubscriptionKey_${keyId}.p8`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(pem),
    });
    await dialog.getByText(`Read SubscriptionKey_${keyId}.p8`).waitFor();
    expect(await dialog.getByLabel('Key ID').inputValue()).toBe(keyId);
  }

  it('are made, checked against the store before credentials are saved, and keep no secret in the page', async () => {
    const page = await dashboard.open(dashboard.path('apps'));
    await page.getByText('An app connects one store').waitFor();
    await check(page, 'apps-empty');
    await page.getByRole('button', { name: 'New app' }).first().click();
    const creation = page.getByRole('dialog', { name: 'New app' });
    await creation.getByLabel('Name').fill('Acme for iPhone');
    await creation.getByRole('button', { name: 'Create app' }).click();
    await creation.getByText('Enter it as the store has it.').waitFor();
    await creation.getByLabel('Bundle ID').fill(BUNDLE_ID);
    await check(page, 'apps-create');
    await creation.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Acme for iPhone' }).waitFor();

    await page.getByRole('button', { name: 'Enter: In-app purchase key' }).click();
    const dialog = page.getByRole('dialog', { name: 'In-app purchase key' });
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
    await dialog.getByText('Could not ask the store').waitFor();
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

  it('show their keys, notice the first notification, and ask before they are deleted', async () => {
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

  it('of the App Store extend every subscription of a product, followed in the strip', async () => {
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
    await question.getByText('e-mails each customer').waitFor();
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
});
