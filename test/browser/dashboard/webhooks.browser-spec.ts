import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { DeliveryDispatcherService } from '../../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { recordEvent } from '../../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../../support/webhook-receiver.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { clipboardText } from './in-page.mjs';
import { settled, shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>alert(1)</script> \u202egnp.exe';
const EVENTS = 300;

describeInBrowser('webhooks in the dashboard', () => {
  const dashboard = useDashboard({ env: { SERVICE_WEBHOOK_REPLAY_RATE: '100' } });
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const drain = (): Promise<void> => dashboard.server.app.get(DeliveryDispatcherService).drain();
  const record = (type = 'RENEWAL') =>
    recordEvent(dashboard.server, dashboard.projectId, {
      type,
      body: JSON.stringify({ type, app_user_id: 'user/4711', price: 9.99 }),
    });

  /** Creates a webhook with the page, as far as its own page. */
  async function create(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Create webhook' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Backend');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const created = page.getByRole('dialog', { name: 'Webhook created' });
    const secret = await created.getByRole('region', { name: 'Signing secret' }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await created.getByRole('button', { name: 'Send test' }).click();
    await created.getByText('Test event queued').waitFor();
    await expectAccessible(page);
    await shoot(page, 'webhook-created');
    await created.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Backend' }).waitFor();
    return page.url().split('/').at(-1)!;
  }

  it('creates them, and shows failures, retries, replays and pauses', async () => {
    const page = await dashboard.open(dashboard.path('webhooks'));
    await page.getByText('Tell your backend what happens to customers.').waitFor();
    await shoot(page, 'webhooks-empty');

    // What the server refuses is said at its field, and nothing typed is lost.
    dashboard.expectProblem(/status of 400/);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Backend');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('ftp://acme.example');
    await dialog.getByRole('radio', { name: /^Only these types/ }).check();
    await dialog.getByRole('checkbox', { name: 'RENEWAL' }).check();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const address = dialog.getByRole('textbox', { name: 'Address' });
    await address.and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await address.inputValue()).toBe('ftp://acme.example');
    await expectAccessible(page);
    await shoot(page, 'webhook-new');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const webhookId = await create(page);
    await page.getByRole('row', { name: /TEST .*Delivered 200/ }).waitFor();

    // The endpoint answers 500 with a hostile body.
    receiver.answerWith((response) =>
      response.writeHead(500, { 'content-type': 'text/html', 'x-note': '<b>bold</b>' }).end(HOSTILE),
    );
    dashboard.server.clock.advanceMs(1_000);
    const eventId = await record('CANCELLATION');
    await drain();
    await page.reload();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'CANCELLATION' }).click();
    const panel = page.getByRole('region', { name: 'CANCELLATION' });
    await panel.getByRole('region', { name: 'Body' }).getByText('user/4711').waitFor();
    await shoot(page, 'webhook-delivery');
    await panel.getByRole('tab', { name: /^Attempts/ }).click();
    const answer = panel.getByRole('region', { name: 'Response 1' });
    expect(await answer.innerText()).toBe(HOSTILE.replace('\u202e', '\\u202e'));
    await expectAccessible(page);
    await shoot(page, 'webhook-attempts');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await panel.getByRole('button', { name: 'Copy Response 1' }).click();
    await panel.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.evaluate(clipboardText)).toBe(HOSTILE);
    await panel.getByRole('tab', { name: 'curl' }).click();
    expect(await panel.getByRole('region', { name: 'curl command' }).innerText()).toContain(eventId);

    // It hangs, then breaks off; then it works.
    const held: ServerResponse[] = [];
    const next = receiver.requests.length + 1;
    receiver.answerWith((response) => held.push(response));
    await panel.getByRole('button', { name: 'Retry' }).click();
    await receiver.received(next);
    await panel.getByText('Sending now').waitFor();
    for (const response of held) response.destroy();
    await panel.getByRole('tab', { name: 'Attempts 2' }).click();
    await panel.getByText('No response was received.').waitFor();
    receiver.answerWith(status(200));
    await panel.getByRole('button', { name: 'Retry' }).click();
    await panel.getByText('Delivered', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    await replay(page, webhookId);
    await rotate(page);
    await pauseAndResume(page);
    await page.getByRole('tab', { name: 'Replays' }).click();
    await page.getByRole('row', { name: /Failed deliveries 300/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'webhook-replays');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'webhook-settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing backend');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing backend' }).waitFor();
  });

  /** 300 given up deliveries go out again, in two parts, as their rate allows. */
  async function replay(page: Page, webhookId: string): Promise<void> {
    dashboard.server.clock.advanceMs(1_000);
    for (let index = 0; index < EVENTS; index++) await record(index % 3 ? 'RENEWAL' : 'EXPIRATION');
    await dashboard.server.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'failed', attempts = 6, next_attempt_at = NULL,
         last_attempt_at = created_at, response_status = 503, response_ms = 812, last_error = 'HTTP 503'
       WHERE webhook_integration_id = $1 AND status = 'pending'`,
      [webhookId],
    );
    await page.reload();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
    await page.getByText('50 loaded, more below').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await shoot(page, 'webhook-deliveries');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    await dialog.getByText(/100 deliveries in this period, 100 failed/).waitFor();
    await expectAccessible(page);
    await shoot(page, 'webhook-replay');
    await dialog.getByRole('button', { name: 'Start replay' }).click();
    const strip = page.getByRole('region', { name: 'Work in progress' });
    await strip.getByText('of 300').waitFor();
    dashboard.server.clock.advanceMs(1_000);
    await drain();
    await strip.getByText('101 of 300').waitFor();
    await shoot(page, 'webhook-replay-strip');
    dashboard.server.clock.advanceMs(5_000);
    await drain();
    await strip.getByText('Done · 300 of 300').waitFor();
    await strip.getByRole('button', { name: 'Close Replay to Backend' }).click();
    await page.getByText('No deliveries match.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
  }

  async function rotate(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'New signing secret' });
    const secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByText(/Both secrets sign until/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    const sent = receiver.requests.length + 1;
    await page.getByRole('button', { name: 'Send test' }).click();
    await receiver.received(sent);
    const { headers } = receiver.requests.at(-1)!;
    expect(String(headers['x-service-webhook-signature']).match(/v1=/g)).toHaveLength(2);
  }

  async function pauseAndResume(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause webhook' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    dashboard.server.clock.advanceMs(1_000);
    await record('EXPIRATION');
    dashboard.server.clock.advanceMs(1_000);
    const sent = receiver.requests.length;
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Resume and replay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    expect(await dialog.getByRole('radio', { name: /^Since it was paused/ }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Start replay' }).click();
    await page.getByRole('region', { name: 'Work in progress' }).getByText('of 1').waitFor();
    dashboard.server.clock.advanceMs(1_000);
    await drain();
    await receiver.received(sent + 1);
    expect(receiver.requests.at(-1)!.headers['x-service-webhook-replay']).toBe('true');
    await page.getByText('Done · 1 of 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close Replay to Backend' }).click();
  }

  it('names them at an event with what they answered, and links to the delivery', async () => {
    const { owner, projectId } = dashboard;
    const made = await owner.session.post(`/v2/projects/${projectId}/integrations/webhooks`, {
      name: 'Named at events',
      url: receiver.url,
      event_types: ['transfer'],
    });
    expect(made.status).toBe(201);
    receiver.answerWith(status(503));
    const eventId = await record('TRANSFER');
    await drain();
    const page = await dashboard.open(dashboard.path(`events?event=${eventId}`));
    const panel = page.getByRole('region', { name: 'TRANSFER' });
    const row = panel.getByRole('listitem').filter({ hasText: 'Named at events' });
    await panel.getByText(/Being sent to .*Named at events/).waitFor();
    await row.getByText('Pending').waitFor();
    await row.getByText('1 attempt').waitFor();
    await row.getByText('answer 503').waitFor();
    await row.getByText(/^next attempt/).waitFor();
    await settled(page);
    await expectAccessible(page);
    await shoot(page, 'event-deliveries');
    // It polls while a delivery is due.
    receiver.answerWith(status(200));
    dashboard.server.clock.advanceMs(24 * 3_600_000);
    await drain();
    await row.getByText('Delivered').waitFor();
    await row.getByText('answer 200').waitFor();
    await row.getByRole('link', { name: 'Named at events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Named at events' }).waitFor();
    await page.getByRole('region', { name: 'TRANSFER' }).getByRole('tab', { name: 'Attempts 2' }).waitFor();
  });

  it('shows a viewer what was sent, and why there is no more', async () => {
    const { owner, projectId } = dashboard;
    const list = `/v2/projects/${projectId}/integrations/webhooks`;
    const made = await owner.session.post(list, { name: 'Seen by all', url: receiver.url });
    await owner.session.post(`${list}/${made.body.id}/test`);
    const page = await dashboard.open(dashboard.path('webhooks'), await dashboard.member('viewer'));
    await page.getByRole('link', { name: 'Seen by all' }).click();
    const retry = page.getByRole('button', { name: 'Retry' });
    await page.getByRole('button', { name: 'TEST', exact: true }).click();
    await page.getByText(/personal data\. You need the permission/).waitFor();
    expect(await retry.getAttribute('aria-disabled')).toBe('true');
    await settled(page);
    await expectAccessible(page);
    await shoot(page, 'webhook-viewer');
  });
});
