import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { patientServer } from '../../support/patient-server.js';
import { PASSWORD } from '../../support/arrange.js';
import { authorizePath, newPkce, postToken, registerClient } from '../../support/arrange-oauth.js';
import { SignInMemory } from '../../support/mcp-sign-in.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const ALL = 'project:read project:write project:money';

/** One of the official clients, with the memory of its sign-in. */
interface Official {
  /** @throws Error when the person has to be asked */
  connect(): Promise<void>;
  /** Completes the sign-in with the parameters of the redirect. */
  finish(parameters: URLSearchParams): Promise<void>;
  call(name: string, args?: object): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'official', version: '1' };

/** After a 403 this version refreshes, which gives no more scopes; programs hide the refresh token, so that it asks. */
function asking(memory: SignInMemory): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 403) memory.mustAsk = true;
    return response;
  };
}

function version1(url: URL, authProvider: SignInMemory): Official {
  let client: ClientV1;
  let transport: TransportV1;
  return {
    async connect() {
      client = new ClientV1(info);
      transport = new TransportV1(url, { authProvider, fetch: asking(authProvider) });
      await client.connect(transport);
      await client.listTools();
    },
    finish: (parameters) => transport.finishAuth(parameters.get('code') ?? ''),
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } })).structuredContent,
    close: () => client.close(),
  };
}

function version2(url: URL, authProvider: SignInMemory): Official {
  let client: Client;
  let transport: StreamableHTTPClientTransport;
  return {
    async connect() {
      client = new Client(info, { versionNegotiation: { mode: 'auto' } });
      transport = new StreamableHTTPClientTransport(url, { authProvider });
      await client.connect(transport);
      await client.listTools();
    },
    finish: (parameters) => transport.finishAuth(parameters),
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } })).structuredContent,
    close: () => client.close(),
  };
}

describeInBrowser('letting a program in', () => {
  const dashboard = useDashboard({ begin: 'project' });
  /** The program's own address, to which the browser comes back. */
  let callback: Server;
  let redirectUri: string;

  beforeAll(async () => {
    callback = createServer(patientServer, (_, response) => {
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
    await signIn(page);
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
    await page.getByText('No connected apps.').waitFor();
    const client = dashboard.server.http.withKey(body.access_token as string);
    expect((await client.get('/v2/projects')).status).toBe(401);
  });

  it('supports denial by keyboard, on a small screen and in the dark; an unusable request says why', async () => {
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

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Email address').fill(dashboard.owner.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** The person allows what the open page asks. Returns what comes back to the client. */
  async function allow(page: Page): Promise<URLSearchParams> {
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirectUri}?**`);
    return new URL(page.url()).searchParams;
  }

  it.each([
    ['1', version1],
    ['2', version2],
  ])(
    'takes the official client of version %s from the first 401 through consent, step-up and refresh to the revocation',
    async (_, official) => {
      const memory = new SignInMemory(redirectUri);
      const client = official(new URL(`${dashboard.url}/mcp`), memory);
      await expect(client.connect()).rejects.toThrow();
      const first = memory.takeAsked();
      expect(first.searchParams.get('resource')).toBe(`${dashboard.url}/mcp`);
      const page = await dashboard.open(first.pathname + first.search, null);
      await signIn(page);
      await page.getByRole('heading', { name: 'Let Official client in?' }).waitFor();
      const answered = await allow(page);
      expect([answered.get('state'), answered.get('iss')]).toEqual([
        first.searchParams.get('state'),
        dashboard.url,
      ]);
      await client.finish(answered);
      await client.close();
      await client.connect();
      expect(memory.saved.tokens).toMatchObject({ token_type: 'Bearer', scope: 'project:read' });
      expect(await client.call('get_project')).toMatchObject({ id: dashboard.projectId, name: 'Acme' });

      // A tool that needs more: the client asks its person again, who finds the project chosen.
      const gold = { lookup_key: `gold-${official.name}`, display_name: 'Gold' };
      await expect(client.call('create_entitlement', gold)).rejects.toThrow();
      const more = memory.takeAsked();
      expect(more.searchParams.get('scope')?.split(' ')).toEqual(
        expect.arrayContaining(['project:read', 'project:write']),
      );
      await page.goto(more.href);
      expect(await page.getByRole('radio', { name: /^read and change/ }).isChecked()).toBe(true);
      await client.finish(await allow(page));
      expect(await client.call('create_entitlement', gold)).toMatchObject(gold);

      // The access token expires: the user is not asked.
      const { access_token: old } = memory.saved.tokens ?? {};
      dashboard.server.clock.advanceMs(3_600_001);
      expect(await client.call('get_project')).toMatchObject({ id: dashboard.projectId });
      expect([memory.saved.tokens?.access_token === old, memory.asked]).toEqual([false, null]);

      const token = memory.saved.tokens?.refresh_token ?? '';
      const body = new URLSearchParams({ token, client_id: memory.saved.client?.client_id ?? '' });
      const revoked = await fetch(`${dashboard.url}/oauth/revoke`, { method: 'POST', body });
      expect(revoked.status).toBe(200);
      await expect(client.call('get_project')).rejects.toThrow();
      expect(memory.takeAsked().pathname).toBe('/oauth/authorize');
      await client.close();
    },
  );

  it('stops in the client of version 2 when another server answers (mix-up)', async () => {
    const memory = new SignInMemory(redirectUri);
    const client = version2(new URL(`${dashboard.url}/mcp`), memory);
    await expect(client.connect()).rejects.toThrow();
    const { pathname, search } = memory.takeAsked();
    const answered = await allow(await dashboard.open(pathname + search));
    for (const iss of ['https://evil.example', null]) {
      const changed = new URLSearchParams(answered);
      if (iss === null) changed.delete('iss');
      else changed.set('iss', iss);
      await expect(client.finish(changed)).rejects.toThrow(/iss/i);
    }
    await client.finish(answered);
    expect(memory.saved.tokens?.scope).toBe('project:read');
    await client.close();
  });
});
