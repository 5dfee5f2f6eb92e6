import {
  createOrganization,
  startEnterpriseServer,
  type TestOrganization,
} from '../support/arrange-enterprise.js';
import type { Answer } from '../support/api-client.js';
import { idpMetadata, samlIdp, type SamlIdp } from '../support/saml-idp.js';
import type { TestServer } from '../support/test-server.js';

let server: TestServer;
let organization: TestOrganization;
let idp: SamlIdp;

beforeAll(async () => {
  server = await startEnterpriseServer();
  organization = await createOrganization(server);
  idp = samlIdp('idp.example');
});

afterAll(async () => {
  await server.close();
});

const at = (path: string, { path: base }: TestOrganization = organization): string => `${base}/sso${path}`;
const post = (path: string, body?: unknown): Promise<Answer> =>
  organization.owner.session.post(at(path), body);
const get = (path: string): Promise<Answer> => organization.owner.session.get(at(path));
const create = (body: Record<string, unknown>): Promise<Answer> =>
  post('/connections', { kind: 'saml', name: 'Okta', saml: {}, ...body });

async function actions(): Promise<string[]> {
  const { body } = await organization.owner.session.get(`${organization.path}/audit_logs?limit=100`);
  return (body.items as { action: string }[]).map(({ action }) => action);
}

describe('connections', () => {
  it('begin empty, with the values that the provider asks for', async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    const base = server.config.baseUrl;
    expect(body).toMatchObject({
      object: 'sso_connection',
      id: expect.stringMatching(/^ssoc_[0-9a-z]{12}$/),
      org_id: organization.id,
      kind: 'saml',
      enabled: false,
      jit: true,
      saml: { idp_entity_id: null, idp_sso_url: null, idp_certificates: [], allow_idp_initiated: false },
      sp: {
        entity_id: `${base}/sso/saml/${body.id}/metadata`,
        metadata_url: `${base}/sso/saml/${body.id}/metadata`,
        acs_url: `${base}/sso/saml/${body.id}/acs`,
        start_url: `${base}/sso/connections/${body.id}/start`,
      },
    });
    expect(body).not.toHaveProperty('oidc');
    expect((await get(`/connections/${body.id}`)).body).toEqual(body);
  });

  it('take what they need from metadata, unless it is sent as well', async () => {
    const whole = await create({ enabled: true, saml: { metadata_xml: idpMetadata(idp) } });
    expect(whole.body.saml).toMatchObject({
      idp_entity_id: idp.entityId,
      idp_sso_url: idp.ssoUrl,
      idp_certificates: [expect.stringContaining('BEGIN CERTIFICATE')],
      certificate_warnings: [],
    });
    expect(whole.text).not.toContain('metadata_xml');
    const mixed = await create({
      saml: { metadata_xml: idpMetadata(idp), idp_sso_url: 'https://idp.example/other?app=1' },
    });
    expect(mixed.body.saml).toMatchObject({
      idp_entity_id: idp.entityId,
      idp_sso_url: 'https://idp.example/other?app=1',
    });
  });

  it('accept certificates that have expired, and say so', async () => {
    const old = samlIdp('old.example', { toMs: Date.UTC(2025, 4, 6) });
    const bare = old.certificate.replace(/-----[^-]+-----|\s/g, '');
    const { body } = await create({ saml: { idp_certificates: [bare, idp.certificate] } });
    expect(body.saml.certificate_warnings).toEqual(['Certificate 1 expired on 2025-05-06.']);
  });

  it('change field by field, and record what changed but no secret', async () => {
    const created = await post('/connections', {
      kind: 'oidc',
      name: 'Entra',
      oidc: { issuer: 'https://login.example/v2.0', client_id: 'a', client_secret: 'first secret' },
    });
    expect(created.body).toMatchObject({
      oidc: { has_client_secret: true, scopes: 'openid email profile', groups_claim: null },
      sp: { redirect_uri: expect.stringMatching(/\/sso\/oidc\/ssoc_\w+\/callback$/) },
    });
    const path = `/connections/${created.body.id}`;
    server.clock.advanceMs(1000);
    const changed = await post(path, {
      name: 'Entra ID',
      enabled: true,
      oidc: { scopes: 'email email', client_secret: 'second secret' },
    });
    expect(changed.body).toMatchObject({
      name: 'Entra ID',
      enabled: true,
      oidc: { issuer: 'https://login.example/v2.0', client_id: 'a', scopes: 'openid email' },
      updated_at: server.clock.nowMs(),
    });
    const { body, text } = await organization.owner.session.get(`${organization.path}/audit_logs`);
    expect(body.items[0]).toMatchObject({
      action: 'sso_connection_updated',
      target: { type: 'sso_connection', id: created.body.id },
      data: {
        changes: {
          name: ['Entra', 'Entra ID'],
          enabled: [false, true],
          scopes: ['openid email profile', 'openid email'],
          client_secret: 'changed',
        },
      },
    });
    expect(text).not.toContain('second secret');
    const before = (await actions()).length;
    expect((await post(path, { name: 'Entra ID' })).status).toBe(200);
    expect(await actions()).toHaveLength(before);
    const removed = await post(path, { oidc: { client_secret: null } });
    expect(removed.body.oidc.has_client_secret).toBe(false);
    const gone = await organization.owner.session.delete(at(path));
    expect(gone.body).toEqual({
      object: 'sso_connection',
      id: created.body.id,
      deleted_at: server.clock.nowMs(),
    });
    expect((await get(path)).status).toBe(404);
  });

  const url = 'https://idp.example/sso';
  it.each([
    ['kind', { kind: 'ldap' }],
    ['kind', { kind: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['saml', { saml: undefined }],
    ['saml', { saml: 'x' }],
    ['oidc', { oidc: {} }],
    ['saml', { kind: 'oidc', oidc: {} }],
    ['enabled', { enabled: 'yes' }],
    ['jit', { jit: null }],
    ['saml.idp_entity_id', { enabled: true }],
    ['saml.idp_sso_url', { enabled: true, saml: { idp_entity_id: 'x' } }],
    ['saml.idp_certificates', { enabled: true, saml: { idp_entity_id: 'x', idp_sso_url: url } }],
    ['saml.idp_entity_id', { saml: { idp_entity_id: 'x'.repeat(1025) } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'javascript:alert(1)' } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: '/sso' } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'https://user:pass@idp.example/' } }],
    ['saml.idp_certificates', { saml: { idp_certificates: [] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: ['x y z'] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: ['AAAA'] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: Array.from({ length: 6 }, () => 'AAAA') } }],
    ['saml.metadata_xml', { saml: { metadata_xml: 'hello' } }],
    ['saml.metadata_xml', { saml: { metadata_xml: '<!DOCTYPE a><a/>' } }],
    ['saml.email_attribute', { saml: { email_attribute: 'x'.repeat(256) } }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: {}, enabled: true }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: { issuer: 'example.com' } }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: { issuer: 'https://a.example/?x=1' } }],
    [
      'oidc.client_id',
      { kind: 'oidc', saml: undefined, enabled: true, oidc: { issuer: 'https://a.example' } },
    ],
    ['oidc.client_id', { kind: 'oidc', saml: undefined, oidc: { client_id: '' } }],
    ['oidc.scopes', { kind: 'oidc', saml: undefined, oidc: { scopes: 'a  b' } }],
    ['oidc.client_secret', { kind: 'oidc', saml: undefined, oidc: { client_secret: 'x'.repeat(1001) } }],
  ])('refuse a bad %s: %j', async (param, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('are listed page by page, oldest first', async () => {
    const first = await get('/connections?limit=2');
    expect(first.body.items).toHaveLength(2);
    const second = await organization.owner.session.get(first.body.next_page as string);
    const ids = [...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const times = [...first.body.items, ...second.body.items].map((item) => item.created_at as number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((await get('/connections?starting_after=ssoc_x')).body.param).toBe('starting_after');
  });
});
