import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { sealedColumns } from '../../src/cli/sealed-texts.js';
import { createSecretKey, joinAs, PASSWORD, signUp } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { runCommand, runCommandProcess } from '../support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startPretendedPooler } from '../support/database/pretended-pooler.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { enableTwoFactor, startSignIn } from '../support/two-factor.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { examineCredentials } from '../../src/cli/doctor/credentials.js';
import { examineDirectUrl } from '../../src/cli/doctor/direct-url.js';
import { appUserIdHash } from '../../src/platform/observability/app-user-id-hash.js';
import { CredentialHealthService } from '../../src/stores/shared/credential-health.service.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';

const OLD_KEY = Buffer.alloc(32, 1).toString('base64');
const NEW_KEY = Buffer.alloc(32, 2).toString('base64');

describe('the command line', () => {
  let server: TestServer;
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };
    server = await startTestServer({ databaseUrl: database.url, env });
    folder = await mkdtemp(join(tmpdir(), 'tenure-cli-'));
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  interface Options {
    env?: NodeJS.ProcessEnv;
    url?: string;
    input?: string;
  }

  const environment = ({ env, url = server.databaseUrl }: Options): NodeJS.ProcessEnv => ({
    DATABASE_URL: url,
    SERVICE_ENCRYPTION_KEY: OLD_KEY,
    SERVICE_DEMO: 'false',
    ...env,
  });
  const tenure = (args: string[], options: Options = {}) =>
    runCommand(args, environment(options), options.input);
  const tenureProcess = (args: string[], options: Options = {}) =>
    runCommandProcess(args, environment(options), options.input);

  it('prints the hash of an app user id in the log', async () => {
    const { output, status } = await tenureProcess(['log-id', 'ada@example.com']);
    const key = Buffer.from(OLD_KEY, 'base64');
    expect([status, output]).toEqual([0, `${appUserIdHash(key)('ada@example.com')}\n`]);
  });

  it('explains itself, and names every problem of the configuration', async () => {
    const help = await tenureProcess(['--help']);
    expect(help.status).toBe(0);
    for (const name of ['serve', 'migrate', 'create-owner', 'doctor', 'keys', 'export', 'verify']) {
      expect(help.output).toContain(name);
    }
    const wrong = await tenureProcess(['doctor'], { env: { PORT: 'x', SERVICE_ROLE: 'y' } });
    expect(wrong.status).toBe(1);
    expect(wrong.errors).toMatch(/PORT must.*\n.*SERVICE_ROLE must/);
  });

  it.each([
    ['an address where nothing listens', ['doctor'], /DATABASE_URL.*ECONNREFUSED/],
    [
      'a file to compare with that is not there',
      ['verify', '--against', '/does/not/exist'],
      /\/does\/not\/exist/,
    ],
  ])('says in one line what is wrong with %s', async (_, args, message) => {
    const found = await tenureProcess(args, { url: 'postgres://nobody:qFh3vXw8Lr@127.0.0.1:9/tenure' });
    expect([found.status, found.errors.trim().split('\n').length]).toEqual([1, 1]);
    expect(found.errors).toMatch(message);
    expect(found.errors).not.toContain('qFh3vXw8Lr');
  });

  it('says in one line that there is no schema yet, or no folder for the embedded database', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const bare = await tenureProcess(['export', '--project', 'proj1'], { url: empty.url });
    expect([bare.status, bare.errors]).toEqual([
      1,
      'The database has no such table yet; run: tenure migrate\n',
    ]);
    await empty.drop();
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const blocked = await tenureProcess(['doctor'], {
      url: '',
      env: { SERVICE_DATA_DIR: join(file, 'data') },
    });
    expect([blocked.status, blocked.errors.trim().split('\n').length]).toEqual([1, 1]);
    expect(blocked.errors).toMatch(/cannot be used: ENOTDIR.*DATABASE_URL.*SERVICE_DATA_DIR/);
  });

  it('ends quietly when the reader of an export leaves', async () => {
    const { projectId } = await createTestStore(server);
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: server.databaseUrl,
      SERVICE_ENCRYPTION_KEY: OLD_KEY,
    };
    const command = `"${process.execPath}" scripts/tenure.mjs export --project ${projectId} | head -n 0; echo "\${PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['--norc', '--noprofile', '-c', command], { env });
    const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect([output, errors]).toEqual(['0\n', '']);
  });

  it('migrates an empty database, and tells what is to be done before and after', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const url = empty.url;
    const before = await tenure(['migrate', '--status'], { url });
    expect([before.status, before.output.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(/^pending {2}Foundation/),
    ]);
    expect((await tenure(['doctor'], { url })).status).toBe(1);
    expect(await tenure(['migrate'], { url })).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^ran Foundation/),
    });
    expect((await tenure(['migrate', '--status'], { url })).status).toBe(0);
    expect((await tenure(['migrate'], { url })).output).toBe('The schema is up to date.\n');
    await empty.drop();
  });

  it('creates an owner who can sign in, with a given password or a made one', async () => {
    const args = ['create-owner', '--email', 'Ada@Example.com', '--project', 'First'];
    const made = await tenure(args);
    expect(made.status).toBe(0);
    const password = /Password: (\S+)/.exec(made.output)?.[1];
    const signedIn = await server.http.post('/auth/login', { email: 'ada@example.com', password });
    expect(signedIn.status).toBe(200);
    expect(await tenure(args)).toMatchObject({ status: 1, errors: 'This address already has an account.\n' });
    const given = await tenureProcess(['create-owner', '--email', 'bob@example.com', '--password-stdin'], {
      input: 'a good password\n',
    });
    expect(given.output).not.toContain('a good password');
    const bob = { email: 'bob@example.com', password: 'a good password' };
    expect((await server.http.post('/auth/login', bob)).status).toBe(200);
    for (const [email, input] of [
      ['nobody', 'a good password'],
      ['eve@example.com', 'short'],
    ] as const) {
      expect((await tenure(['create-owner', '--email', email, '--password-stdin'], { input })).status).toBe(
        1,
      );
    }
  });

  it('sets a new password, ends the sessions of the user and records it in their projects', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    const signIn = async (password: string | undefined) =>
      (await server.http.post('/auth/login', { email: ada.email, password })).status;
    const made = await tenure(['user', 'reset-password', ada.email.toUpperCase()]);
    expect([made.status, made.errors]).toEqual([0, '']);
    expect(made.output).toContain(`Changed the password of ${ada.email}; sessions ended: 1.`);
    const password = /^Password: (\S{24})$/m.exec(made.output)?.[1];
    expect((await ada.session.get('/auth/me')).status).toBe(401);
    expect((await bob.session.get('/auth/me')).status).toBe(200);
    expect([await signIn(PASSWORD), await signIn(password)]).toEqual([401, 200]);

    const given = await tenure(['user', 'reset-password', ada.email, '--password-stdin'], {
      input: 'another good one\n',
    });
    expect([given.status, given.errors]).toEqual([0, '']);
    expect(given.output).not.toContain('another good one');
    expect([await signIn(password), await signIn('another good one')]).toEqual([401, 200]);
    const rows = await server.dataSource.query<object[]>(
      `SELECT action_type AS action, actor_type AS actor, target_type AS target FROM audit_logs
       WHERE project_id = $1 AND action_type LIKE '%password%'`,
      [ada.projectId],
    );
    const row = { action: 'collaborator_password_reset', actor: 'system', target: 'collaborator' };
    expect(rows).toEqual([row, row]);

    const unknown = await tenure(['user', 'reset-password', 'nobody@example.com']);
    expect(unknown).toMatchObject({ status: 1, errors: 'This email address has no account.\n', output: '' });
    for (const input of ['short', 'eight\0or more']) {
      const refused = await tenure(['user', 'reset-password', ada.email, '--password-stdin'], { input });
      expect(refused.status).toBe(1);
      expect(refused.errors).not.toContain(input);
    }
    expect(await signIn('another good one')).toBe(200);
  });

  it('lists people with their projects and roles, for people and for programs', async () => {
    const [ada, bob] = [await signUp(server, { projectName: 'Red \u001b[31m' }), await signUp(server)];
    await enableTwoFactor(server, bob);
    await tenure(['user', 'make-owner', bob.email, ada.projectId]);
    const { status, output } = await tenure(['user', 'list']);
    expect(status).toBe(0);
    const [, described = ''] = output.split(`${ada.email}, `);
    expect(described.split('\n').slice(0, 2)).toEqual([
      'created 2026-01-02T03:04:05Z, two-factor off',
      `  ${ada.projectId}  admin  Red \ufffd[31m`,
    ]);

    const lines = (await tenure(['user', 'list', '--json'])).output.trim().split('\n');
    const found = lines.map((line) => JSON.parse(line)).find(({ email }) => email === bob.email);
    expect(found).toEqual({
      email: bob.email,
      name: null,
      created_at: '2026-01-02T03:04:05Z',
      two_factor: true,
      projects: expect.arrayContaining([
        { id: ada.projectId, name: 'Red \u001b[31m', role: 'admin' },
        { id: bob.projectId, name: 'My project', role: 'admin' },
      ]),
    });
  });

  it('turns two-factor off for a user, and records it in their projects', async () => {
    const ada = await signUp(server);
    await enableTwoFactor(server, ada);
    const waiting = await startSignIn(server, ada);
    const off = await tenure(['user', 'disable-2fa', ada.email.toUpperCase()]);
    expect(off).toEqual({ status: 0, output: `Two-factor of ${ada.email} is off.\n`, errors: '' });
    expect(await startSignIn(server, ada)).toBeUndefined();
    const late = { login_token: waiting, code: '123456' };
    expect((await server.http.post('/auth/login/2fa', late)).status).toBe(401);
    expect(await auditedIn(ada.projectId)).toEqual(['system collaborator_two_factor_disabled']);
    expect(await tenure(['user', 'disable-2fa', 'nobody@example.com'])).toEqual({
      status: 1,
      output: '',
      errors: 'This email address has no account.\n',
    });
  });

  it('makes a user admin of a project, whether they are a member or not', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    const member = await joinAs(server, 'viewer', ada.projectId);
    for (const { email } of [bob, member]) {
      const made = await tenure(['user', 'make-owner', email, ada.projectId]);
      expect(made).toEqual({ status: 0, output: `${email} is an admin of ${ada.projectId}.\n`, errors: '' });
    }
    for (const { session } of [bob, member]) {
      const renamed = await session.post(`/v2/projects/${ada.projectId}`, { name: 'Ours' });
      expect(renamed.status).toBe(200);
    }
    const audited = await auditedIn(ada.projectId);
    expect(audited.filter((action) => action.includes('collaborator'))).toEqual([
      'system collaborator_added',
      'system collaborator_updated',
    ]);
    const refused = [
      await tenure(['user', 'make-owner', 'nobody@example.com', ada.projectId]),
      await tenure(['user', 'make-owner', bob.email, 'projnone']),
    ];
    expect(refused.map(({ status, errors }) => [status, errors])).toEqual([
      [1, 'This email address has no account.\n'],
      [1, 'There is no project "projnone".\n'],
    ]);
  });

  it('reassigns a public key that another project has used, in use or not', async () => {
    const [former, owner] = [await createTestStore(server), await createTestStore(server)];
    const importKey = () =>
      owner.backend.post(`${owner.path}/import/apps/${owner.appId}/public_key`, {
        public_key: former.publicKey,
      });
    expect((await importKey()).status).toBe(409);
    const unknown = await tenure(['public-key', 'reassign', former.publicKey, 'projnone']);
    expect([unknown.status, unknown.errors]).toEqual([1, 'There is no project "projnone".\n']);

    const { status, output } = await tenure(['public-key', 'reassign', former.publicKey, owner.projectId]);
    expect([status, output]).toEqual([
      0,
      `The public key is reserved for ${owner.projectId}, which can import it now.\n` +
        `App ${former.appId} of ${former.projectId} had it, and has a new key.\n`,
    ]);
    expect((await importKey()).status).toBe(200);
    const keys = await former.backend.get(`${former.path}/apps/${former.appId}/public_api_keys`);
    const [{ key }] = keys.body.items;
    expect(key).not.toBe(former.publicKey);
    const offerings = await server.http.withKey(key as string).get('/v1/subscribers/a/offerings');
    expect(offerings.status).toBe(200);
    const again = await tenure(['public-key', 'reassign', former.publicKey, owner.projectId]);
    expect(again.output).toBe(
      `The public key is reserved for ${owner.projectId}, which can import it now.\n`,
    );
  });

  async function auditedIn(projectId: string): Promise<string[]> {
    const rows = await server.dataSource.query<{ action: string }[]>(
      `SELECT actor_type || ' ' || action_type AS action FROM audit_logs
       WHERE project_id = $1 AND target_type = 'collaborator' ORDER BY id`,
      [projectId],
    );
    return rows.map(({ action }) => action);
  }

  it('finds a healthy database healthy, and a wrong key wrong', async () => {
    const store = await createTestStore(server);
    await store.backend.post(`/v2/projects/${store.projectId}/integrations/webhooks`, {
      name: 'Backend',
      url: 'https://example.com/hook',
    });
    const well = await tenure(['doctor']);
    expect(well.output).toMatch(/ok +The encryption key opens all \d+ secrets/);
    expect(well.output).toMatch(/ok +The schema is up to date/);
    expect(well.output).toMatch(/ok +PostgreSQL has no timeout that is shorter/);
    // Databases of tests do not wait for the disk.
    expect(well.output).toMatch(/failure +fsync is off/);
    expect(well.output).not.toContain('Replica');
    const crowded = await tenure(['doctor'], { env: { SERVICE_DATABASE_POOL_SIZE: '500' } });
    expect(crowded.output).toMatch(
      /months of events 500 connections can need \d+: set max_locks_per_transaction to \d+/,
    );
    const alone = await tenure(['doctor'], { env: { SERVICE_DATABASE_REPLICA_URLS: server.databaseUrl } });
    expect([alone.status, alone.output]).toEqual([
      1,
      expect.stringMatching(/failure +Replica 1 \([^@]*\) is not a replica/),
    ]);
    const wrong = await tenure(['doctor'], { env: { SERVICE_ENCRYPTION_KEY: NEW_KEY } });
    expect(wrong.output).toMatch(
      /failure +The encryption key does not open webhook_integrations\.sealed_signing_secret/,
    );
  });

  it('names the apps whose credentials do not open, or are refused by their store', async () => {
    const store = await createTestStore(server);
    const app = await store.backend.post(`${store.path}/apps`, {
      name: 'iPhone',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app', shared_secret: 'f'.repeat(32) },
    });
    const appId = app.body.id as string;
    const known = () => examineCredentials(server.dataSource);
    const none = [{ level: 'ok', text: 'No store is known to refuse the credentials of an app' }];
    expect(await known()).toEqual(none);
    const health = server.app.get(CredentialHealthService);
    await health.failed(store.projectId, appId, 'The key was\nrevoked.');
    const refused = await tenure(['doctor']);
    const since = new Date(server.clock.nowMs()).toISOString();
    expect([refused.status, refused.output]).toEqual([
      1,
      expect.stringContaining(
        `failure  The store has refused the credentials of ${appId} (app_store) of ${store.projectId} since ${since}: The key was revoked.\n`,
      ),
    ]);
    await health.worked(store.projectId, appId);
    expect(await known()).toEqual(none);
    const closed = await tenure(['doctor'], { env: { SERVICE_ENCRYPTION_KEY: NEW_KEY } });
    expect(closed.output).toContain(
      `failure  The encryption key does not open apps.sealed_credentials of ${store.projectId}/${appId} (shared_secret)\n`,
    );
  });

  it('finds indexes that are missing, half made or not what they should be, and timeouts that are short', async () => {
    const broken = await createTestDatabase();
    const client = new pg.Client({ connectionString: broken.url });
    await client.connect();
    const findings = async () => {
      const { status, output } = await tenure(['doctor'], { url: broken.url });
      return { status, lines: output.split('\n').filter((line) => line.includes(' index')) };
    };
    await client.query(`
      DROP INDEX subscriptions_by_end;
      DROP INDEX customer_aliases_by_hash;
      CREATE INDEX customer_aliases_by_hash ON customer_aliases (project_id);
      CREATE INDEX somebody_elses ON customers (project_id);
      UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'customers_list'::regclass`);
    const { status, lines } = await findings();
    expect([status, lines]).toEqual([
      1,
      [
        'failure  The index customers_list is not valid: REINDEX INDEX CONCURRENTLY customers_list',
        expect.stringMatching(
          /^warning {2}The index customer_aliases_by_hash is not what it should be: DROP INDEX CONCURRENTLY customer_aliases_by_hash; CREATE INDEX CONCURRENTLY .*app_user_id_hash/,
        ),
        expect.stringMatching(
          /^failure {2}The index subscriptions_by_end is missing: CREATE INDEX CONCURRENTLY subscriptions_by_end ON public\.subscriptions /,
        ),
      ],
    ]);
    // The lines are the remedy.
    for (const line of lines)
      for (const remedy of /: (.*)/.exec(line)?.[1]?.split('; ') ?? []) await client.query(remedy);
    const name = new URL(broken.url).pathname.slice(1);
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = '3s'`);
    const mended = await tenure(['doctor'], { url: broken.url });
    expect(mended.output).toMatch(/^ok +All \d+ indexes are there and valid$/m);
    expect(mended.output).toMatch(/^warning +statement_timeout of PostgreSQL is 3000 ms, not longer than/m);
    await client.end();
    await broken.drop();
  });

  it('says whether the direct address leads to the same database, itself', async () => {
    const other = await createTestDatabase();
    const pooler = await startPretendedPooler(server.databaseUrl);
    const direct = (directDatabaseUrl: string | null, databaseUrl = server.databaseUrl) =>
      examineDirectUrl(server.dataSource, server.config.with({ databaseUrl, directDatabaseUrl }));
    const found = (level: string, text: string) => [
      { level, text: expect.stringMatching(new RegExp(`^${text}`)) },
    ];
    const name = String.raw`SERVICE_DATABASE_DIRECT_URL \([^@]*\)`;
    expect(await direct(null)).toEqual([]);
    expect(await direct(server.databaseUrl)).toEqual(found('ok', `${name} is the same database`));
    expect(await direct(other.url)).toEqual(found('failure', `${name} leads to another database, test_`));
    expect(await direct('postgres://nobody:qFh3vXw8Lr@127.0.0.1:9/tenure')).toEqual(
      found('failure', `${name} cannot be used: .*ECONNREFUSED`),
    );
    expect(await direct(null, pooler.url)).toEqual(found('warning', 'DATABASE_URL is a pooler and SERVICE_'));
    expect(await direct(null, 'postgres://nobody:qFh3vXw8Lr@127.0.0.1:9/tenure')).toEqual(
      found('failure', 'DATABASE_URL takes no further connection: .*ECONNREFUSED'),
    );
    expect(await direct(server.databaseUrl, pooler.url)).toEqual(found('ok', `${name} is the same`));
    const recorded = await tenure(['doctor'], { env: { SERVICE_DATABASE_DIRECT_URL: pooler.url } });
    expect([recorded.status, recorded.output]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^failure +${name} is a pooler`, 'm')),
    ]);
    pooler.close();
    await other.drop();
  });

  it('seals everything anew under another key while servers use both', async () => {
    const endpoint = await startReceiver();
    const { projectId, session } = await signUp(server);
    const { client } = await createSecretKey(session, projectId);
    const made = await client.post(`/v2/projects/${projectId}/integrations/webhooks`, {
      name: 'Backend',
      url: endpoint.url,
    });
    const both = { SERVICE_ENCRYPTION_KEY: NEW_KEY, SERVICE_OTHER_ENCRYPTION_KEY: OLD_KEY };
    expect((await tenure(['keys', 'rotate'])).status).toBe(1);
    const during = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock, env: both });
    const deliver = async (by: TestServer) => {
      await recordEvent(by, projectId);
      await by.app.get(DeliveryDispatcherService).drain();
      const rows = await deliveriesTo(by, made.body.id as string);
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'delivered'));
    };
    await deliver(during);
    expect(await tenure(['doctor'], { env: both })).toMatchObject({
      output: expect.stringMatching(/warning +\d+ secrets have the other key/),
    });
    expect(await tenure(['keys', 'rotate'], { env: both })).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^[1-9]\d* secrets were sealed anew/),
    });
    expect((await tenure(['keys', 'rotate'], { env: both })).output).toMatch(/^0 secrets were sealed anew/);
    await deliver(during);
    await during.close();
    const after = await startTestServer({
      databaseUrl: server.databaseUrl,
      clock: server.clock,
      env: { SERVICE_ENCRYPTION_KEY: NEW_KEY },
    });
    await deliver(after);
    await after.close();
    // Back again, for the server of the other tests.
    const back = { SERVICE_ENCRYPTION_KEY: OLD_KEY, SERVICE_OTHER_ENCRYPTION_KEY: NEW_KEY };
    expect((await tenure(['keys', 'rotate'], { env: back })).status).toBe(0);
    await endpoint.close();
  });

  it('knows every column that holds sealed texts', async () => {
    const columns = await server.dataSource.query<{ name: string }[]>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE 'sealed%'
         AND table_name NOT LIKE 'store\\_notifications\\_%' -- Partitions.
         AND table_name <> 'sso_login_states' -- Of no use after ten minutes.
         AND column_name <> 'sealed_successor' -- Sealed with a refresh token, not with the server's key.
       ORDER BY 1`,
    );
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();
    expect(columns.map(({ name }) => name)).toEqual(known);
  });

  it('exports what belongs to a project, and nothing else', async () => {
    const store = await createTestStore(server);
    const { output } = await tenure(['export', '--project', store.projectId]);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: { id?: string; project_id?: string } });
    expect(lines[0]).toMatchObject({ table: 'projects', row: { id: store.projectId } });
    expect(new Set(lines.slice(1).map(({ row }) => row.project_id))).toEqual(new Set([store.projectId]));
    expect(lines.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['apps', 'api_keys', 'audit_logs']),
    );
    expect(await tenure(['export', '--project', "x'y"])).toMatchObject({ status: 1, output: '' });
  });

  it('finds a copied database equal, and one row less unequal', async () => {
    const file = join(folder, 'sums.json');
    await writeFile(file, (await tenure(['verify'])).output);
    expect(await tenure(['verify', '--against', file])).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^\d+ tables hold the same rows/),
    });
    await server.dataSource.query(`UPDATE users SET name = 'Somebody else' WHERE email = 'bob@example.com'`);
    const changed = await tenure(['verify', '--against', file]);
    expect(changed).toMatchObject({ status: 1, errors: expect.stringContaining('users: the same number') });
    await server.dataSource.query(`DELETE FROM rate_limits; DELETE FROM sessions`);
    const fewer = await tenure(['verify', '--against', file]);
    expect(fewer.errors).toMatch(/sessions: [1-9]\d* rows then, 0 now/);
  });

  it('needs pg_dump for a backup, and says so', async () => {
    const file = join(folder, 'tenure.dump');
    const without = await tenure(['verify', '--dump', file], { env: { PATH: folder } });
    expect(without).toMatchObject({
      status: 1,
      output: '',
      errors: expect.stringMatching(/^pg_dump is not on/),
    });
  });
});
