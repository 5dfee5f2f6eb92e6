import type { Page } from 'playwright-core';
import { DigestUnsubscribeService } from '../../../src/insights/digests/digest-unsubscribe.service.js';
import { createChannel, messagesOf } from '../../support/arrange-digests.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> \u202egnp.exe';

describeInBrowser('digests in the dashboard', () => {
  const dashboard = useDashboard();

  /** Fills in the form of a digest of sandbox figures to a channel. */
  async function fill(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'New digest' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Figures of yesterday');
    await dialog.getByLabel('Channel', { exact: true }).selectOption('Channel (Slack)');
    await dialog.getByLabel('Hour').selectOption('08:00');
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
    await dialog.getByLabel('Environment').selectOption('Sandbox');
  }

  it('creates one with the figures of yesterday, sends it, changes it and deletes it', async () => {
    await createChannel(dashboard.server, dashboard.projectId, 'slack');
    const { status } = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
      app_user_id: 'ada',
      product_id: 'pro_monthly',
      offset_days: 1,
    });
    expect(status).toBe(201);
    const page = await dashboard.open(dashboard.path('webhooks'));
    page.setDefaultTimeout(30_000);
    await page.getByRole('navigation').getByRole('link', { name: 'Digests' }).first().click();
    await page.getByText('Get yesterday’s figures in your team’s channel every morning.').waitFor();
    await shoot(page, 'digests-empty');

    await page.getByRole('button', { name: 'Create digest' }).click();
    const dialog = page.getByRole('dialog', { name: 'New digest' });
    await dialog.getByRole('button', { name: 'Create digest' }).click();
    await dialog.getByText('Choose a channel.').waitFor();
    await fill(page);
    await expectAccessible(page);
    await shoot(page, 'digest-new');
    await dialog.getByRole('button', { name: 'Create digest' }).click();
    await page.getByRole('heading', { level: 1, name: 'Figures of yesterday' }).waitFor();
    await page.getByText('Every day at 08:00, Europe/Berlin.').waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Revenue: $9.99 (was $0.00)').waitFor();
    await expectAccessible(page);
    await shoot(page, 'digest');

    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Message queued').waitFor();
    expect(await messagesOf(dashboard.server, dashboard.projectId)).toHaveLength(1);

    // A weekly digest has a day, and its preview follows the change.
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('radio', { name: /^Weekly/ }).check();
    await settings.getByLabel('Day', { exact: true }).selectOption('Friday');
    await settings.getByRole('checkbox', { name: 'Revenue' }).uncheck();
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Every Friday at 08:00, Europe/Berlin.').waitFor();
    await preview.getByText('Revenue: $9.99').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Digests' }).first().click();
    await page.getByRole('row', { name: /Figures of yesterday.*Off/ }).click();
    await page.getByRole('button', { name: 'Delete digest' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Delete this digest' });
    await confirm.getByRole('button', { name: 'Delete digest' }).click();
    await page.getByText('Get yesterday’s figures in your team’s channel every morning.').waitFor();
  });

  it('lists digests, and shows hostile names as text', async () => {
    const { session } = dashboard.owner;
    const channel = await createChannel(dashboard.server, dashboard.projectId, 'discord');
    const member = (await session.get('/auth/me')).body.user.id;
    const path = `/v2/projects/${dashboard.projectId}/digests`;
    await session.post(path, { name: HOSTILE, destination_id: channel, period: 'weekly', weekday: 5 });
    const mailed = await session.post(path, { name: 'Mailed', emails: [member], period: 'daily' });
    const page = await dashboard.open(dashboard.path('integrations/digests'));
    page.setDefaultTimeout(30_000);
    await page.getByRole('row', { name: /Mailed.*1 member/ }).waitFor();
    await page.getByRole('row', { name: /Channel \(Discord\).*Every Friday at 09:00, UTC/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'digests');
    expect(await page.title()).not.toBe('owned');

    await page.getByRole('row', { name: /Mailed/ }).click();
    await page.getByRole('region', { name: 'Settings' }).getByRole('group', { name: 'Members' }).waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('1 mail queued').waitFor();
    await session.delete(`${path}/${mailed.body.id}`);
  });

  it('shows a viewer why nothing can be changed', async () => {
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('integrations/digests'), viewer);
    await page
      .getByRole('button', { name: 'Create digest' })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
  });

  it('stops the mails of a member only after a click, without a session', async () => {
    const { owner, projectId, server } = dashboard;
    const member = (await owner.session.get('/auth/me')).body.user.id;
    const path = `/v2/projects/${projectId}/digests`;
    const { body } = await owner.session.post(path, { name: 'Mailed', emails: [member], period: 'daily' });
    const emailsOf = async (): Promise<string[]> =>
      (await owner.session.get(`${path}/${body.id}`)).body.emails;
    const urls = server.app.get(DigestUnsubscribeService).urlsFor({ projectId, id: body.id }, member);
    const link = new URL(urls.page);
    const page = await dashboard.open(`${link.pathname}${link.hash}`, null);
    await page.getByText('Others still get it').waitFor();
    await expectAccessible(page);
    await shoot(page, 'stop-digest');
    expect(await emailsOf()).toEqual([member]);
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await page.getByText('You get no more mails of this digest.').waitFor();
    expect(await emailsOf()).toEqual([]);
  });
});
