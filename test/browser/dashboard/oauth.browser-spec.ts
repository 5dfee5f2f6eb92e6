import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/arrange.js';
import { authorizePath, newPkce, postToken, registerClient } from '../../support/arrange-oauth.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const ALL = 'project:read project:write project:money';

describe('letting a program in', () => {
  const dashboard = useDashboard({ begin: 'project' });
  /** The program's own address, to which the browser comes back. */
  let callback: Server;
  let redirectUri: string;

  beforeAll(async () => {
    callback = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,">Back');
    }).listen(0, '127.0.0.1');
    await once(callback, 'listening');
    redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  });

  afterAll(async () => {
    callback.closeAllConnections();
    callback.close();
    await once(callback, 'close');
  });

  async function check(page: Page, name: string): Promise<void> {
    await expectAccessible(page);
    await shoot(page, name);
  }

  it('begins with signing in, and ends with a code; the client is on the account page, which disconnects it', async () => {
    const clientId = await registerClient(dashboard.server, { redirect_uris: ['http://127.0.0.1/callback'] });
    const { verifier, challenge } = newPkce();
    const asked = { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge };
    const page = await dashboard.open(authorizePath({ ...asked, scope: ALL, state: 'x y&z' }), null);
    await page.getByLabel('E-mail address').fill(dashboard.owner.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Let Example agent in?' }).waitFor();
    await page.getByText('an address on your own computer').waitFor();
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Acme (admin)' });
    await page.getByRole('radio', { name: /^read and change/ }).check();
    await page.getByRole('checkbox', { name: /cancel, extend and refund/ }).check();
    await check(page, 'oauth-consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirectUri}?**`);
    const { code = '', state, iss } = Object.fromEntries(new URL(page.url()).searchParams);
    expect({ state, iss }).toEqual({ state: 'x y&z', iss: dashboard.url });
    const { body } = await postToken(dashboard.server, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
    });
    expect(body.scope).toBe(ALL);

    await page.goto(`${dashboard.url}/account`);
    await page.getByRole('tab', { name: 'Connected clients' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Example agent' });
    await row.getByText('Read and change, with money').waitFor();
    await check(page, 'account-clients');
    await row.getByRole('button', { name: 'Disconnect Example agent from Acme' }).click();
    await page
      .getByRole('alertdialog', { name: 'Disconnect this client?' })
      .or(page.getByRole('dialog', { name: 'Disconnect this client?' }))
      .getByRole('button', { name: 'Disconnect' })
      .click();
    await page.getByText('You have let no program in.').waitFor();
    const client = dashboard.server.http.withKey(body.access_token as string);
    expect((await client.get('/v2/projects')).status).toBe(401);
  });

  it('can be denied, by keyboard, on a small screen and in the dark; a request that cannot be used says why', async () => {
    dashboard.expectProblem(/status of 400/);
    const clientId = await registerClient(dashboard.server, {
      client_name: `${'Very long name of an agent '.repeat(3)}`.trim(),
      redirect_uris: [redirectUri],
    });
    const asked = { client_id: clientId, redirect_uri: redirectUri, code_challenge: newPkce().challenge };
    const small = { width: 360, height: 640, theme: 'dark' } as const;
    const page = await dashboard.open(authorizePath({ ...asked, scope: ALL }), undefined, small);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(await overflow()).toBe(0);
    await check(page, 'oauth-consent-small');
    await page.getByRole('button', { name: 'Deny' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${redirectUri}?error=access_denied**`);

    await page.goto(dashboard.url + authorizePath({ ...asked, client_id: 'oac_unknown' }));
    await page.getByRole('heading', { name: 'This request cannot be used' }).waitFor();
    expect(await overflow()).toBe(0);
    await check(page, 'oauth-refused');
  });
});
