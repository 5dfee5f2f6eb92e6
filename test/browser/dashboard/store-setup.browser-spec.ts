import type { Page } from 'playwright-core';
import { ManualClock } from '../../../libs/kernel/index.js';
import { FakeAmazon } from '../../support/fake-amazon/fake-amazon.js';
import { FakePaddle } from '../../support/fake-paddle/fake-paddle.js';
import { FakePaddleApi } from '../../support/fake-paddle/fake-paddle-api.js';
import { FakePlay } from '../../support/fake-play/fake-play.js';
import { FakePlayServer } from '../../support/fake-play/fake-play-server.js';
import { FakeRoku } from '../../support/fake-roku/fake-roku.js';
import { FakeStripe } from '../../support/fake-stripe/fake-stripe.js';
import { FakeStripeApi } from '../../support/fake-stripe/fake-stripe-api.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { heldByPage } from './held-by-page.js';
import { shoot } from './screenshots.js';

const PACKAGE = 'com.example.app';

interface Scenario {
  choice: string;
  name: string;
  step: string;
  field: string;
  /** The saved values. */
  detail: string;
  wrong: string;
  right: string;
  /** The parts of both that nothing may keep. */
  secrets: string[];
  breakDown: (isBroken: boolean) => void;
}

describeInBrowser('the setup of a store', () => {
  const clock = new ManualClock(Date.now());
  const google = new FakePlayServer(new FakePlay(clock, PACKAGE));
  const stranger = new FakePlayServer(new FakePlay(clock, PACKAGE));
  const amazon = new FakeAmazon(clock);
  const paddle = new FakePaddle(clock);
  const paddleApi = new FakePaddleApi(paddle);
  const stripe = new FakeStripe(clock);
  const stripeApi = new FakeStripeApi(stripe);
  const roku = new FakeRoku(clock);
  const stores = [google, amazon, paddleApi, roku, stripeApi];
  const options: DashboardOptions = { begin: 'project' };
  beforeAll(async () => {
    await Promise.all(stores.map((store) => store.start()));
    options.env = {
      SERVICE_TEST_STORES: 'true',
      SERVICE_PLAY_API_URL: google.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
      SERVICE_AMAZON_RVS_URL: amazon.url,
      SERVICE_PADDLE_API_URL: paddleApi.url,
      SERVICE_ROKU_API_URL: roku.url,
      SERVICE_STRIPE_API_URL: stripeApi.url,
    };
  });
  const dashboard = useDashboard(options);
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  const keyLine = ({ serviceAccount }: FakePlayServer): string =>
    serviceAccount.private_key.split('\n')[1] ?? '';
  const down = (isBroken: boolean) => () => (isBroken ? { status: 500 } : undefined);
  const scenarios: Scenario[] = [
    {
      choice: 'Google Play',
      name: 'Acme for Android',
      step: 'Service account',
      field: 'Key file (.json)',
      detail: `Set, ${google.serviceAccount.client_email}.`,
      wrong: JSON.stringify(stranger.serviceAccount),
      right: JSON.stringify(google.serviceAccount),
      secrets: [keyLine(stranger), keyLine(google)],
      breakDown: (isBroken) => {
        google.refuseTokens = isBroken ? { status: 500 } : null;
        google.interfere = down(isBroken);
      },
    },
    {
      choice: 'Amazon Appstore',
      name: 'Acme for Fire OS',
      step: 'Shared key',
      field: 'Shared key',
      detail: 'Set.',
      wrong: '2:another-key-that-was-planted:',
      right: amazon.secret,
      secrets: ['another-key-that-was-planted', amazon.secret],
      breakDown: (isBroken) => {
        amazon.interfere = down(isBroken);
      },
    },
    {
      choice: 'Paddle',
      name: 'Acme through Paddle',
      step: 'API key',
      field: 'API key',
      detail: 'Set.',
      wrong: `pdl_live_apikey_another_${'w'.repeat(45)}`,
      right: paddle.apiKey,
      secrets: ['w'.repeat(45), paddle.apiKey],
      breakDown: (isBroken) => {
        paddleApi.interfere = down(isBroken);
      },
    },
    {
      choice: 'Roku',
      name: 'Acme for Roku',
      step: 'Roku Pay API key',
      field: 'API key',
      detail: 'Set.',
      wrong: 'ANOTHERKEYTHATWASPLANTED123456789012',
      right: roku.apiKey,
      secrets: ['ANOTHERKEYTHATWASPLANTED123456789012', roku.apiKey],
      breakDown: (isBroken) => {
        roku.interfere = down(isBroken);
      },
    },
    {
      choice: 'Stripe',
      name: 'Acme on the web',
      step: 'Restricted API key',
      field: 'Restricted key',
      detail: 'Set.',
      wrong: 'rk_live_anotherKeyThatWasPlanted',
      right: stripe.secretKey,
      secrets: ['anotherKeyThatWasPlanted', stripe.secretKey],
      breakDown: (isBroken) => {
        stripeApi.interfere = down(isBroken);
      },
    },
  ];

  async function make(page: Page, { choice, name }: Scenario): Promise<void> {
    await page.getByRole('button', { name: 'New app' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New app' });
    await dialog.getByRole('radio', { name: choice }).check();
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    const identifier = dialog.getByLabel('Package name');
    if ((await identifier.count()) > 0) await identifier.fill(PACKAGE);
    await dialog.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  it.each(scenarios)(
    '$choice: what is entered is checked, and no secret stays in the page',
    async (store) => {
      const { step, field, breakDown } = store;
      const page = await dashboard.open(dashboard.path('apps'));
      await make(page, store);
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: step }) });
      await row.getByText('To do').waitFor();
      await expectAccessible(page);
      await shoot(page, `store-setup-${store.choice}`);

      await page.getByRole('button', { name: `Add: ${step}` }).click();
      // Also a message that something was saved is a dialog, with the step in its name.
      const dialog = page.getByRole('dialog', { name: step, exact: true });
      const enter = async (value: string): Promise<void> => {
        const input = dialog.getByLabel(field, { exact: true });
        if ((await input.getAttribute('type')) !== 'file') await input.fill(value);
        else {
          const buffer = Buffer.from(value);
          await input.setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer });
          await dialog.getByText(google.serviceAccount.client_email).waitFor();
        }
        await dialog.getByRole('button', { name: 'Check and save' }).click();
      };
      await enter(store.wrong);
      await dialog.getByText('The store did not accept this').waitFor();
      await dialog.getByRole('button', { name: 'Save anyway' }).waitFor();
      await expectAccessible(page);
      await shoot(page, `store-refused-${store.choice}`);

      breakDown(true);
      await enter(store.right);
      await dialog.getByText('Could not reach the store').waitFor();
      expect(await dialog.getByText('did not accept').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Save without a check' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText('Saved', { exact: true }).waitFor();
      await row.getByText(store.detail).waitFor();

      // The saved one is asked about by a button, which says the same.
      const again = page.getByRole('button', { name: `Check: ${step}` });
      await again.click();
      await row.getByText('Could not reach the store').waitFor();
      expect(await row.getByText('Failed').count()).toBe(0);
      breakDown(false);
      await again.click();
      await row.getByText('Verified', { exact: true }).waitFor();
      await expectAccessible(page);

      // A store that is back is asked about the same values.
      const replace = page.getByRole('button', { name: `Replace: ${step}` });
      breakDown(true);
      await replace.click();
      await enter(store.right);
      const checkAgain = dialog.getByRole('button', { name: 'Check again' });
      await checkAgain.waitFor();
      breakDown(false);
      await checkAgain.click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText('Verified', { exact: true }).waitFor();

      // A later refusal stands at the step, in the store's words.
      await replace.click();
      await enter(store.wrong);
      await dialog.getByRole('button', { name: 'Save anyway' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText('Failed', { exact: true }).waitFor();

      const held = await heldByPage(page);
      expect(held).toContain('verify_credentials');
      for (const secret of store.secrets) {
        expect(secret.length).toBeGreaterThan(10);
        expect(held).not.toContain(secret);
      }
    },
  );

  it.each([['rc_billing', 'Web Billing']])(
    'shows as impossible for %s, whose apps a script can create',
    async (type, store) => {
      const { session, projectId } = dashboard.owner;
      const made = await session.post(`/v2/projects/${projectId}/apps`, { name: `Made for ${store}`, type });
      expect(made.status).toBe(201);
      const page = await dashboard.open(dashboard.path('apps'));
      await page.getByRole('row').filter({ hasText: store }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: `Made for ${store}` }).waitFor();
      await page
        .getByText(/^(pdl|rcb)_/)
        .first()
        .waitFor();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Store setup' }).click();
      await page.getByText('This server cannot verify purchases of this store yet').waitFor();
    },
  );
});
