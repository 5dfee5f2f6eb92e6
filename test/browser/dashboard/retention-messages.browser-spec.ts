import { ManualClock } from '../../../libs/kernel/index.js';
import { FakeAppStore, fakeProducts } from '../../support/fake-app-store/fake-app-store.js';
import { FakeServerApi } from '../../support/fake-app-store/fake-server-api.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const BUNDLE_ID = 'com.example.app';
const APPLE_ID = 6443000000;

describeInBrowser('retention messages', () => {
  const options: DashboardOptions = { begin: 'project' };
  const store = new FakeAppStore(new ManualClock(Date.now()), BUNDLE_ID, APPLE_ID);
  const apple = new FakeServerApi(store);
  beforeAll(async () => {
    await apple.start();
    options.env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_APPLE_API_URL: apple.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.urls.Sandbox,
    };
  });
  const dashboard = useDashboard(options);
  afterAll(() => apple.close());

  it('sends a message to Apple, registers the address and shows the result of the test', async () => {
    const { session, projectId } = dashboard.owner;
    const path = `/v2/projects/${projectId}/apps`;
    const app = await session.post(path, {
      name: 'Acme for iPhone',
      type: 'app_store',
      app_store: {
        bundle_id: BUNDLE_ID,
        app_apple_id: APPLE_ID,
        subscription_private_key: apple.key.privateKeyPem,
        subscription_key_id: apple.key.keyId,
        subscription_key_issuer: apple.key.issuerId,
      },
    });
    const page = await dashboard.open(dashboard.path(`apps/${app.body.id}`));
    await page.getByRole('tab', { name: 'Retention messages' }).click();
    await page.getByText('No messages yet.').waitFor();
    await page.getByText('No rules yet.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'retention-empty');

    await page.getByRole('button', { name: 'New message' }).click();
    const creation = page.getByRole('dialog', { name: 'New message' });
    await creation.getByLabel('Header').fill('x'.repeat(67));
    await creation.getByLabel('Body').fill('Your notes stay in sync while you subscribe.');
    await creation.getByRole('button', { name: 'Send to Apple' }).click();
    await creation.getByText('Enter 1 to 66 characters.').waitFor();
    await creation.getByLabel('Header').fill('Before you go');
    await creation.getByRole('button', { name: 'Send to Apple' }).click();
    await creation.waitFor({ state: 'detached' });
    await page.getByText('In review').waitFor();

    dashboard.expectProblem(/status of 422/);
    await page.getByRole('button', { name: 'Register address' }).click();
    await page.getByText('A passed performance test is required.').waitFor();
    await page.getByLabel('Store environment').selectOption('sandbox');
    await page.getByRole('button', { name: 'Register address' }).click();
    await page.getByText(`/v1/stores/app_store/${app.body.id}/retention_message`).waitFor();

    const subscription = store.subscribe(store.account('Sandbox'), fakeProducts.monthly);
    await page.getByRole('button', { name: "Run Apple's test" }).click();
    const test = page.getByRole('dialog', { name: "Run Apple's test" });
    await test.getByLabel('Original transaction id').fill(subscription.originalTransactionId);
    await test.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('Running').waitFor();
    apple.retention.Sandbox.finishTests('PASS');
    await page.getByText('Passed').waitFor();

    await expectAccessible(page);
  });

  describe('of an app with messages and products', () => {
    let appId: string;
    let appPath: string;
    const productIds: string[] = [];

    const rules = async () =>
      (await dashboard.owner.session.get(`${appPath}/retention_rules`)).body.items.map(
        ({ display_name: name }: { display_name: string }) => name,
      );

    beforeAll(async () => {
      const { session, projectId } = dashboard.owner;
      const project = `/v2/projects/${projectId}`;
      const app = await session.post(`${project}/apps`, {
        name: 'Acme with products',
        type: 'app_store',
        app_store: {
          bundle_id: BUNDLE_ID,
          app_apple_id: APPLE_ID,
          subscription_private_key: apple.key.privateKeyPem,
          subscription_key_id: apple.key.keyId,
          subscription_key_issuer: apple.key.issuerId,
        },
      });
      appId = app.body.id;
      appPath = `${project}/apps/${appId}`;
      for (const [key, name] of [
        ['acme_yearly', 'Yearly'],
        ['acme_monthly', 'Monthly'],
      ]) {
        const body = { app_id: appId, store_identifier: key, display_name: name, type: 'subscription' };
        productIds.push((await session.post(`${project}/products`, body)).body.id);
      }
      for (const header of ['Stay with us', 'Half price for you']) {
        const body = { header, body: 'Your notes stay in sync on all devices while you subscribe.' };
        const { id } = (await session.post(`${appPath}/retention_messages`, body)).body;
        apple.retention.Production.review(id, 'APPROVED');
      }
    });

    it('creates, edits, orders and deletes rules', async () => {
      const page = await dashboard.open(dashboard.path(`apps/${appId}`));
      await page.getByRole('tab', { name: 'Retention messages' }).click();
      const panel = page.getByRole('region', { name: 'Rules' });
      const dialog = page.getByRole('dialog', { name: /^(Add rule|Edit )/ });
      await panel.getByRole('button', { name: 'Add rule' }).click();
      await dialog.getByRole('button', { name: 'Save rule' }).click();
      await dialog.getByText('Choose a message.').waitFor();
      await dialog.getByLabel('Name').fill('Long-time subscribers');
      await dialog.getByLabel('Message').selectOption({ label: 'Half price for you (Approved)' });
      await dialog.getByLabel('Offer').selectOption({ label: 'Switch to another product' });
      await dialog.getByLabel('Product to switch to').selectOption({ label: 'acme_yearly (Yearly)' });
      await dialog.getByRole('button', { name: 'Add condition' }).click();
      const first = dialog.getByRole('group', { name: 'Condition 1' });
      await first.getByRole('searchbox', { name: 'Products' }).fill('month');
      await first.getByRole('checkbox', { name: /acme_monthly/ }).check();
      await expectAccessible(page);
      await shoot(page, 'retention-rule');
      await dialog.getByRole('button', { name: 'Save rule' }).click();
      await dialog.waitFor({ state: 'detached' });
      await panel.getByText('Product is any of Monthly').waitFor();

      await panel.getByRole('button', { name: 'Add rule' }).click();
      await dialog.getByLabel('Name').fill('Everyone');
      await dialog.getByLabel('Message').selectOption({ label: 'Stay with us (Approved)' });
      await dialog.getByRole('button', { name: 'Save rule' }).click();
      await panel.getByText('Every subscription').waitFor();
      expect(await rules()).toEqual(['Long-time subscribers', 'Everyone']);
      const { body } = await dashboard.owner.session.get(`${appPath}/retention_rules`);
      expect(body.items[0]).toMatchObject({
        alternate_product_id: productIds[0],
        conditions: [{ field: 'product', operator: 'in', value: [productIds[1]] }],
      });
      await page.getByText('Acme with products').first().waitFor();
      await expectAccessible(page);
      await shoot(page, 'retention');

      await panel.getByRole('button', { name: 'Actions for Everyone' }).click();
      await page.getByRole('menuitem', { name: 'Move up' }).click();
      await page.getByText('Everyone is now number 1').waitFor();
      expect(await rules()).toEqual(['Everyone', 'Long-time subscribers']);

      await panel.getByRole('button', { name: 'Actions for Long-time subscribers' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog.getByLabel('Name').fill('Monthly subscribers');
      await dialog.getByLabel('Offer').selectOption({ label: 'No offer' });
      await dialog.getByRole('button', { name: 'Save rule' }).click();
      await panel.getByText('Monthly subscribers').waitFor();

      await panel.getByRole('button', { name: 'Actions for Everyone' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleted Everyone').waitFor();
      expect(await rules()).toEqual(['Monthly subscribers']);

      await page.getByLabel('Store environment').selectOption('sandbox');
      await panel.getByText('No rules yet.').waitFor();
    });

    it('sets and removes a default, and deletes messages that no rule shows', async () => {
      const page = await dashboard.open(dashboard.path(`apps/${appId}`));
      await page.getByRole('tab', { name: 'Retention messages' }).click();
      const messages = page.getByRole('region', { name: 'Messages' });
      const dialog = page.getByRole('dialog', { name: /default$/ });
      await messages.getByRole('button', { name: 'Actions for Stay with us' }).click();
      await page.getByRole('menuitem', { name: 'Set as default' }).click();
      await dialog.getByRole('button', { name: 'Set default' }).click();
      await dialog.getByText('Choose a product.', { exact: true }).last().waitFor();
      await dialog.getByLabel('Product').selectOption({ label: 'acme_monthly (Monthly)' });
      await dialog.getByLabel('Locale').fill('de-DE');
      await expectAccessible(page);
      await shoot(page, 'retention-default');
      await dialog.getByRole('button', { name: 'Set default' }).click();
      await page.getByText('Default set').waitFor();
      expect([...apple.retention.Production.defaults.keys()]).toEqual(['acme_monthly de-DE']);

      await messages.getByRole('button', { name: 'Remove a default' }).click();
      await dialog.getByLabel('Product').selectOption({ label: 'acme_monthly (Monthly)' });
      await dialog.getByLabel('Locale').fill('de-DE');
      await dialog.getByRole('button', { name: 'Remove default' }).click();
      await page.getByText('Default removed').waitFor();
      expect(apple.retention.Production.defaults.size).toBe(0);

      await messages.getByRole('button', { name: 'Actions for Stay with us' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleted Stay with us').waitFor();
      await messages.getByText('Stay with us').waitFor({ state: 'detached' });
    });

    it('lets a viewer see rules and messages, and change none', async () => {
      const page = await dashboard.open(dashboard.path(`apps/${appId}`), await dashboard.member('viewer'));
      await page.getByRole('tab', { name: 'Retention messages' }).click();
      const add = page.getByRole('button', { name: 'Add rule' });
      expect(await add.getAttribute('aria-disabled')).toBe('true');
      const remove = page.getByRole('button', { name: 'Remove a default' });
      expect(await remove.getAttribute('aria-disabled')).toBe('true');
    });
  });
});
