import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { joinAs, type SignedUp } from '../support/arrange.js';
import { McpCaller } from '../support/arrange-mcp.js';
import type { Answer } from '../support/api-client.js';
import {
  agree,
  allowAt,
  type Fields,
  FORM,
  formOf,
  type LetIn,
  letClientIn,
  postToken,
  REDIRECT_URI,
  registerClient,
} from '../support/arrange-oauth.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { SignInMemory } from '../support/mcp-sign-in.js';
import { strictFlow } from '../support/strict-oauth-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { toolDefinitions } from '../../src/agents/mcp/tools/index.js';

describe('POST /mcp by an OAuth client', () => {
  let server: TestServer;
  let store: TestStore;
  let owner: Pick<SignedUp, 'session' | 'projectId'>;

  /** A client with a token of the person. */
  const granted = async (scope: string, person = owner): Promise<McpCaller> =>
    new McpCaller(server, (await letClientIn(server, person, scope)).tokens.access_token);

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    store = await createTestStore(server);
    owner = { session: store.session, projectId: store.projectId };
  });

  afterAll(() => server.close());

  // The limit counts by the minute.
  beforeEach(() => server.clock.advanceMs(60_000));

  it('requests the scope of a tool, and may call it then', async () => {
    const clientId = await registerClient(server);
    const reading = await letClientIn(server, owner, 'project:read', clientId);
    const args = { app_id: store.appId, store_identifier: 'stepped', type: 'consumable' };
    const refused = await new McpCaller(server, reading.tokens.access_token).call('create_product', args);
    expect(refused.status).toBe(403);
    const [, scope = ''] = /scope="([^"]+)"/.exec(refused.answer.headers['www-authenticate'] ?? '') ?? [];
    expect(scope).toBe('project:read project:write');
    const writing = await letClientIn(server, owner, scope, clientId);
    const allowed = await new McpCaller(server, writing.tokens.access_token).call('create_product', args);
    expect([allowed.status, allowed.isError]).toEqual([200, false]);
  });

  it('simulates purchases with the scope to change things: no money moves', async () => {
    const args = { app_user_id: 'simulated', product_id: store.products.monthly.id };
    const reading = await (await granted('project:read project:money')).call('create_test_purchase', args);
    expect([reading.status, reading.answer.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="project:read project:write project:money"'),
    ]);
    const writing = await (await granted('project:read project:write')).call('create_test_purchase', args);
    expect([writing.status, writing.isError, writing.value.object]).toEqual([200, false, 'test_purchase']);
  });

  it('sees the tools for which it has no scope yet', async () => {
    expect(await (await granted('project:read')).tools()).toHaveLength(toolDefinitions.length);
  });

  const tokenFor = async (resource?: string): Promise<string> => {
    const clientId = await registerClient(server);
    const asked = { clientId, scope: 'project:read', ...(resource && { resource }) };
    const choice = { project_id: store.projectId, access: 'project:read' };
    const { code, verifier } = await agree(store.session, asked, choice);
    const { body } = await postToken(server, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    });
    return body.access_token as string;
  };

  it('has a token for this endpoint, not for another', async () => {
    for (const resource of [undefined, server.baseUrl, `${server.baseUrl}/mcp`, `${server.baseUrl}/mcp/`]) {
      const caller = new McpCaller(server, await tokenFor(resource));
      const { status, isError } = await caller.call('get_project');
      expect([resource, status, isError]).toEqual([resource, 200, false]);
    }
    const other = new McpCaller(server, await tokenFor(`${server.baseUrl}/v2`));
    const { status, headers } = await other.rpc('tools/list');
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  });

  it('has a token for this endpoint only if it asked for that', async () => {
    const atRest = async (resource?: string): Promise<number> => {
      const client = server.http.withKey(await tokenFor(resource));
      return (await client.get(`/v2/projects/${store.projectId}`)).status;
    };
    const asked = [undefined, '/mcp', '', '/v2'].map((rest) =>
      rest === undefined ? undefined : server.baseUrl + rest,
    );
    const statuses = await Promise.all(asked.map(atRest));
    expect(statuses).toEqual([200, 401, 200, 200]);
  });

  it.each(['/mcp', '/mcp/'])('works from discovery to revocation if it is strict (%s)', async (path) => {
    await expect(strictFlow(server, owner, path)).resolves.toEqual({
      scope: 'project:read',
      status: 200,
      revoked: true,
    });
  });

  describe('that is an official one, and was given the address with a slash', () => {
    const info = { name: 'official', version: '1' };
    const versions = {
      '1': (url: URL, authProvider: SignInMemory) => {
        const client = new ClientV1(info);
        const transport = new TransportV1(url, { authProvider });
        return { client, connect: () => client.connect(transport), transport };
      },
      '2': (url: URL, authProvider: SignInMemory) => {
        const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
        const transport = new StreamableHTTPClientTransport(url, { authProvider });
        return { client, connect: () => client.connect(transport), transport };
      },
    };

    it.each(['1', '2'] as const)('registers, signs in and calls a tool (version %s)', async (version) => {
      const memory = new SignInMemory(REDIRECT_URI);
      const open = () => versions[version](new URL(`${server.baseUrl}/mcp/`), memory);
      const first = open();
      await expect(first.connect()).rejects.toThrow();
      const asked = memory.takeAsked();
      expect(asked.searchParams.get('resource')).toBe(`${server.baseUrl}/mcp/`);
      const { searchParams } = await allowAt(owner, asked);
      if (first.transport instanceof TransportV1)
        await first.transport.finishAuth(searchParams.get('code') ?? '');
      else await first.transport.finishAuth(searchParams);
      const { client, connect } = open();
      await connect();
      const { structuredContent } = await client.callTool({ name: 'get_project', arguments: {} });
      await client.close();
      const elsewhere = new McpCaller(server, memory.saved.tokens?.access_token ?? '');
      expect((await elsewhere.call('get_project')).value).toEqual(structuredContent);
    });
  });

  it('deletes a customer with the scope to move money only, here and over REST', async () => {
    const rest = (scope: string) => letClientIn(server, owner, scope);
    for (const id of ['deleted-by-tool', 'deleted-by-route']) {
      await store.backend.post(`${store.path}/customers`, { id });
    }
    const args = { customer_id: 'deleted-by-tool', confirm: 'deleted-by-tool' };
    const url = `${store.path}/customers/deleted-by-route`;
    const writing = 'project:read project:write';
    for (const { status, headers } of [
      (await (await granted(writing)).call('delete_customer', args)).answer,
      await (await rest(writing)).client.delete(url),
    ]) {
      expect([status, headers['www-authenticate']]).toEqual([
        403,
        expect.stringContaining('scope="project:read project:write project:money"'),
      ]);
    }
    const money = `${writing} project:money`;
    expect((await (await granted(money)).call('delete_customer', args)).isError).toBe(false);
    expect((await (await rest(money)).client.delete(url)).status).toBe(200);
  });

  it('loses access when the token expires, its person leaves or loses the role, or its grant ends', async () => {
    const member = await joinAs(server, 'admin', store.projectId);
    const person = { session: member.session, projectId: store.projectId };
    const caller = await granted('project:read project:write project:money', person);
    const create = { lookup_key: 'by-member', display_name: 'x' };
    expect((await caller.call('get_project')).isError).toBe(false);
    const setRole = (role: string | null) =>
      server.dataSource.query(
        role === null
          ? `DELETE FROM project_members WHERE project_id = $1 AND user_id = (SELECT id FROM users WHERE email = $2)`
          : `UPDATE project_members SET role = '${role}'
             WHERE project_id = $1 AND user_id = (SELECT id FROM users WHERE email = $2)`,
        [store.projectId, member.email],
      );
    await setRole('viewer');
    expect((await caller.call('create_entitlement', create)).status).toBe(403);
    await setRole(null);
    expect((await caller.call('get_project')).status).toBe(401);

    const { tokens, clientId } = await letClientIn(server, owner);
    const expiring = new McpCaller(server, tokens.access_token);
    server.clock.advanceMs(3_600_001);
    expect((await expiring.call('get_project')).status).toBe(401);
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: clientId,
    };
    const { body } = await postToken(server, fields);
    const refreshed = new McpCaller(server, body.access_token as string);
    expect((await refreshed.call('get_project')).isError).toBe(false);
    await server.http.send(
      'POST',
      '/oauth/revoke',
      `token=${body.access_token as string}&client_id=${clientId}`,
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    expect((await refreshed.call('get_project')).status).toBe(401);
  });

  describe('that repeats a refresh', () => {
    const refresh = ({ tokens, clientId }: LetIn, more: Fields = {}): Promise<Answer> =>
      postToken(server, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        client_id: clientId,
        ...more,
      });
    const works = async ({ body }: Answer): Promise<boolean> =>
      (await new McpCaller(server, body.access_token as string).call('get_project')).status === 200;

    it('returns the same refresh token within a minute, and every access token works until the next', async () => {
      const first = await letClientIn(server, owner, 'project:read project:write');
      const once = await refresh(first);
      expect(await works(once)).toBe(true);
      server.clock.advanceMs(60_000);
      const again = await refresh(first, { scope: 'project:read' });
      expect([again.status, again.body.refresh_token, again.body.scope]).toEqual([
        200,
        once.body.refresh_token,
        'project:read',
      ]);
      expect([await works(once), await works(again)]).toEqual([true, true]);
      const limited = new McpCaller(server, again.body.access_token as string);
      expect((await limited.call('create_entitlement', { lookup_key: 'x', display_name: 'x' })).status).toBe(
        403,
      );
      const next = await refresh({ ...first, tokens: again.body });
      expect(next.body.scope).toBe('project:read project:write');
      expect([await works(once), await works(again), await works(next)]).toEqual([false, false, true]);
    });

    it('returns a lost answer again days later, and can revoke it', async () => {
      const first = await letClientIn(server, owner);
      const answers = await Promise.all([refresh(first), refresh(first)]);
      const tokens = answers.map(({ body }) => body.refresh_token);
      expect([answers.map(({ status }) => status), new Set(tokens).size]).toEqual([[200, 200], 1]);
      server.clock.advanceMs(2 * 86_400_000);
      const late = await refresh(first);
      expect([late.body.refresh_token, await works(late)]).toEqual([tokens[0], true]);
      const body = formOf({ token: late.body.access_token, client_id: first.clientId });
      expect((await server.http.send('POST', '/oauth/revoke', body, FORM)).status).toBe(200);
      expect((await refresh({ ...first, tokens: late.body })).status).toBe(400);
    });
  });
});
