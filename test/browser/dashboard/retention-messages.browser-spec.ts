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

    const [messageId] = apple.retention.Production.messages.keys();
    await session.post(`${path}/${app.body.id}/retention_rules`, {
      display_name: 'Everyone',
      message_id: messageId,
    });
    await page.getByLabel('Store environment').selectOption('production');
    await page.reload();
    await page.getByText('Everyone').waitFor();
    await page.getByText('Before you go').waitFor();
    await expectAccessible(page);
    await shoot(page, 'retention');
  });
});
