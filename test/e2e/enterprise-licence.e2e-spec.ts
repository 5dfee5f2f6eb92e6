import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signUp } from '../support/arrange.js';
import {
  createOrganization,
  licencePublicKey,
  startEnterpriseServer,
  startLicensedServer,
  testLicence,
} from '../support/arrange-enterprise.js';
import { createTestDatabase } from '../support/database/index.js';
import { runCommand } from '../support/command-line.js';
import { startServerProcess } from '../support/server-process.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

describe('the enterprise edition', () => {
  const servers: TestServer[] = [];
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-licence-'));
  });

  afterAll(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const started = async (server: Promise<TestServer>): Promise<TestServer> => {
    servers.push(await server);
    return server;
  };

  it('answers 404 in the open build, also for what it has', async () => {
    const server = await started(startTestServer());
    const { session } = await signUp(server);
    const { document } = await started(startEnterpriseServer());
    const paths = Object.entries(document.paths).filter(([, operations]) =>
      Object.values(operations as Record<string, object>).some((operation) => 'x-enterprise' in operation),
    );
    expect(paths.length).toBeGreaterThan(8);
    for (const [path, operations] of paths) {
      for (const method of Object.keys(operations)) {
        const answer = await session.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), undefined);
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
      expect(server.document.paths).not.toHaveProperty([path]);
    }
    expect((await server.http.get('/auth/config')).body.sso).toBe(false);
  });

  it('loads none of its files in the open build', async () => {
    const database = await createTestDatabase();
    try {
      const loadedWith = async (env: NodeJS.ProcessEnv): Promise<string[]> => {
        const coverage = await mkdtemp(join(folder, 'coverage-'));
        const server = await startServerProcess(database.url, {
          SERVICE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
          SERVICE_DEMO: 'false',
          NODE_V8_COVERAGE: coverage,
          ...env,
        });
        await server.stop();
        const files = await Promise.all(
          (await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')),
        );
        const scripts = files.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result);
        return scripts.map(({ url }) => url).filter((url) => url.includes('/dist/src/'));
      };
      const isEnterprise = (url: string) => url.includes('/src/enterprise/');
      const open = await loadedWith({});
      expect(open.length).toBeGreaterThan(500);
      expect(open.filter(isEnterprise)).toEqual([]);
      const enterprise = await loadedWith({ SERVICE_EE_DEV: 'true' });
      expect(enterprise.filter(isEnterprise).length).toBeGreaterThan(10);
    } finally {
      await database.drop();
    }
  });

  it('has every feature in development, and a person can make an organization', async () => {
    const server = await started(startEnterpriseServer());
    const { id, path, owner } = await createOrganization(server);
    expect((await server.http.get('/v2/enterprise')).status).toBe(401);
    const { body: status } = await owner.session.get('/v2/enterprise');
    expect(status).toMatchObject({ mode: 'development', licensee: null, expires_at: null });
    expect(status.features).toHaveLength(7);
    expect(status.message).toContain('no licence');
    const { body } = await owner.session.get(path);
    expect(body).toMatchObject({
      object: 'organization',
      id,
      your_role: 'owner',
      region: 'us',
      member_count: 1,
    });
    const { body: list } = await owner.session.get('/v2/organizations');
    expect(list.items).toEqual([body]);
  });

  it('has the features of its licence until 14 days after it expires, judged at each request', async () => {
    const expiresAtMs = TEST_START_MS + DAY_MS;
    const env = {
      SERVICE_LICENSE_KEY: testLicence({ features: ['organizations'], expiresAtMs, maxOrganizations: 1 }),
      SERVICE_LICENSE_PUBLIC_KEY: licencePublicKey,
      // The key decides.
      SERVICE_EE_DEV: 'true',
      SERVICE_ALLOW_SIGNUP: 'true',
    };
    const server = await started(startTestServer({ env }));
    const { session } = await signUp(server);
    const status = async () => (await session.get('/v2/enterprise')).body;
    expect(await status()).toEqual({
      object: 'enterprise',
      mode: 'licensed',
      features: ['organizations'],
      licensee: 'Acme GmbH',
      expires_at: expiresAtMs,
      message: null,
    });
    const { body: organization } = await session.post('/v2/organizations', { name: 'Acme' });
    const second = await session.post('/v2/organizations', { name: 'Second' });
    expect([second.status, second.body.type]).toEqual([403, 'authorization_error']);
    const path = `/v2/organizations/${organization.id}`;
    const refused = await session.post(path, { region: 'eu' });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'The feature `data_location` is not licensed on this server.',
    ]);

    server.clock.advanceMs(DAY_MS);
    expect(await status()).toMatchObject({ mode: 'licensed', licensee: 'Acme GmbH' });
    expect((await status()).message).toContain('Renew');
    server.clock.advanceMs(14 * DAY_MS - 1);
    expect((await session.get(path)).status).toBe(200);
    // The decision is cached for a minute.
    server.clock.advanceMs(60_000);
    expect(await status()).toMatchObject({ mode: 'invalid', features: [], licensee: null, expires_at: null });
    const expired = await session.get(path);
    expect([expired.status, expired.body.type]).toEqual([403, 'authorization_error']);
    expect(expired.body.message).toContain('expired on 2026-01-03');
  });

  it.each([
    ['of another format', 'svl2_nothing'],
    ['changed', testLicence().replace(/^svl1_.{4}/, 'svl1_eyJ3')],
    ['signed by an unknown key', testLicence({}, randomBytes(32))],
    ['for another edition', testLicence({ editions: ['cloud'] })],
    ['issued in the future', testLicence({ issuedAtMs: TEST_START_MS + 2 * DAY_MS })],
  ])('answers only that a licence %s is invalid', async (_, key) => {
    const env = { SERVICE_LICENSE_KEY: ` ${key}\n`, SERVICE_LICENSE_PUBLIC_KEY: licencePublicKey };
    const server = await startTestServer({ env });
    try {
      const { session } = await signUp(server);
      const { status, body } = await session.get('/v2/enterprise');
      expect([status, body.mode, body.features, body.licensee]).toEqual([200, 'invalid', [], null]);
      expect(body.message).toMatch(/^The /);
      expect((await session.get('/v2/organizations')).status).toBe(403);
      expect((await session.get('/v2/organizations/org_x')).status).toBe(403);
    } finally {
      await server.close();
    }
  });

  it('refuses to start in development on the hosted edition', async () => {
    const server = await started(startEnterpriseServer({ env: { SERVICE_EDITION: 'cloud' } }));
    const { session } = await signUp(server);
    expect((await session.get('/v2/enterprise')).body).toMatchObject({ mode: 'invalid', features: [] });
  });

  it('answers 403 for a feature that is not licensed before it looks who asks', async () => {
    const server = await started(startLicensedServer(['sso']));
    const { session } = await signUp(server);
    for (const url of ['/v2/organizations', '/v2/organizations/org_none']) {
      const { status, body } = await session.get(url);
      expect([url, status, body.type]).toEqual([url, 403, 'authorization_error']);
      expect(body.message).toContain('`organizations`');
      expect((await server.http.get(url)).status).toBe(401);
    }
  });

  it('issues and inspects licences on the command line', async () => {
    const licence = (args: string[], env: NodeJS.ProcessEnv = {}) => runCommand(['licence', ...args], env);
    const { output: pair } = await licence(['keygen']);
    const [, seed = ''] = /^private key.*: (\S+)$/m.exec(pair) ?? [];
    const [, publicKey = ''] = /^public key.*: (\S+)$/m.exec(pair) ?? [];
    const keyFile = join(folder, 'issuer.key');
    await writeFile(keyFile, seed);
    const options = ['--licensee', 'Acme', '--features', 'sso,scim', '--expires', '2999-12-31'];
    const { output: key } = await licence(['issue', '--key-file', keyFile, ...options]);
    const [signed = '', signature = ''] = key.trim().split('.');
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(publicKey, 'base64'),
    ]);
    const verifier = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(signed), verifier, Buffer.from(signature, 'base64url'))).toBe(true);
    const { output } = await licence(['inspect', key.trim()], { SERVICE_LICENSE_PUBLIC_KEY: publicKey });
    expect(JSON.parse(output)).toMatchObject({
      licence: { licensee: 'Acme', features: ['sso', 'scim'] },
      status: { mode: 'licensed', expiresAtMs: Date.UTC(2999, 11, 31) },
    });
    const foreign = await licence(['inspect'], { SERVICE_LICENSE_KEY: key.trim() });
    expect(foreign.errors).toContain('signed by an unknown key');
    const unknown = await licence(['issue', '--key-file', keyFile, '--licensee', 'A', '--features', 'magic']);
    expect(unknown.errors).toContain('magic is no feature');
  });
});
