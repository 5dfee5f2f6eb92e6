import type { Page } from 'playwright-core';
import { PASSWORD, signUp } from '../../support/arrange.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { enableTwoFactor } from '../../support/two-factor.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const HOSTILE = [
  'https://evil.example/',
  'http:evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example/%2e%2e',
  '/.//evil.example',
  '/x/..//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  'javascript:alert(document.domain)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://evil.example/1',
  '@evil.example',
  '.evil.example',
  '/\u0000/evil.example',
  '%2F%2Fevil.example',
];

async function fill(page: Page, email: string, password = PASSWORD): Promise<void> {
  // A panel of the account page has the name, too.
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const pathOf = (page: Page): string => page.url().replace(new URL(page.url()).origin, '');

describeInBrowser('signing in', () => {
  let mail: MailServer;
  const options: DashboardOptions = { begin: 'project' };
  beforeAll(async () => {
    mail = await startMailServer();
    options.env = mail.env;
  });
  const dashboard = useDashboard(options);
  afterAll(() => mail.close());

  it('refuses a wrong password in the server’s words, keeps what was typed, and goes where it was asked to', async () => {
    dashboard.expectProblem(/status of 401 .*\/auth\/login$/);
    const page = await dashboard.open('/account?tab=sessions', null);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'login');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your email.').waitFor();
    await fill(page, dashboard.owner.email, 'wrong password 1');
    await page.getByRole('alert').filter({ hasText: /wrong/i }).waitFor();
    await shoot(page, 'login-wrong');
    expect(await page.getByLabel('Email address').inputValue()).toBe(dashboard.owner.email);
    await page.getByRole('button', { name: 'Show Password' }).click();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong password 1');
    // Readers of screens hear which page they are on.
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.locator('h1:focus', { hasText: 'Reset your password' }).waitFor();
    await page.goBack();
    await page.locator('h1:focus', { hasText: 'Sign in' }).waitFor();
    await fill(page, dashboard.owner.email);
    await page.locator('h1:focus', { hasText: 'Account' }).waitFor();
    expect(pathOf(page)).toBe('/account?tab=sessions');
  });

  it('never leaves this server for a hostile `next`, and shows no sentence of the address', async () => {
    const page = await dashboard.newPage(null);
    for (const next of HOSTILE) {
      await page.goto(`${dashboard.url}/login?next=${encodeURIComponent(next)}`);
      await fill(page, dashboard.owner.email);
      await page.waitForURL((url) => !['/', '/login'].includes(url.pathname));
      expect(new URL(page.url()).origin).toBe(dashboard.url);
      expect(pathOf(page)).toMatch(/^\/projects\//);
    }
    await page.goto(`${dashboard.url}/login?sso_error=${encodeURIComponent('Call 0900 evil')}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Call 0900').count()).toBe(0);
  });

  it('asks for a code, by app or recovery code', async () => {
    dashboard.expectProblem(/status of 401 .*\/auth\/login\/2fa$/);
    const person = await signUp(dashboard.server);
    const app = await enableTwoFactor(dashboard.server, person);
    const page = await dashboard.open('/account', null);
    await fill(page, person.email);
    const code = page.getByLabel('Six-digit code');
    await code.waitFor();
    await expectAccessible(page);
    await shoot(page, 'login-code');
    // The sixth digit sends it.
    await code.pressSequentially('000 000');
    await page.getByText('The code is wrong or was used before.').waitFor();
    await code.fill(app.freshCode());
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

    const elsewhere = await dashboard.open('/account', null);
    await fill(elsewhere, person.email);
    await elsewhere.getByRole('button', { name: 'Use a recovery code' }).click();
    await elsewhere.getByLabel('Recovery code').fill(app.recoveryCodes[0]!);
    await elsewhere.getByRole('button', { name: 'Continue' }).click();
    await elsewhere.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  });

  it('keeps a form whose session ends, and continues with it after a sign-in in another tab', async () => {
    dashboard.expectProblem(/status of 401/);
    const person = await signUp(dashboard.server);
    const page = await dashboard.open('/account', person);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ada, in the middle of it');
    const ended = await person.session.post('/auth/logout');
    expect(ended.status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'signed-out-form');
    const tab = await page.context().newPage();
    await tab.goto(`${dashboard.url}/login`);
    await fill(tab, person.email);
    await tab.waitForURL(/\/projects\//);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Ada, in the middle of it');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const me = await dashboard.signIn(person.email, person.projectId);
    expect((await me.session.get('/auth/me')).body.user.name).toBe('Ada, in the middle of it');
  });

  it('ends in every tab at once, and begins again in every tab', async () => {
    const person = await signUp(dashboard.server);
    const page = await dashboard.open('/account?tab=preferences', person);
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${dashboard.url}/account`);
    await tab.getByRole('button', { name: /^Account of/ }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await fill(tab, person.email);
    await tab.waitForURL(/\/projects\//);
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(pathOf(page)).toBe('/account?tab=preferences');
  });

  it('starts afresh in every tab when another person signs in, whatever was typed', async () => {
    dashboard.expectProblem(/status of 401/);
    const person = await signUp(dashboard.server);
    const other = await signUp(dashboard.server);
    const page = await dashboard.open('/account', person);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada, in the middle of it');
    await person.session.post('/auth/logout');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${dashboard.url}/login`);
    await fill(tab, other.email);
    await page.waitForURL(`**/projects/${other.projectId}/**`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Without a sign-out before it, too.
    await tab.goto(`${dashboard.url}/login`);
    await fill(tab, person.email);
    await page.waitForURL(`**/projects/${person.projectId}/**`);
  });

  it('survives a late answer to the session before it', async () => {
    dashboard.expectProblem(/status of 401 .*\/v2\//);
    const person = await signUp(dashboard.server);
    const page = await dashboard.open(`/projects/${person.projectId}/overview`, person);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle');
    const tab = await page.context().newPage();
    await tab.goto(`${dashboard.url}/login`);
    await tab.getByLabel('Email address').waitFor();
    await person.session.post('/auth/logout');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const answered = page.waitForRequest(/\/v2\/.*\/filtered_customers/);
    await page.route(/\/v2\//, async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await answered;
    await fill(tab, person.email);
    await tab.waitForURL(/\/projects\//);
    release();
    // The tab asks again.
    await page.getByText('A customer appears here when an app').waitFor();
    await tab.getByRole('link', { name: 'Customers', exact: true }).click();
    await tab.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(pathOf(page)).toMatch(/\/customers$/);
  });

  it('says so a day before it ends', async () => {
    const { clock } = dashboard.server;
    const nowMs = clock.nowMs();
    clock.setMs(nowMs - 29.5 * 24 * 60 * 60_000);
    const person = await dashboard.signIn(dashboard.owner.email);
    clock.setMs(nowMs);
    const page = await dashboard.open('/account', person);
    const note = page.getByRole('status').filter({ hasText: 'You will be signed out on' });
    await note.waitFor();
    await expectAccessible(page);
    await shoot(page, 'session-ends');
    await note.getByRole('link', { name: 'Sign in again' }).click();
    await fill(page, dashboard.owner.email);
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await note.waitFor({ state: 'detached' });
  });

  it('begins anew with a mailed link, which leaves the address, works once, and says so', async () => {
    const person = await signUp(dashboard.server);
    const page = await dashboard.open('/login', null);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByLabel('Email address').fill(person.email);
    const before = mail.mails.length;
    await expectAccessible(page);
    await shoot(page, 'reset-ask');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(/is on its way/).waitFor();
    await mail.received(before + 1);
    const { pathname, hash } = mail.lastLinkTo(person.email);
    await page.goto(dashboard.url + pathname + hash);
    await page.getByLabel('New password', { exact: true }).fill('12345678');
    await page.getByRole('button', { name: 'Set the password' }).click();
    dashboard.expectProblem(/status of 400 .*\/auth\/password\/reset$/);
    await page.getByText(/most common passwords/).waitFor();
    expect(page.url()).not.toContain('token');
    await shoot(page, 'reset-set');
    await page.getByLabel('New password', { exact: true }).fill('staple of the battery');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL(/\/projects\//);
    await page.goto(dashboard.url + pathname + hash);
    await page.getByText('This link has already been used. Each link works once.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'reset-used');
    await page.getByRole('button', { name: 'Request a new link' }).click();
    await page.getByLabel('Email address').waitFor();
  });

  it('says that an address is confirmed already, and that a link is wrong', async () => {
    const person = await signUp(dashboard.server);
    const page = await dashboard.open('/verify-email', person);
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await page.getByText(`${person.email} is confirmed already.`).waitFor();
    await expectAccessible(page);
    dashboard.expectProblem(/status of 400 .*\/auth\/email\/verify$/);
    await page.goto(`${dashboard.url}/verify-email#token=${'x'.repeat(43)}`);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('This link is incomplete or from another server.', { exact: false }).waitFor();
    expect(pathOf(page)).toBe('/verify-email');
  });
});

describeInBrowser('the first account of a server', () => {
  const dashboard = useDashboard({
    begin: 'nothing',
    env: { SERVICE_ALLOW_SIGNUP: 'false', SERVICE_SETUP_TOKEN: 'a-setup-token-of-the-test' },
  });

  it('starts at the address that the server prints, and leads to the setup of the project; then sign-up is closed', async () => {
    const page = await dashboard.open('/', null);
    await page.getByRole('heading', { name: 'Set up this server' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/signup');
    await page.goto(`${dashboard.url}/signup#setup=a-setup-token-of-the-test`);
    await page.getByRole('heading', { name: 'Set up this server' }).waitFor();
    expect(page.url()).toBe(`${dashboard.url}/signup`);
    await expectAccessible(page);
    await shoot(page, 'signup-first');
    await page.getByLabel('Email address').fill('first@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Set up this server' }).click();
    await page.waitForURL(/\/projects\/[^/]+\/setup/);

    const visitor = await dashboard.open('/signup', null);
    await visitor.getByRole('heading', { name: 'Sign-up is closed' }).waitFor();
    await expectAccessible(visitor);
    await shoot(visitor, 'signup-closed');
  });
});
