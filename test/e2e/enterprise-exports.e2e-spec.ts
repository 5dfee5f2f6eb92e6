import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { AuditRetentionJob } from '../../src/enterprise/retention/audit-retention.job.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import {
  addOrganizationMember,
  addOrganizationProject,
  createOrganization,
  startEnterpriseServer,
  startLicensedServer,
  type TestOrganization,
} from '../support/arrange-enterprise.js';
import type { TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';

const DAY_MS = 86_400_000;
/** The DER bytes that precede a raw Ed25519 public key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

let server: TestServer;

beforeAll(async () => {
  server = await startEnterpriseServer();
});

afterAll(() => server.close());

interface Download {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** The bytes as they are sent, which is what a signature is made of. */
async function download({ cookie }: SignedUp, path: string): Promise<Download> {
  const headers = { cookie, 'accept-encoding': 'gzip, br' };
  const answer = await fetch(server.baseUrl + path, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const rowsOf = ({ bytes }: Download) =>
  parse<Record<string, string>>(bytes, { columns: true, recordDelimiter: '\r\n' });

/** Rows of the organization's log, of the oldest first. */
async function addLogs(orgId: string, atMs: number, count: number): Promise<void> {
  await server.dataSource.query(
    `INSERT INTO organization_audit_logs (org_id, id, occurred_at, action, actor_type, actor_id, actor_email,
       target_type, target_id, data)
     SELECT $1, 'logx' || lpad(n::text, 8, '0'), $2, 'member_added', 'user', 'usr_x', '=cmd@example.com', 'member',
       'usr_' || n, json_build_object('n', n, 'text', 'a "quoted", text')
     FROM generate_series(1, $3::int) n`,
    [orgId, new Date(atMs), count],
  );
}

async function addProjectLogs(projectId: string, atMs: number, count: number): Promise<void> {
  await server.dataSource.query(
    `INSERT INTO audit_logs (project_id, id, occurred_at, action_type, target_type, target_identifier, actor_type,
       actor_identifier, additional_data)
     SELECT $1, 'logy' || lpad(n::text, 8, '0'), $2, 'product_created', 'product', 'prod' || n, 'api_key', 'key_x', '{}'
     FROM generate_series(1, $3::int) n`,
    [projectId, new Date(atMs), count],
  );
}

interface Logged {
  action: string;
  data: Record<string, unknown>;
}

const logOf = (orgId: string) =>
  server.dataSource.query<Logged[]>(
    'SELECT action, data FROM organization_audit_logs WHERE org_id = $1 ORDER BY occurred_at, id',
    [orgId],
  );

/** The commands that an auditor runs. */
function verifyWithOpenSsl(publicKey: Buffer, bytes: Buffer, signature: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-verify-'));
  const file = (name: string, content: Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const key = file('key.der', Buffer.concat([SPKI_PREFIX, publicKey]));
    const [body, sig] = [file('body', bytes), file('sig', signature)];
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-keyform', 'DER', '-rawin'];
    return execFileSync('openssl', [...args, '-in', body, '-sigfile', sig], { stdio: 'pipe' }).toString();
  } catch (error) {
    return (error as { stdout: Buffer }).stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a compliance export', () => {
  let organization: TestOrganization;
  let owner: SignedUp;
  let path: string;

  beforeAll(async () => {
    organization = await createOrganization(server, { name: 'Acme, Inc.' });
    ({ owner } = organization);
    path = `${organization.path}/exports`;
    await addOrganizationProject(server, organization, owner.projectId);
  });

  it.each(['csv', 'json'])('signs the exact bytes, which OpenSSL verifies: %s', async (format) => {
    const { body: key } = await owner.session.get(`${path}/public_key`);
    expect(key).toEqual({
      object: 'export_signing_key',
      algorithm: 'Ed25519',
      public_key: expect.any(String) as string,
      key_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      signs: expect.any(String) as string,
    });
    const publicKey = Buffer.from(key.public_key as string, 'base64');
    expect(createHash('sha256').update(publicKey).digest('hex').slice(0, 16)).toBe(key.key_id);
    const file = await download(owner, `${path}/audit_logs?format=${format}`);
    expect(file.status).toBe(200);
    const { headers, bytes } = file;
    expect(headers.get('x-service-export-key-id')).toBe(key.key_id);
    expect(headers.get('x-service-export-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${organization.id}-audit_logs.${format}"`,
    );
    const [scheme, text = ''] = (headers.get('x-service-export-signature') ?? '').split(/=(.*)/s);
    expect(scheme).toBe('ed25519');
    const signature = Buffer.from(text, 'base64');
    expect(verifyWithOpenSsl(publicKey, bytes, signature)).toContain('Signature Verified Successfully');
    const changed = Buffer.from(bytes);
    changed[0] = (changed[0] as number) ^ 1;
    expect(verifyWithOpenSsl(publicKey, changed, signature)).toContain('Signature Verification Failure');
  });

  it('lists audit log rows of the organization and its projects, oldest first, within the range', async () => {
    const at = server.clock.nowMs() - 10 * DAY_MS;
    await addLogs(organization.id, at, 2);
    await addProjectLogs(owner.projectId, at + 1, 1);
    const stranger = await createOrganization(server);
    await addLogs(stranger.id, at, 1);
    const range = `start_time=${at}&end_time=${at + 2}`;
    const csv = await download(owner, `${path}/audit_logs?${range}`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const day = new Date(at).toISOString();
    const [first, second, third, ...more] = rowsOf(csv);
    expect(first).toEqual({
      id: 'logx00000001',
      occurred_at: day,
      scope: 'organization',
      project_id: '',
      action: 'member_added',
      actor_type: 'user',
      actor_id: 'usr_x',
      // Spreadsheets must not run it.
      actor_email: "'=cmd@example.com",
      target_type: 'member',
      target_id: 'usr_1',
      data: '{"n" : 1, "text" : "a \\"quoted\\", text"}',
    });
    expect([second?.id, more]).toEqual(['logx00000002', []]);
    expect(third).toMatchObject({
      id: 'logy00000001',
      occurred_at: new Date(at + 1).toISOString(),
      scope: 'project',
      project_id: owner.projectId,
      action: 'product_created',
      actor_type: 'api_key',
      actor_id: 'key_x',
      actor_email: '',
    });
    const json = await download(owner, `${path}/audit_logs?format=json&${range}`);
    const parsed = JSON.parse(json.bytes.toString()) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual([
      'object',
      'kind',
      'organization',
      'generated_at',
      'start_time',
      'end_time',
      'rows',
    ]);
    expect(parsed).toMatchObject({
      object: 'compliance_export',
      kind: 'audit_logs',
      organization: { id: organization.id, name: 'Acme, Inc.' },
      generated_at: server.clock.nowMs(),
      start_time: at,
      end_time: at + 2,
    });
    const rows = parsed.rows as Record<string, unknown>[];
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(first ?? {}));
    expect(rows.map(({ id }) => id)).toEqual(['logx00000001', 'logx00000002', 'logy00000001']);
    expect(rows[0]?.actor_email).toBe('=cmd@example.com');
  });

  it('appears in the audit log, and not in its own file', async () => {
    const file = await download(owner, `${path}/audit_logs`);
    const sha256 = file.headers.get('x-service-export-sha256');
    const mine = (await logOf(organization.id)).filter(({ data }) => data.sha256 === sha256);
    const rows = rowsOf(file);
    expect(mine).toEqual([
      {
        action: 'compliance_export_created',
        data: expect.objectContaining({
          kind: 'audit_logs',
          format: 'csv',
          rows: rows.length,
          sha256,
        }) as object,
      },
    ]);
    expect(file.bytes.toString()).not.toContain(sha256);
    const next = await download(owner, `${path}/audit_logs`);
    expect(next.bytes.toString()).toContain(sha256);
  });

  it('lists each person of the organization and its projects, and their permissions', async () => {
    const reviewed = await createOrganization(server);
    const { projectId } = reviewed.owner;
    await addOrganizationProject(server, reviewed, projectId);
    const [custom, gone, without] = [
      await addOrganizationMember(server, reviewed, 'member', {
        person: await joinAs(server, 'viewer', projectId),
      }),
      await addOrganizationMember(server, reviewed, 'member'),
      await addOrganizationMember(server, reviewed, 'member'),
    ];
    const outside = await joinAs(server, 'viewer', projectId);
    const scopes = ['customer_information:customers:read_write'];
    const { body: role } = await reviewed.owner.session.post(`${reviewed.path}/roles`, {
      name: '+Support',
      scopes,
    });
    const memberPath = `${reviewed.path}/projects/${projectId}/members/${custom.userId}`;
    await reviewed.owner.session.post(memberPath, { role: role.id });
    await server.dataSource.query(
      'UPDATE organization_members SET active = false, last_sso_at = $2 WHERE user_id = $1',
      [gone.userId, new Date(server.clock.nowMs())],
    );
    const file = await download(reviewed.owner, `${reviewed.path}/exports/access_review`);
    const rows = rowsOf(file);
    expect(rows.map(({ email }) => email)).toEqual(
      [reviewed.owner, custom, gone, without, outside].map(({ email }) => email).sort(),
    );
    const of = (email: string) => rows.find((row) => row.email === email);
    expect(of(custom.email)).toEqual({
      user_id: custom.userId,
      email: custom.email,
      name: '',
      organization_role: 'member',
      active: 'true',
      member_source: 'manual',
      project_id: projectId,
      project_name: expect.any(String) as string,
      role: role.id as string,
      role_name: "'+Support",
      scopes: 'customer_information:customers:read customer_information:customers:read_write',
      granted_by: 'manual',
      has_password: 'true',
      last_sso_at: '',
      scim_managed: 'false',
      scim_active: '',
    });
    expect(of(reviewed.owner.email)).toMatchObject({ role: 'admin', role_name: 'Admin', granted_by: 'org' });
    expect(of(gone.email)).toMatchObject({
      active: 'false',
      project_id: '',
      role: '',
      scopes: '',
      last_sso_at: new Date(server.clock.nowMs()).toISOString(),
    });
    expect(of(without.email)).toMatchObject({ active: 'true', project_id: '', role_name: '' });
    expect(of(outside.email)).toMatchObject({ organization_role: '', role: 'viewer', granted_by: 'manual' });
    const json = await download(reviewed.owner, `${reviewed.path}/exports/access_review?format=json`);
    const parsed = JSON.parse(json.bytes.toString()) as { rows: Record<string, unknown>[] };
    expect(parsed.rows.find(({ email }) => email === without.email)).toMatchObject({
      active: true,
      project_id: null,
      scim_managed: false,
      scim_active: null,
    });
  });

  it.each([
    ['audit_logs?format=xml', 400, 'format'],
    ['audit_logs?start_time=yesterday', 400, 'start_time'],
    ['audit_logs?start_time=2&end_time=2', 400, 'end_time'],
    ['access_review?start_time=2', 400, 'start_time'],
    ['access_review?end_time=2', 400, 'end_time'],
    ['customers', 404, undefined],
  ])('refuses %s with %i', async (query, status, param) => {
    const { body, ...answer } = await owner.session.get(`${path}/${query}`);
    expect([answer.status, body.param]).toEqual([status, param]);
  });

  it('has at most 200,000 rows', async () => {
    const full = await createOrganization(server);
    const at = server.clock.nowMs() - DAY_MS;
    await addLogs(full.id, at, 200_001);
    const exportPath = `${full.path}/exports/audit_logs`;
    const refused = await full.owner.session.get(`${exportPath}?start_time=${at}&end_time=${at + 1}`);
    expect([refused.status, refused.body.param]).toEqual([400, 'start_time']);
    expect((await logOf(full.id)).map(({ action }) => action)).not.toContain('compliance_export_created');
    await server.dataSource.query('DELETE FROM organization_audit_logs WHERE org_id = $1', [full.id]);
  });

  it('requires an owner or admin of the organization', async () => {
    const member = await addOrganizationMember(server, organization, 'member');
    const admin = await addOrganizationMember(server, organization, 'admin');
    const stranger = await signUp(server);
    const { client } = await createSecretKey(owner.session, owner.projectId);
    for (const route of ['public_key', 'audit_logs', 'access_review']) {
      expect((await server.http.get(`${path}/${route}`)).status).toBe(401);
      expect((await client.get(`${path}/${route}`)).status).toBe(403);
      expect((await member.session.get(`${path}/${route}`)).status).toBe(403);
      expect((await stranger.session.get(`${path}/${route}`)).status).toBe(404);
      expect((await admin.session.get(`${path}/${route}`)).status).toBe(200);
    }
  });
});

it('makes two exports at a time, and says when to come back for a third', async () => {
  const { id, path, owner } = await createOrganization(server);
  await addLogs(id, server.clock.nowMs() - DAY_MS, 10);
  const exportPath = `${path}/exports/audit_logs`;
  const made = await server.dataSource.transaction(async (manager) => {
    await manager.query('LOCK TABLE organization_audit_logs IN ACCESS EXCLUSIVE MODE');
    const two = [download(owner, exportPath), download(owner, exportPath)];
    await untilBlocked(server, 2);
    const { status, headers, body } = await owner.session.get(exportPath);
    expect([status, body.type, headers['retry-after']]).toEqual([503, 'server_error', '5']);
    return two;
  });
  for (const file of await Promise.all(made)) expect(rowsOf(file).length).toBeGreaterThanOrEqual(10);
  expect((await download(owner, exportPath)).status).toBe(200);
});

it('ends an export whose reader has gone, and makes others', async () => {
  const { id, path, owner } = await createOrganization(server);
  await addLogs(id, server.clock.nowMs() - DAY_MS, 20_000);
  for (let count = 0; count < 3; count++) {
    const reader = new AbortController();
    const { signal } = reader;
    const headers = { cookie: owner.cookie };
    const answer = await fetch(`${server.baseUrl}${path}/exports/audit_logs`, { headers, signal });
    expect(answer.status).toBe(200);
    reader.abort();
  }
  const whole = await download(owner, `${path}/exports/audit_logs`);
  expect(rowsOf(whole)).toHaveLength(20_000 + 4);
});

describe('audit retention', () => {
  const retain = (orgId: string, days: number | null) =>
    server.dataSource.query('UPDATE organizations SET audit_retention_days = $2 WHERE id = $1', [
      orgId,
      days,
    ]);
  const projectLogs = async (projectId: string): Promise<number> => {
    const [row] = await server.dataSource.query<{ count: string }[]>(
      `SELECT count(*) FROM audit_logs WHERE project_id = $1 AND id LIKE 'logy%'`,
      [projectId],
    );
    return Number(row?.count);
  };
  const old = async (orgId: string): Promise<number> =>
    (await logOf(orgId)).filter(({ action }) => action === 'member_added').length;
  const run = () => server.app.get(AuditRetentionJob, { strict: false }).run();

  it('deletes what is older than the organization keeps, in its log and those of its projects', async () => {
    const organization = await createOrganization(server);
    const { projectId } = organization.owner;
    await addOrganizationProject(server, organization, projectId);
    const forever = await createOrganization(server);
    await addOrganizationProject(server, forever, forever.owner.projectId);
    const outside = await signUp(server);
    const limit = server.clock.nowMs() - 30 * DAY_MS;
    for (const { id } of [organization, forever]) await addLogs(id, limit - 1, 1_500);
    for (const id of [projectId, forever.owner.projectId, outside.projectId])
      await addProjectLogs(id, limit - 1, 1_001);
    await server.dataSource.query(
      `UPDATE audit_logs SET occurred_at = $2 WHERE project_id = $1 AND id = 'logy00000001'`,
      [projectId, new Date(limit)],
    );
    await retain(organization.id, 30);
    await run();
    expect([await old(organization.id), await projectLogs(projectId)]).toEqual([0, 1]);
    expect([await old(forever.id), await projectLogs(forever.owner.projectId)]).toEqual([1_500, 1_001]);
    expect(await projectLogs(outside.projectId)).toBe(1_001);
    const purged = (await logOf(organization.id)).filter(({ action }) => action === 'audit_logs_purged');
    expect(purged.map(({ data }) => data)).toEqual([{ rows: 2_500, before: limit }]);
    // Nothing is left to delete, so nothing is recorded.
    await run();
    expect(await logOf(organization.id)).toHaveLength(2);
    expect((await logOf(forever.id)).map(({ action }) => action)).not.toContain('audit_logs_purged');
  });
});

it('neither exports nor deletes without the licensed features', async () => {
  const licensed = await startLicensedServer(['organizations']);
  try {
    const { id, path, owner } = await createOrganization(licensed);
    for (const route of ['public_key', 'audit_logs', 'access_review']) {
      const refused = await owner.session.get(`${path}/exports/${route}`);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        expect.stringContaining('`compliance_exports`') as string,
      ]);
    }
    await licensed.dataSource.query(
      `INSERT INTO organization_audit_logs (org_id, id, occurred_at, action, actor_type, target_type, target_id, data)
       VALUES ($1, 'logold', $2, 'member_added', 'system', 'member', 'x', '{}')`,
      [id, new Date(licensed.clock.nowMs() - 100 * DAY_MS)],
    );
    await licensed.dataSource.query('UPDATE organizations SET audit_retention_days = 30 WHERE id = $1', [id]);
    await licensed.app.get(AuditRetentionJob, { strict: false }).run();
    const left = await licensed.dataSource.query<unknown[]>(
      `SELECT 1 FROM organization_audit_logs WHERE org_id = $1 AND id = 'logold'`,
      [id],
    );
    expect(left).toHaveLength(1);
  } finally {
    await licensed.close();
  }
});
