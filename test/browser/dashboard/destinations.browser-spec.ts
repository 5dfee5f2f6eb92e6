import type { Page } from 'playwright-core';
import { DeliveryDispatcherService } from '../../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../../support/api-client.js';
import { testReceipt } from '../../support/arrange-store.js';
import { DestinationFakes } from '../../support/destination-fakes/destination-fakes.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const WRITE_KEY = 'segmentWriteKey0123456789';
const KEY = '0123456789abcdef0123456789abcdef';
const OTHER_KEY = 'fedcba9876543210fedcba9876543210';
const REFUSAL = '"distinct_id" is not allowed';

describeInBrowser('destinations in the dashboard', () => {
  const fakes = new DestinationFakes();
  const options: DashboardOptions = {};
  beforeAll(async () => {
    await fakes.start();
    options.env = { SERVICE_TEST_STORES: 'true', SERVICE_DESTINATIONS_URL: fakes.url };
  });
  const dashboard = useDashboard(options);
  afterAll(() => fakes.close());

  const api = (path = '') => `/v2/projects/${dashboard.projectId}/integrations/destinations${path}`;

  async function destinations(): Promise<Json[]> {
    return (await dashboard.store.backend.get(api())).body.items;
  }

  async function created(type: string, settings: object, more: object = {}): Promise<Json> {
    const answer = await dashboard.store.backend.post(api(), { type, settings, ...more });
    expect([answer.status, answer.body.param]).toEqual([201, undefined]);
    return answer.body;
  }

  async function purchase(customer: string): Promise<void> {
    dashboard.server.clock.advanceMs(1_000);
    const bought = await dashboard.store.sdk.post(
      '/v1/receipts',
      testReceipt(customer, dashboard.server.clock.nowMs()),
    );
    expect(bought.status).toBe(200);
    await dashboard.server.app.get(DeliveryDispatcherService).drain();
  }

  afterEach(async () => {
    for (const { id } of await destinations()) await dashboard.store.backend.delete(api(`/${id}`));
  });

  async function openForm(tool: string): Promise<Page> {
    const page = await dashboard.open(dashboard.path('integrations'));
    await page.getByRole('searchbox', { name: 'Search tools' }).fill(tool);
    await page.getByRole('link', { name: new RegExp(`^${tool}`) }).click();
    await page.getByRole('heading', { level: 1, name: `Add ${tool}` }).waitFor();
    return page;
  }

  const saveAndTest = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Save and test' }).click();

  async function turnOn(page: Page, name: string): Promise<void> {
    await page.getByText(/^Test event delivered\./).waitFor();
    await page.getByText('Saved. Nothing is sent until you turn it on.').waitFor();
    expect(await destinations()).toMatchObject([{ enabled: false }]);
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(await destinations()).toMatchObject([{ enabled: true }]);
  }

  it('offers the tools in five groups, and finds one by its name', async () => {
    const page = await dashboard.open(dashboard.path('integrations'));
    await page.getByText('Send what happens to customers to the tools your team uses.').waitFor();
    const titles = page.getByRole('heading', { level: 3 });
    expect(await titles.allInnerTexts()).toEqual([
      'Analytics',
      'Attribution',
      'Messaging',
      'Chat',
      'Any tool',
    ]);
    await expectAccessible(page);
    await shoot(page, 'destinations-empty');
    const search = page.getByRole('searchbox', { name: 'Search tools' });
    await page.getByRole('button', { name: 'Add a destination' }).click();
    await search.and(page.locator(':focus')).waitFor();
    await search.fill('nothing like that');
    await page.getByText('No tools match.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await search.fill('chat');
    expect(await titles.allInnerTexts()).toEqual(['Chat']);
  });

  it('says at the field what is wrong, adds Segment, and names its events', async () => {
    const page = await openForm('Segment');
    await page.getByText('$segmentId if set, else the app user id.').waitFor();
    await saveAndTest(page);
    const key = page.getByRole('textbox', { name: 'Write key' });
    await key.and(page.locator('[aria-invalid=true]')).waitFor();
    await key.fill('not a key');
    await page.getByText('This is not a valid Write key.').waitFor();
    await key.fill(WRITE_KEY);
    await page.getByRole('combobox', { name: 'Region' }).selectOption('European Union');
    await page.getByText('Event names', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Renewal', exact: true }).fill('Renewed');
    await page.getByRole('textbox', { name: 'Expiration' }).fill('');
    await page.getByRole('radio', { name: /^From a date/ }).check();
    await expectAccessible(page);
    await shoot(page, 'destination-new');
    await saveAndTest(page);
    await page.getByText('Choose a time.').waitFor();
    await page.getByLabel('Send events from').fill('2026-02-03T04:05');
    await saveAndTest(page);
    await turnOn(page, 'Segment');
    expect(await destinations()).toMatchObject([
      {
        type: 'segment',
        settings: { region: 'eu', send_sandbox: false },
        secrets_set: ['write_key'],
        event_names: { renewal: 'Renewed', expiration: null, trial_started: 'rc_trial_started_event' },
        send_from: Date.parse('2026-02-03T03:05:00Z'),
        revenue: 'gross',
      },
    ]);
  });

  it('adds PostHog at a host of its own', async () => {
    const page = await openForm('PostHog');
    await page.getByRole('textbox', { name: 'Host' }).fill('https://posthog.example.com/path');
    await page
      .getByRole('textbox', { name: 'Project API key', exact: true })
      .fill('phc_0123456789abcdefghij');
    await saveAndTest(page);
    await page.getByText('This is not a valid Host.').waitFor();
    await page.getByRole('textbox', { name: 'Host' }).fill('https://eu.i.posthog.com');
    await page.getByRole('combobox', { name: 'Revenue' }).selectOption('After store commission');
    await page.getByRole('combobox', { name: 'Customer attributes' }).selectOption('Do not send');
    await saveAndTest(page);
    await turnOn(page, 'PostHog');
    expect(await destinations()).toMatchObject([
      {
        settings: { host: 'https://eu.i.posthog.com' },
        secrets_set: ['api_key'],
        revenue: 'after_commission',
        attributes: 'none',
      },
    ]);
  });

  it('adds Firebase with one pair of app and secret, and shows the refusal of half a pair', async () => {
    const page = await openForm('Firebase');
    await page.getByText(/Firebase needs \$firebaseAppInstanceId/).waitFor();
    await page.getByRole('textbox', { name: 'Firebase app ID (iOS)' }).fill('1:1234567890:ios:0a1b2c3d4e5f');
    dashboard.expectProblem(/status of 400/);
    await saveAndTest(page);
    const secret = page.getByRole('textbox', { name: 'Measurement Protocol API secret (iOS)' });
    await secret.and(page.locator('[aria-invalid=true]')).waitFor();
    await secret.fill('iosApiSecret_0123456789');
    await saveAndTest(page);
    await turnOn(page, 'Firebase');
    expect(await destinations()).toMatchObject([{ secrets_set: ['ios_api_secret'] }]);
  });

  it('adds Adjust with a token for each kind of event', async () => {
    const page = await openForm('Adjust');
    await page.getByRole('textbox', { name: 'App token (iOS)' }).fill('abcdefghijkl');
    await page.getByText('Event tokens (iOS)').click();
    const renewal = page.getByRole('textbox', { name: 'Renewal', exact: true }).first();
    await renewal.fill('NOT A TOKEN');
    await page.getByText('Event tokens (iOS)').click();
    await saveAndTest(page);
    // The error opens what was closed.
    await renewal.and(page.locator('[aria-invalid=true]')).waitFor();
    await renewal.fill('abc123');
    await shoot(page, 'destination-new-adjust');
    await saveAndTest(page);
    await turnOn(page, 'Adjust');
    expect(await destinations()).toMatchObject([
      { settings: { ios_event_tokens: { renewal: 'abc123' } }, event_types: ['renewal'] },
    ]);
  });

  it('adds HTTP with headers and a body', async () => {
    const page = await openForm('HTTP');
    await page.getByRole('textbox', { name: 'URL' }).fill(`${fakes.url}/http/{{kind}}`);
    await page.getByRole('combobox', { name: 'Method' }).selectOption('PUT');
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByRole('textbox', { name: 'Name' }).nth(1).fill('X-Api-Key');
    await page.getByRole('textbox', { name: 'Value' }).fill('anotherSecret42');
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.fill('{"kind": ');
    await saveAndTest(page);
    await page.getByText('Enter JSON.').waitFor();
    await body.fill('{"kind": "{{kind}}"}');
    await shoot(page, 'destination-new-http');
    await saveAndTest(page);
    await turnOn(page, 'HTTP');
    expect(await destinations()).toMatchObject([
      {
        settings: { method: 'PUT', body: { kind: '{{kind}}' } },
        secrets_set: ['headers.X-Api-Key'],
        event_types: [],
      },
    ]);
  });

  it('adds Slack, where kinds are switched', async () => {
    const page = await openForm('Slack');
    await page
      .getByRole('textbox', { name: 'Webhook URL' })
      .fill('https://hooks.slack.com/services/T0/B0/abc');
    await page.getByText('Events', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Renewal' }).uncheck();
    await saveAndTest(page);
    await turnOn(page, 'Slack');
    expect(await destinations()).toMatchObject([
      { secrets_set: ['url'], event_names: { renewal: null, trial_started: true } },
    ]);
  });

  it('shows deliveries and their reasons, and what waits for an id', async () => {
    const { id } = await created('adjust', {
      ios_app_token: 'abcdefghijkl',
      ios_event_tokens: { initial_purchase: 'abc123' },
    });
    await purchase('ada');
    await purchase('bob');
    const page = await dashboard.open(dashboard.path('integrations'));
    await page.getByRole('row', { name: /Adjust Delivering Adjust .*2$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Adjust' }).waitFor();
    await page.getByRole('row', { name: /ada .*Waiting .*no \$adjustId yet/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'destination-deliveries');
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await page.getByText('No deliveries match.').waitFor();
    await page.getByRole('tab', { name: /^Waiting/ }).click();
    const group = page.getByRole('row', { name: /^\$adjustId 2 / });
    await group.waitFor();
    await expectAccessible(page);
    await shoot(page, 'destination-waiting');
    await group.getByRole('link').click();
    await page.getByRole('row', { name: /bob .*Waiting/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('waiting');

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete destination' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Adjust?' });
    await dialog.getByText('2 deliveries that have not been sent are dropped.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete destination' }).click();
    await page.getByText('Send what happens to customers to the tools your team uses.').waitFor();
    expect((await dashboard.store.backend.get(api(`/${id}`))).status).toBe(404);
  });

  it('shows the answer to a wrong key, and turns on after the right one', async () => {
    const { amplitude } = fakes.tools;
    amplitude.refusedKeys.add(KEY);
    const page = await openForm('Amplitude');
    const key = page.getByRole('textbox', { name: 'API key', exact: true });
    await key.fill(KEY);
    await saveAndTest(page);
    await page.getByText('Amplitude answered 400: Invalid API key.').waitFor();
    await page.getByRole('button', { name: 'Turn on anyway' }).waitFor();
    await page.getByText('Request and answer').click();
    await page.getByRole('region', { name: 'Body' }).getByText('api_key').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(KEY);
    await expectAccessible(page);
    await shoot(page, 'destination-refused');
    const right = KEY.toUpperCase().replace(/[A-F]/g, '0');
    await key.fill(right);
    await page.getByRole('button', { name: 'Turn on anyway' }).waitFor({ state: 'detached' });
    await saveAndTest(page);
    await turnOn(page, 'Amplitude');
    expect(amplitude.events.at(-1)).toMatchObject({ name: 'rc_test_event', user: 'tenure-test' });
    expect(await destinations()).toHaveLength(1);

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test event delivered\./).waitFor();
    amplitude.refusedKeys.add(right);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Amplitude answered 400: Invalid API key.').waitFor();
  });

  it('says at the field what a test needs', async () => {
    dashboard.expectProblem(/status of 422/);
    const page = await openForm('Meta');
    await page.getByText(/Meta needs \$fbAnonId, \$idfa or \$gpsAdId\./).waitFor();
    await page.getByRole('textbox', { name: 'Dataset ID', exact: true }).fill('1234567890123456');
    await page
      .getByRole('textbox', { name: 'Access token', exact: true })
      .fill('EAAmetaAccessToken0123456789');
    await saveAndTest(page);
    const code = page.getByRole('textbox', { name: 'Test event code' });
    await code.and(page.locator('[aria-invalid=true]')).waitFor();
    await code.fill('TEST123');
    await saveAndTest(page);
    await turnOn(page, 'Meta');
  });

  it('shows each request of a delivery without secrets, its attempts and a retry', async () => {
    const { mixpanel } = fakes.tools;
    await created('mixpanel', { project_token: KEY, sandbox_project_token: OTHER_KEY });
    mixpanel.interfere = () => ({ status: 400, body: { failed_records: [{ message: REFUSAL }] } });
    await purchase('carol');
    mixpanel.interfere = () => undefined;
    const page = await dashboard.open(dashboard.path('integrations'));
    await page.getByRole('row', { name: /Mixpanel/ }).click();
    await page.getByRole('row', { name: /carol .*Failed .*Mixpanel did not accept the event/ }).waitFor();
    await page.getByRole('button', { name: 'INITIAL_PURCHASE' }).click();
    const panel = page.getByRole('region', { name: 'INITIAL_PURCHASE' });
    await panel.getByRole('heading', { name: 'Request 2' }).waitFor();
    expect(await panel.innerText()).not.toContain(OTHER_KEY);
    await expectAccessible(page);
    await shoot(page, 'destination-delivery');
    await panel.getByRole('tab', { name: 'Attempts 1' }).click();
    await panel.getByRole('region', { name: 'Response 1' }).getByText('failed_records').waitFor();
    await panel.getByRole('button', { name: 'Retry' }).click();
    await panel.getByText('Sent again').waitFor({ state: 'attached' });
    await dashboard.server.app.get(DeliveryDispatcherService).drain();
    await panel.getByText('Delivered', { exact: true }).waitFor();
    expect(mixpanel.events.at(-1)).toMatchObject({ user: 'carol' });
  });

  it('warns before a replay that counts events twice', async () => {
    const { adjust } = fakes.tools;
    // Otherwise, the replay would also send the events of other tests.
    await dashboard.server.dataSource.query('DELETE FROM events WHERE project_id = $1', [
      dashboard.projectId,
    ]);
    const known = adjust.events.length;
    await created('adjust', {
      ios_app_token: 'abcdefghijkl',
      ios_event_tokens: { initial_purchase: 'abc123' },
    });
    await dashboard.store.sdk.post('/v1/subscribers/dora/attributes', {
      attributes: { $adjustId: { value: '0123456789abcdef0123456789abcdef' } },
    });
    await purchase('dora');
    expect(adjust.events).toHaveLength(known + 1);
    const page = await dashboard.open(dashboard.path('integrations'));
    await page.getByRole('row', { name: /Adjust/ }).click();
    await page.getByRole('row', { name: /dora .*Delivered/ }).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    await dialog.getByRole('radio', { name: /^Every event that was not delivered/ }).check();
    await dialog.getByRole('button', { name: 'Start replay' }).click();
    await page.getByText('1 event was already delivered.').waitFor();

    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByRole('radio', { name: /^Every event that was not delivered/ }).check();
    await dialog.getByRole('checkbox', { name: 'Also events that were already delivered' }).check();
    await dialog
      .getByText(/Adjust counts every event it gets\. 1 event of this period was already delivered/)
      .waitFor();
    await expectAccessible(page);
    await shoot(page, 'destination-replay');
    await dialog.getByRole('button', { name: 'Start replay' }).click();
    await dialog.waitFor({ state: 'detached' });
    await dashboard.server.app.get(DeliveryDispatcherService).drain();
    expect(adjust.events).toHaveLength(known + 2);
    await page.getByRole('tab', { name: 'Replays' }).click();
    await page.getByRole('row', { name: /Every event 1 1 0 0 0 0$/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'destination-replays');
  });

  it('changes settings without showing a secret, and asks for it again when the address changes', async () => {
    const { id } = await created('customerio', {
      site_id: '0123456789abcdef0123',
      api_key: 'abcdef0123456789abcd',
      sandbox_site_id: '0123456789abcdef0123',
      sandbox_api_key: 'abcdef0123456789abcd',
    });
    const page = await dashboard.open(dashboard.path(`integrations/${id}?tab=settings`));
    const secret = page.getByRole('group', { name: 'API key', exact: true });
    await secret.getByText('Set', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove: API key', exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await shoot(page, 'destination-settings');
    await page.getByRole('button', { name: 'Remove: API key for sandbox events' }).click();
    await page.getByText('Removed when you save').waitFor();
    await page.getByRole('textbox', { name: 'Site ID for sandbox events' }).fill('');
    await page.getByRole('textbox', { name: 'Name' }).fill('Campaigns');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
    expect(await destinations()).toMatchObject([
      { secrets_set: ['api_key'], settings: { site_id: '0123456789abcdef0123' } },
    ]);

    await page.getByRole('combobox', { name: 'Region' }).selectOption('European Union');
    const key = page.getByRole('textbox', { name: 'API key', exact: true });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter this key again: the address has changed.').waitFor();
    await key.fill('bcdef0123456789abcda');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await secret.getByText('Set', { exact: true }).waitFor();
    expect(await destinations()).toMatchObject([{ settings: { region: 'eu' } }]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause destination' }).click();
    await page.getByText('Events that happen now are not queued.').waitFor();
    expect(await destinations()).toMatchObject([{ enabled: false }]);
  });
});
