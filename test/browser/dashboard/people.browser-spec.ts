import type { Page } from 'playwright-core';
import { codeOfStep, stepAt } from '../../../src/workspace/accounts/two-factor/totp.js';
import { PASSWORD, signUp } from '../../support/arrange.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('people', () => {
  let mail: MailServer;
  const options: DashboardOptions = { begin: 'project' };
  beforeAll(async () => {
    mail = await startMailServer();
    options.env = mail.env;
  });
  const dashboard = useDashboard(options);
  afterAll(() => mail.close());

  async function check(page: Page, name: string): Promise<void> {
    await expectAccessible(page);
    await shoot(page, name);
  }

  const linkTo = (address: string): string => {
    const { pathname, hash } = mail.lastLinkTo(address);
    return dashboard.url + pathname + hash;
  };

  it('invites several at once, each with a result, who join by the link in the mail', async () => {
    dashboard.expectProblem(/status of 409 .*\/invites$/);
    dashboard.expectProblem(/status of 400 .*\/invites$/);
    const colleague = await dashboard.member('developer');
    const before = mail.mails.length;
    const page = await dashboard.open(dashboard.path('settings/members'));
    await page.getByRole('table', { name: 'Members' }).waitFor();
    await page.getByRole('button', { name: 'Invite people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await dialog.getByLabel('Email addresses').fill(`new@example.com, ${colleague.email}\nnot-an-address`);
    await dialog.getByRole('radio', { name: /Viewer/ }).check();
    await dialog.getByRole('button', { name: 'Send 3 invitations' }).click();
    const results = dialog.getByRole('list', { name: 'Results' });
    await results.getByRole('listitem').filter({ hasText: 'not-an-address' }).waitFor();
    await dialog.getByRole('button', { name: 'Send 2 invitations' }).waitFor();
    expect(await results.getByRole('listitem').filter({ hasText: 'new@example.com' }).innerText()).toContain(
      'Invited',
    );
    expect(await dialog.getByLabel('Email addresses').inputValue()).toBe(
      `${colleague.email}\nnot-an-address`,
    );
    await check(page, 'members-invite');
    page.on('dialog', (question) => void question.accept());
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: 'Invite people' });
    expect(await opener.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.getByRole('table', { name: 'Invitations' }).getByText('new@example.com').waitFor();
    await check(page, 'members');

    await mail.received(before + 1);
    const visitor = await dashboard.newPage(null);
    await visitor.goto(linkTo('new@example.com'));
    await visitor.getByText('Acme').waitFor();
    await visitor.getByLabel('Password', { exact: true }).waitFor();
    expect(visitor.url()).toBe(`${dashboard.url}/invite`);
    await check(visitor, 'invite-sign-up');
    await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await visitor.getByRole('button', { name: 'Create account' }).click();
    await visitor.waitForURL(`**${dashboard.path('overview')}`);
    await visitor.goto(dashboard.url + dashboard.path('settings/members'));
    await visitor.getByRole('table', { name: 'Members' }).getByText('new@example.com').waitFor();
    // A viewer sees the controls, and why they are off.
    const invite = visitor.getByRole('button', { name: 'Invite people' });
    expect(await invite.getAttribute('aria-disabled')).toBe('true');
    await check(visitor, 'members-viewer');
  });

  it('accepts an invite with an existing account, but only the invited one', async () => {
    const invited = await signUp(dashboard.server);
    const other = await signUp(dashboard.server);
    const before = mail.mails.length;
    const body = { email: invited.email, role: 'developer' };
    await dashboard.owner.session.post(`/v2/projects/${dashboard.projectId}/invites`, body);
    await mail.received(before + 1);
    const page = await dashboard.newPage(other);
    await page.goto(linkTo(invited.email));
    await page.getByText(`you are signed in as ${other.email}`).waitFor();
    await check(page, 'invite-other');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${dashboard.path('overview')}`);
    const me = await invited.session.get('/auth/me');
    expect(me.body.projects).toContainEqual(
      expect.objectContaining({ id: dashboard.projectId, role: 'developer' }),
    );
    dashboard.expectProblem(/status of 404 .*\/auth\/invites\//);
    await page.goto('about:blank');
    await page.goto(linkTo(invited.email));
    await page.getByText('Ask the person who invited you to send it again.').waitFor();
    await check(page, 'invite-gone');
  });

  it('keeps an admin: the last one’s controls are off and say why; others change role and leave', async () => {
    const member = await dashboard.member('viewer');
    const page = await dashboard.open(dashboard.path('settings/members'));
    const row = page.getByRole('row').filter({ hasText: dashboard.owner.email });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    const leave = page.getByRole('menuitem', { name: /Leave the project/ });
    await leave.waitFor();
    expect(await leave.getAttribute('aria-disabled')).toBe('true');
    await page
      .getByText(/Make another member admin first/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');

    const other = page.getByRole('row').filter({ hasText: member.email });
    await other.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('radio', { name: /Admin/ }).check();
    await check(page, 'members-role');
    await page.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Admin').waitFor();
    await other.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove from project' }).click();
    // The row goes before the server has answered.
    const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from project' }).click();
    await other.waitFor({ state: 'detached' });
    expect((await removed).ok()).toBe(true);
  });

  it('turns two-factor on, and saves the recovery codes before the dialog closes', async () => {
    dashboard.expectProblem(/status of 400 .*\/auth\/2fa\/setup$/);
    const person = await signUp(dashboard.server);
    const page = await dashboard.open('/account?tab=security', person);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await check(page, 'account-security');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill('not it at all');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('password is wrong.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await check(page, 'account-two-factor');
    const key = (await dialog.getByRole('code').first().innerText()).replaceAll(' ', '');
    const code = codeOfStep(key, stepAt(dashboard.server.clock.nowMs()));
    await dialog.getByLabel('Six-digit code').fill(code);
    const codes = page.getByRole('list', { name: 'Recovery codes' });
    await codes.waitFor();
    expect(await codes.getByRole('listitem').count()).toBe(10);
    await page.keyboard.press('Escape');
    await page.getByText('Save the codes first: they are not shown again.').first().waitFor();
    await check(page, 'account-recovery-codes');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('tenure-recovery-codes.txt');
    await page.getByLabel('I have saved them').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    // Neither secret nor codes are anywhere afterwards.
    const first = key.slice(0, 8);
    expect(await page.content()).not.toContain(first);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      first,
    );
  });

  it('changes the address, shows that it is pending, and ends sessions elsewhere', async () => {
    const person = await signUp(dashboard.server);
    await dashboard.signIn(person.email);
    const next = `new-${person.email}`;
    const page = await dashboard.open('/account', person);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByLabel('New email address').fill(next);
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    await check(page, 'account-email');
    const before = mail.mailsTo(next).length;
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`Waiting for you to open the link that was sent to ${next}.`).waitFor();
    await check(page, 'account-profile');
    while (mail.mailsTo(next).length === before) await mail.received(mail.mails.length + 1);
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('This session').waitFor();
    await check(page, 'account-sessions');
    await page.getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByText('1 row').waitFor();
    await page.getByRole('tab', { name: 'Preferences' }).click();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('Language of numbers and dates').selectOption('de-DE');
    await page.getByRole('switch', { name: 'Alert emails' }).uncheck();
    await check(page, 'account-preferences');
    await page.goto(linkTo(next));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`Your address is now ${next}.`).waitFor();
    await check(page, 'change-email');
    const me = await person.session.get('/auth/me');
    expect(me.body.user).toMatchObject({ email: next, alert_emails: false });
  });

  it('creates a project, or deletes the account', async () => {
    const person = await signUp(dashboard.server);
    await person.session.delete(`/v2/projects/${person.projectId}`);
    const page = await dashboard.open('/', person);
    await page.getByRole('heading', { name: 'You are not a member of any project' }).waitFor();
    await check(page, 'no-access');
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByText('Give the project a name.').waitFor();
    await check(page, 'new-project');
    await page.getByLabel('Name').fill('Second <b>thing</b>');
    dashboard.expectProblem(/status of 503 .*\/auth\/me$/);
    await page.route(/\/auth\/me$/, (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByText('The project was created, but could not be opened.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(/\/setup$/);
    expect((await person.session.get('/auth/me')).body.projects).toHaveLength(1);
    await page.goto(`${dashboard.url}/account`);
    await page.getByRole('button', { name: 'Delete your account' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Second <b>thing</b>').waitFor();
    await check(page, 'account-delete');
    await dialog.getByLabel('Your email address, to confirm').fill(person.email);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete your account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await person.session.get('/auth/me')).status).toBe(401);
  });
});
