import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { startSftpPeer } from '../support/file-stores/sftp-peer.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const s3 = { bucket: 'acme', access_key_id: 'AKIDEXAMPLE', secret_access_key: 'planted-secret-of-s3' };
const HOST_KEY = 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDJQ9sLC0ZFcVhLqTE';
const sftp = { host: 'sftp.example.com', username: 'acme', password: 'pw', host_key: HOST_KEY };
const permissions = [
  'project_configuration:integrations:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];

describe('export destinations', () => {
  let server: TestServer;
  let folder: string;
  let owner: SignedUp;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenure-exports-'));
    server = await startTestServer({
      clock: new ManualClock(NOW),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_EXPORT_DIR: folder },
    });
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    owner = await signUp(server, { projectName: 'Acme' });
    path = `/v2/projects/${owner.projectId}/integrations/exports/destinations`;
  });

  const create = async (body: object = {}): Promise<Json> => {
    server.clock.advanceMs(1);
    const answer = await owner.session.post(path, { name: 'Warehouse', kind: 's3', s3, ...body });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const lastAudit = async (): Promise<Json> =>
    (await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs?limit=1`)).body.items[0];

  it('creates, reads, changes and deletes a destination without showing its secret', async () => {
    const made = await create({ prefix: 'tenure' });
    expect(made).toEqual({
      object: 'export_destination',
      id: expect.stringMatching(/^exd_.{16}$/),
      name: 'Warehouse',
      kind: 's3',
      prefix: 'tenure',
      s3: {
        bucket: 'acme',
        region: 'us-east-1',
        endpoint: null,
        path_style: false,
        access_key_id: 'AKIDEXAMPLE',
        secret_access_key: { set: true, updated_at: server.clock.nowMs() },
        server_side_encryption: 'none',
        kms_key_id: null,
      },
      created_at: server.clock.nowMs(),
      updated_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${made.id}`)).body).toEqual(made);
    server.clock.advanceMs(5);
    const changed = await owner.session.post(`${path}/${made.id}`, {
      name: 'Lake',
      s3: { region: 'eu-central-1' },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        name: 'Lake',
        s3: { ...made.s3, region: 'eu-central-1' },
        updated_at: server.clock.nowMs(),
      },
    ]);
    const deleted = await owner.session.delete(`${path}/${made.id}`);
    expect(deleted.body).toEqual({
      object: 'export_destination',
      id: made.id,
      deleted_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.session.delete(`${path}/${made.id}`)).status).toBe(404);
  });

  it('audits values of settings, and of secrets the name only', async () => {
    const { id } = await create();
    const replaced = { ...s3, bucket: 'other', secret_access_key: 'planted-second-secret' };
    server.clock.advanceMs(1);
    await owner.session.post(`${path}/${id}`, { s3: replaced });
    const row = await lastAudit();
    expect(row).toMatchObject({ action_type: 'export_destination_updated', target_identifier: id });
    expect(row.additional_data.changed_fields).toEqual(
      expect.arrayContaining(['settings.bucket', 'secrets.secret_access_key']),
    );
    expect(JSON.stringify(row)).not.toContain('planted');
  });

  it.each([
    ['the bucket', { s3: { bucket: 'other' } }],
    ['the endpoint', { s3: { endpoint: 'https://minio.example.com' } }],
    ['the user', { s3: { access_key_id: 'AKIDOTHER' } }],
  ])('needs the secret again when %s changes', async (_, body) => {
    const { id } = await create();
    const refused = await owner.session.post(`${path}/${id}`, body);
    expect([refused.status, refused.body.type, refused.body.param]).toEqual([
      400,
      'parameter_error',
      's3.secret_access_key',
    ]);
    const secret_access_key = 'another-secret';
    const answer = await owner.session.post(`${path}/${id}`, { s3: { ...body.s3, secret_access_key } });
    expect(answer.status).toBe(200);
  });

  it('keeps a secret when other settings change, and replaces it alone', async () => {
    const { id, s3: before } = await create();
    server.clock.advanceMs(5);
    const renamed = await owner.session.post(`${path}/${id}`, {
      prefix: 'a/b',
      s3: { server_side_encryption: 'AES256' },
    });
    expect(renamed.body.s3.secret_access_key).toEqual(before.secret_access_key);
    const rotated = await owner.session.post(`${path}/${id}`, { s3: { secret_access_key: 'new-secret' } });
    expect(rotated.body.s3.secret_access_key).toEqual({ set: true, updated_at: server.clock.nowMs() });
  });

  it('replaces a password by a private key', async () => {
    const { id } = await create({ kind: 'sftp', s3: undefined, sftp });
    const answer = await owner.session.post(`${path}/${id}`, {
      sftp: { private_key: 'key', passphrase: 'p' },
    });
    const { password, private_key, passphrase } = answer.body.sftp;
    expect([password.set, private_key.set, passphrase.set]).toEqual([false, true, true]);
    const moved = await owner.session.post(`${path}/${id}`, { sftp: { host: 'other.example.com' } });
    expect([moved.status, moved.body.param]).toEqual([400, 'sftp.private_key']);
    const trusted = await owner.session.post(`${path}/${id}`, {
      sftp: { host_key: HOST_KEY.replace('uNi', 'iNu') },
    });
    expect(trusted.status).toBe(200);
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['kind', { kind: 'ftp' }],
    ['prefix', { prefix: '/a' }],
    ['prefix', { prefix: 'a/' }],
    ['prefix', { prefix: 'a//b' }],
    ['prefix', { prefix: 'a/../b' }],
    ['prefix', { prefix: './a' }],
    ['prefix', { prefix: 'a\tb' }],
    ['prefix', { prefix: 'a/1234567890' }],
    ['prefix', { prefix: 'a'.repeat(201) }],
    ['gcs', { gcs: { bucket: 'b' } }],
    ['s3.bucket', { s3: { ...s3, bucket: undefined } }],
    ['s3.bucket', { s3: { ...s3, bucket: 'a/b' } }],
    ['s3.access_key_id', { s3: { ...s3, access_key_id: undefined } }],
    ['s3.secret_access_key', { s3: { ...s3, secret_access_key: undefined } }],
    ['s3.endpoint', { s3: { ...s3, endpoint: 'ftp://example.com' } }],
    ['s3.endpoint', { s3: { ...s3, endpoint: 'https://example.com/path' } }],
    ['s3.kms_key_id', { s3: { ...s3, kms_key_id: 'key' } }],
    ['gcs.secret_access_key', { kind: 'gcs', s3: undefined, gcs: { bucket: 'b', access_key_id: 'a' } }],
    ['azure.connection_string', { kind: 'azure', s3: undefined, azure: { container: 'exports' } }],
    [
      'azure.container',
      { kind: 'azure', s3: undefined, azure: { account_name: 'acme', account_key: 'a2V5' } },
    ],
    [
      'azure.account_key',
      { kind: 'azure', s3: undefined, azure: { account_name: 'acme', container: 'exports' } },
    ],
    [
      'azure.connection_string',
      { kind: 'azure', s3: undefined, azure: { connection_string: 'nothing', container: 'exports' } },
    ],
    [
      'azure.account_key',
      {
        kind: 'azure',
        s3: undefined,
        azure: {
          container: 'c',
          connection_string: 'AccountName=a;AccountKey=b',
          account_name: 'a',
          account_key: 'b',
        },
      },
    ],
    ['sftp.host_key', { kind: 'sftp', s3: undefined, sftp: { ...sftp, host_key: undefined } }],
    ['sftp.host_key', { kind: 'sftp', s3: undefined, sftp: { ...sftp, host_key: 'MD5:aa' } }],
    ['sftp.password', { kind: 'sftp', s3: undefined, sftp: { ...sftp, password: undefined } }],
    ['sftp.port', { kind: 'sftp', s3: undefined, sftp: { ...sftp, port: 0 } }],
  ])('rejects a body with 400 naming %s', async (param, change) => {
    const answer = await owner.session.post(path, { name: 'Warehouse', kind: 's3', s3, ...change });
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('mails every admin when a destination is added and when its place changes', async () => {
    await joinAs(server, 'admin', owner.projectId);
    await joinAs(server, 'developer', owner.projectId);
    const { id } = await create();
    await owner.session.post(`${path}/${id}`, { name: 'Renamed' });
    await owner.session.post(`${path}/${id}`, { prefix: 'elsewhere' });
    const mails = await server.dataSource.query<{ kind: string }[]>(
      `SELECT kind FROM mails WHERE tenant_id = $1 AND kind = 'alert_export_destination_added'`,
      [owner.projectId],
    );
    expect(mails).toHaveLength(4);
  });

  it('lists destinations oldest first, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const items = await walkList(owner.session, path, 2);
    expect(items.map(({ name }: Json) => name)).toEqual(['a', 'b', 'c']);
  });

  it('tests a folder of the server, saved or not, and leaves nothing behind', async () => {
    const { id } = await create({ kind: 'local', s3: undefined, prefix: 'probe' });
    const passed = {
      object: 'export_destination_test',
      ok: true,
      steps: ['write', 'read', 'delete'].map((name) => ({ name, ok: true, duration_ms: expect.any(Number) })),
    };
    server.clock.advanceMs(1);
    const saved = await owner.session.post(`${path}/${id}/actions/test`, {});
    expect([saved.status, saved.body]).toEqual([200, passed]);
    const draft = await owner.session.post(`${path}/actions/test`, { kind: 'local', prefix: 'probe' });
    expect([draft.status, draft.body]).toEqual([200, passed]);
    expect(await readdir(join(folder, owner.projectId, 'probe'))).toEqual([]);
    expect(await lastAudit()).toMatchObject({ action_type: 'export_destination_tested' });
  });

  it('reports the changed key of an SFTP server, and trusts it without the password', async () => {
    const peer = await startSftpPeer();
    try {
      const { port, username, password, hostKey } = peer;
      const settings = { host: '127.0.0.1', port, username, folder: 'files', password, host_key: HOST_KEY };
      const { id } = await create({ kind: 'sftp', s3: undefined, sftp: settings });
      const refused = await owner.session.post(`${path}/${id}/actions/test`, {});
      expect(refused.body).toMatchObject({
        ok: false,
        steps: [{ name: 'write', ok: false, code: 'host_key_changed' }],
        seen_host_key: hostKey,
      });
      expect(peer.signIns).toEqual([]);
      await owner.session.post(`${path}/${id}`, { sftp: { host_key: refused.body.seen_host_key } });
      const trusted = await owner.session.post(`${path}/${id}/actions/test`, {});
      expect([trusted.body.ok, trusted.body.seen_host_key]).toEqual([true, undefined]);
    } finally {
      await peer.close();
    }
  });

  it('reports why a test failed without the secret', async () => {
    const body = { kind: 's3', s3: { ...s3, endpoint: 'http://127.0.0.1:9' } };
    const answer = await owner.session.post(`${path}/actions/test`, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        object: 'export_destination_test',
        ok: false,
        steps: [
          {
            name: 'write',
            ok: false,
            duration_ms: expect.any(Number),
            code: 'unreachable',
            message: expect.any(String),
          },
        ],
      },
    ]);
    expect(answer.text).not.toContain('planted');
  });

  it('limits tests to 10 a minute', async () => {
    const body = { kind: 'local' };
    for (let n = 0; n < 10; n++)
      expect((await owner.session.post(`${path}/actions/test`, body)).status).toBe(200);
    expect((await owner.session.post(`${path}/actions/test`, body)).status).toBe(429);
  });

  it('answers 404 to destinations of other projects', async () => {
    const stranger = await signUp(server);
    const { id } = await create();
    const elsewhere = `/v2/projects/${stranger.projectId}/integrations/exports/destinations/${id}`;
    expect((await stranger.session.get(elsewhere)).status).toBe(404);
    expect((await stranger.session.post(elsewhere, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.session.post(`${elsewhere}/actions/test`, {})).status).toBe(404);
    expect((await stranger.session.delete(elsewhere)).status).toBe(404);
  });

  it.each(permissions)('refuses writes and tests without %s', async (missing) => {
    const { id } = await create({ kind: 'local', s3: undefined });
    const { client } = await createSecretKey(
      owner.session,
      owner.projectId,
      permissions.filter((name) => name !== missing),
    );
    for (const answer of [
      await client.post(path, { name: 'Warehouse', kind: 'local' }),
      await client.post(`${path}/${id}`, { name: 'Other' }),
      await client.post(`${path}/${id}/actions/test`, {}),
      await client.post(`${path}/actions/test`, { kind: 'local' }),
      await client.delete(`${path}/${id}`),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(missing)]);
    }
  });

  describe('without a folder for exports', () => {
    it('answers 422 to the kind local', async () => {
      const bare = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
      try {
        const { session, projectId } = await signUp(bare);
        const answer = await session.post(`/v2/projects/${projectId}/integrations/exports/destinations`, {
          name: 'Folder',
          kind: 'local',
        });
        expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
      } finally {
        await bare.close();
      }
    });
  });

  describe('on a server that calls public addresses only', () => {
    let guarded: TestServer;

    beforeAll(async () => {
      guarded = await startTestServer({
        env: {
          SERVICE_ALLOW_SIGNUP: 'true',
          SERVICE_TRUST_PROXY: 'true',
          SERVICE_ALLOW_PRIVATE_NETWORKS: 'false',
        },
      });
    });

    afterAll(() => guarded.close());

    it.each<[string, object]>([
      ['s3.endpoint', { kind: 's3', s3: { ...s3, endpoint: 'https://169.254.169.254' } }],
      ['s3.endpoint', { kind: 's3', s3: { ...s3, endpoint: 'http://93.184.216.34' } }],
      [
        'azure.connection_string',
        {
          kind: 'azure',
          azure: {
            container: 'c',
            connection_string: 'BlobEndpoint=http://169.254.169.254/;AccountName=a;AccountKey=b',
          },
        },
      ],
      [
        'azure.container_url',
        { kind: 'azure', azure: { container_url: 'https://127.0.0.1/c', sas_token: 'sig=x' } },
      ],
      ['sftp.host', { kind: 'sftp', sftp: { ...sftp, host: '10.0.0.1' } }],
    ])('rejects a private address with 400 naming %s', async (param, change) => {
      const { session, projectId } = await signUp(guarded);
      const url = `/v2/projects/${projectId}/integrations/exports/destinations`;
      const answer = await session.post(url, { name: 'Inside', ...change });
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/integrations/exports/destinations`,
    'project_configuration:integrations:read',
  );
});
