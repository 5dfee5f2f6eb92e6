import {
  addOrganizationMember,
  addOrganizationProject,
  startEnterpriseServer,
  startLicensedServer,
  userIdOf,
} from '../support/arrange-enterprise.js';
import { letClientIn } from '../support/arrange-oauth.js';
import { signUp } from '../support/arrange.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { provisioned, type Provisioned, type ScimAnswer, ScimClient } from '../support/scim-client.js';
import type { TestServer } from '../support/test-server.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

describe('SCIM', () => {
  let server: TestServer;
  let org: Provisioned;
  let scim: ScimClient;
  let people = 0;

  beforeAll(async () => {
    server = await startEnterpriseServer();
    org = await provisioned(server);
    scim = org.scim;
  });

  afterAll(() => server.close());

  const address = (): string => `person${++people}@${org.domain}`;
  const create = async (fields: Json = {}): Promise<Json> => {
    const { status, body } = await scim.post('/Users', { schemas: [USER], userName: address(), ...fields });
    expect([status, body.detail]).toEqual([201, undefined]);
    return body;
  };
  const createGroup = async (displayName: string, users: Json[] = []): Promise<Json> => {
    const members = users.map(({ id }) => ({ value: id }));
    const { status, body } = await scim.post('/Groups', { schemas: [GROUP], displayName, members });
    expect([status, body.detail]).toEqual([201, undefined]);
    return body;
  };
  const refused = ({ status, body, headers }: ScimAnswer): unknown[] => {
    expect(headers.get('content-type')).toBe('application/scim+json');
    expect(body).toMatchObject({ schemas: [ERROR], status: String(status) });
    return [status, body.scimType ?? null];
  };
  const memberOf = async (email: string): Promise<Json> => {
    const [row] = await server.dataSource.query<Json[]>(
      `SELECT m.* FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
      [org.id, email],
    );
    return row;
  };
  const lastAudit = async (): Promise<Json> => {
    const [row] = await server.dataSource.query<Json[]>(
      `SELECT action, actor_type, target_id, data FROM organization_audit_logs WHERE org_id = $1
       ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      [org.id],
    );
    return row;
  };

  describe('tokens', () => {
    const tokens = () => `${org.path}/scim/tokens`;

    it('shows them once, lists them oldest first and revokes them at once', async () => {
      const { session } = org.owner;
      server.clock.advanceMs(1);
      const created = await session.post(tokens(), { name: 'Entra' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ object: 'scim_token', name: 'Entra', revoked_at: null });
      expect(created.body.token).toMatch(/^rdscim_[0-9a-f]{64}$/);
      expect(created.body.prefix).toBe((created.body.token as string).slice(0, 13));
      expect(created.body.base_url).toMatch(/\/scim\/v2$/);
      const client = new ScimClient(`${server.baseUrl}/scim/v2`, created.body.token as string);
      expect((await client.get('/Users?count=0')).status).toBe(200);
      const { body: list } = await session.get(tokens());
      expect(list.items.map(({ name }: Json) => name)).toEqual(['Okta', 'Entra']);
      expect(JSON.stringify(list)).not.toContain(created.body.token);
      expect(list.items[1].last_used_at).toBe(server.clock.nowMs());
      const revoked = await session.delete(`${tokens()}/${created.body.id}`);
      expect([revoked.status, revoked.body.revoked_at]).toEqual([200, server.clock.nowMs()]);
      expect((await session.delete(`${tokens()}/${created.body.id}`)).body).toEqual(revoked.body);
      expect((await client.get('/Users')).status).toBe(401);
      expect((await session.delete(`${tokens()}/sct_unknown`)).status).toBe(404);
    });

    it('allows owners and admins of the organization', async () => {
      const member = await addOrganizationMember(server, org, 'member');
      const admin = await addOrganizationMember(server, org, 'admin');
      const stranger = await signUp(server);
      for (const [client, status] of [
        [server.http, 401],
        [stranger.session, 404],
        [member.session, 403],
        [admin.session, 200],
      ] as const) {
        expect((await client.get(tokens())).status).toBe(status);
        expect((await client.get(`${org.path}/scim/groups`)).status).toBe(status);
      }
      expect((await member.session.post(tokens(), { name: 'x' })).status).toBe(403);
      expect((await member.session.delete(`${tokens()}/sct_unknown`)).status).toBe(403);
      const bad = await admin.session.post(tokens(), { name: '' });
      expect([bad.status, bad.body.param]).toEqual([400, 'name']);
    });

    it('opens only the SCIM service, which nothing else opens', async () => {
      const { session, projectId } = org.owner;
      const path = `/v2/projects/${projectId}`;
      expect((await server.http.withKey(scim.token).get(path)).status).toBe(403);
      expect((await server.http.withKey(scim.token).get(`${org.path}/scim/tokens`)).status).toBe(403);
      const { body: key } = await session.post(`${path}/api_keys`, {
        name: 'k',
        permissions: ['charts_metrics:charts:read'],
      });
      for (const token of ['', 'x', `rdscim_${'0'.repeat(64)}`, String(key.key)]) {
        const answer = await new ScimClient(`${server.baseUrl}/scim/v2`, token).get('/Users');
        expect(refused(answer)).toEqual([401, null]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
      const cookie = { cookie: org.owner.cookie, authorization: '' };
      expect((await scim.get('/Users', cookie)).status).toBe(401);
    });
  });

  describe('the service', () => {
    it('describes itself', async () => {
      const { body: config, headers } = await scim.get('/ServiceProviderConfig');
      expect(headers.get('content-type')).toBe('application/scim+json');
      expect(config).toMatchObject({
        patch: { supported: true },
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults: 200 },
        etag: { supported: true },
        authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
      });
      const { body: types } = await scim.get('/ResourceTypes');
      expect(types).toMatchObject({ totalResults: 2, itemsPerPage: 2, startIndex: 1 });
      const { body: schemas } = await scim.get('/Schemas');
      expect(schemas.Resources.map(({ id }: Json) => id)).toEqual([USER, GROUP, ENTERPRISE]);
      for (const resource of [...types.Resources, ...schemas.Resources] as Json[]) {
        const one = await fetch(resource.meta.location as string, {
          headers: { authorization: `Bearer ${scim.token}` },
        });
        expect(await one.json()).toEqual(resource);
      }
      expect(JSON.stringify([config, types, schemas])).not.toContain('null');
      for (const described of [config, types.Resources[0], schemas.Resources[0]] as Json[]) {
        const { status, body: schema } = await scim.get(`/Schemas/${described.schemas[0]}`);
        expect([status, schema.id]).toEqual([200, described.schemas[0]]);
        const names = schema.attributes.map(({ name }: Json) => name);
        const common = ['schemas', 'meta'];
        expect([...common, ...names]).toEqual(expect.arrayContaining(Object.keys(described)));
      }
      expect(refused(await scim.get('/Schemas/urn:x'))).toEqual([404, null]);
    });

    it.each([
      '/ServiceProviderConfig',
      '/ResourceTypes',
      '/ResourceTypes/User',
      '/ResourceTypes/Nothing',
      '/Schemas',
      `/Schemas/${USER}`,
      '/Schemas/urn:x',
    ])('refuses a filter of %s with 403', async (path) => {
      const { status, body } = await scim.get(`${path}?filter=id%20pr`);
      expect([status, body.detail]).toEqual([403, expect.stringContaining('filter')]);
    });

    it('answers what it does not know or take in the format of SCIM', async () => {
      for (const path of ['/Me', '/Bulk', '/Nothing', '/Users/scu_unknown', '/Groups/scg_unknown'])
        expect(refused(await scim.get(path))).toEqual([404, null]);
      for (const path of ['/Bulk', '/.search'])
        expect(refused(await scim.post(path, {}))).toEqual([404, null]);
      const put = await scim.put('/Users', {});
      expect(refused(put)).toEqual([405, null]);
      expect(put.headers.get('allow')).toBe('GET, POST');
      expect(refused(await scim.post('/Schemas', {}))).toEqual([405, null]);
      const other = { 'content-type': 'text/plain' };
      expect(refused(await scim.send('POST', '/Users', '{}', other))).toEqual([415, null]);
      expect(refused(await scim.send('POST', '/Users', '{'))).toEqual([400, 'invalidSyntax']);
      expect(refused(await scim.send('POST', '/Users', '[]'))).toEqual([400, 'invalidSyntax']);
      expect(refused(await scim.post('/Users', { userName: 'x', title: 'y'.repeat(1_100_000) }))).toEqual([
        413,
        null,
      ]);
      expect(refused(await scim.send('POST', '/Users', '{"userName":"x","__proto__":{"a":1}}'))).toEqual([
        400,
        'invalidSyntax',
      ]);
      expect(refused(await scim.post('/Users', { userName: 'a\u0000b@c.example' }))).toEqual([
        400,
        'invalidValue',
      ]);
      expect(refused(await scim.send('POST', '/Users', '{"userName":"\\ud800"}'))).toEqual([
        400,
        'invalidValue',
      ]);
      const json = await scim.send('POST', '/Users', JSON.stringify({ userName: address() }), {
        'content-type': 'application/json',
      });
      expect(json.status).toBe(201);
    });

    it('takes a body of up to a megabyte', async () => {
      const members = Array.from({ length: 20_000 }, () => ({ value: 'scu_0123456789abcdef' }));
      const answer = await scim.post('/Groups', { displayName: 'Large', members });
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
    });

    it('limits each token: 429, until the minute is over', async () => {
      const limited = await startEnterpriseServer({ env: { SERVICE_RATE_LIMIT_SCIM: '3' } });
      try {
        const { scim: one, ...organization } = await provisioned(limited);
        const { body } = await organization.owner.session.post(`${organization.path}/scim/tokens`, {
          name: 'B',
        });
        const other = new ScimClient(`${limited.baseUrl}/scim/v2`, body.token as string);
        for (let call = 0; call < 3; call++) expect((await one.get('/Users')).status).toBe(200);
        const answer = await one.post('/Users', { userName: `late@${organization.domain}` });
        expect(refused(answer)).toEqual([429, null]);
        const seconds = Number(answer.headers.get('retry-after'));
        expect(seconds).toBeGreaterThan(0);
        expect((await other.get('/Users')).body.totalResults).toBe(0);
        limited.clock.advanceMs(seconds * 1_000);
        expect((await one.get('/Users')).status).toBe(200);
      } finally {
        await limited.close();
      }
    });

    it('does nothing of a request that asks for attributes in two ways', async () => {
      const userName = address();
      const both = '?attributes=id&excludedAttributes=emails';
      expect(refused(await scim.post(`/Users${both}`, { userName }))).toEqual([400, 'invalidValue']);
      const user = await create({ userName });
      const change = [{ op: 'replace', value: { active: false } }];
      expect(refused(await scim.patch(`/Users/${user.id}${both}`, change))).toEqual([400, 'invalidValue']);
      expect((await scim.get(`/Users/${user.id}`)).body.active).toBe(true);
    });

    it('needs the feature: 403', async () => {
      const other = await startLicensedServer(['organizations', 'sso']);
      try {
        const { id, path, owner } = await provisioned(other).catch(async () => {
          const session = await signUp(other);
          const { body } = await session.session.post('/v2/organizations', { name: 'X' });
          return { id: body.id as string, path: `/v2/organizations/${body.id}`, owner: session };
        });
        const answer = await owner.session.get(`${path}/scim/tokens`);
        expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('scim')]);
        const { createHash } = await import('node:crypto');
        const token = `rdscim_${'a'.repeat(64)}`;
        await other.dataSource.query(
          `INSERT INTO scim_tokens (org_id, id, name, prefix, token_hash, created_at) VALUES ($1, 'sct_1', 'x', 'x', $2, now())`,
          [id, createHash('sha256').update(token).digest()],
        );
        const client = new ScimClient(`${other.baseUrl}/scim/v2`, token);
        expect(refused(await client.get('/Users'))).toEqual([403, null]);
      } finally {
        await other.close();
      }
    });
  });

  describe('users', () => {
    it('stores them as sent, without the password, and finds them again', async () => {
      const userName = address();
      const sent = {
        schemas: [USER, ENTERPRISE, 'urn:example:custom:1.0:User'],
        userName,
        externalId: 'E-77',
        password: 'secret-password',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: userName, type: 'work', primary: true }],
        roles: [],
        groups: [],
        locale: 'en-GB',
        title: null,
        [ENTERPRISE]: { department: 'Maths', manager: 'm-1' },
        'urn:example:custom:1.0:User': { badge: 'A7' },
        meta: { resourceType: 'User' },
      };
      const { status, body, headers } = await scim.post('/Users', sent);
      expect(status).toBe(201);
      const location = `${server.baseUrl}/scim/v2/Users/${body.id}`;
      expect([headers.get('location'), headers.get('etag')]).toEqual([location, 'W/"1"']);
      const at = new Date(server.clock.nowMs()).toISOString();
      expect(body).toEqual({
        schemas: [USER, ENTERPRISE, 'urn:example:custom:1.0:User'],
        id: expect.stringMatching(/^scu_[0-9a-z]{16}$/),
        active: true,
        userName,
        externalId: 'E-77',
        name: sent.name,
        emails: sent.emails,
        locale: 'en-GB',
        [ENTERPRISE]: { department: 'Maths', manager: { value: 'm-1' } },
        'urn:example:custom:1.0:User': { badge: 'A7' },
        meta: { resourceType: 'User', created: at, lastModified: at, location, version: 'W/"1"' },
      });
      expect((await scim.get(`/Users/${body.id}`)).body).toEqual(body);
      const rows = await server.dataSource.query<Json[]>(`SELECT * FROM scim_users WHERE id = $1`, [body.id]);
      expect(JSON.stringify(rows)).not.toContain('secret-password');
      const account = await userIdOf(server, userName);
      const [user] = await server.dataSource.query<Json[]>(`SELECT * FROM users WHERE id = $1`, [account]);
      expect(user).toMatchObject({
        name: 'Ada Lovelace',
        password_hash: null,
        email_verified: true,
        origin: 'scim',
      });
      expect(await memberOf(userName)).toMatchObject({ role: 'member', source: 'scim', active: true });
      expect(await lastAudit()).toMatchObject({
        action: 'scim_user_created',
        actor_type: 'scim',
        target_id: body.id,
      });
    });

    it('requires an address on a verified domain, active or not', async () => {
      for (const body of [
        { userName: 'a@elsewhere.example' },
        { userName: 'a@elsewhere.example', active: false },
        { userName: 'no-address' },
        { userName: address(), emails: [{ value: 'x@elsewhere.example', primary: true }] },
        { userName: address(), emails: [{ value: 'no address' }] },
        { userName: '' },
        { emails: [{ value: 'x@elsewhere.example' }] },
      ])
        expect(refused(await scim.post('/Users', body))).toEqual([400, 'invalidValue']);
    });

    it('requires unique names and addresses: 409', async () => {
      const { userName } = await create();
      expect(refused(await scim.post('/Users', { userName: userName.toUpperCase() }))).toEqual([
        409,
        'uniqueness',
      ]);
      const emails = [{ value: userName }];
      expect(refused(await scim.post('/Users', { userName: 'other', emails }))).toEqual([409, 'uniqueness']);
      const other = await create();
      expect(refused(await scim.put(`/Users/${other.id}`, { userName }))).toEqual([409, 'uniqueness']);
    });

    it('updates with PUT, which clears what is left out except active', async () => {
      const { id, userName } = await create({ title: 'Dr', active: false });
      const { status, body } = await scim.put(`/Users/${id}`, { userName, displayName: 'D' });
      expect([status, body.active, body.title, body.displayName]).toEqual([200, false, undefined, 'D']);
      expect(body.meta.version).toBe('W/"2"');
      const again = await scim.put(`/Users/${id}`, { ...body, groups: [{ value: 'x' }] });
      expect(again.body).toEqual(body);
      expect((await lastAudit()).action).toBe('scim_user_updated');
      expect((await lastAudit()).data.changes).toEqual({ displayName: [null, 'D'], title: ['Dr', null] });
    });

    it('supports versions: If-Match and If-None-Match', async () => {
      const { id, userName } = await create();
      const path = `/Users/${id}`;
      expect((await scim.get(path, { 'if-none-match': 'W/"1"' })).status).toBe(304);
      expect((await scim.get(path, { 'if-none-match': '"9", "1"' })).status).toBe(304);
      expect((await scim.get(path, { 'if-none-match': 'W/"2"' })).status).toBe(200);
      const stale = { 'if-match': 'W/"7"' };
      expect(refused(await scim.put(path, { userName }, stale))).toEqual([412, null]);
      expect(refused(await scim.patch(path, [{ op: 'remove', path: 'title' }], stale))).toEqual([412, null]);
      expect(refused(await scim.delete(path, stale))).toEqual([412, null]);
      const change = [{ op: 'add', path: 'title', value: 'Dr' }];
      const changed = await scim.patch(path, change, { 'if-match': 'W/"7", W/"1"' });
      expect([changed.status, changed.headers.get('etag')]).toEqual([200, 'W/"2"']);
      expect((await scim.patch(path, change, { 'if-match': '*' })).headers.get('etag')).toBe('W/"2"');
      expect((await scim.delete(path, { 'if-match': 'W/"2"' })).status).toBe(204);
      expect((await scim.get(path)).status).toBe(404);
    });

    it('lists them in pages and finds them by filters', async () => {
      const other = await provisioned(server);
      const { scim: client, domain } = other;
      for (let number = 1; number <= 5; number++) {
        const body = {
          userName: `u${number}@${domain}`,
          externalId: `X${number}`,
          active: number !== 5,
          emails: [
            { value: `u${number}@${domain}`, type: 'work' },
            { value: `home${number}@web.example`, type: 'home' },
          ],
        };
        expect((await client.post('/Users', body)).status).toBe(201);
      }
      const names = async (query: string): Promise<unknown[]> => {
        const { status, body } = await client.get(`/Users?${query}`);
        expect([status, body.detail]).toEqual([200, undefined]);
        expect(body.itemsPerPage).toBe(body.Resources.length);
        const found = body.Resources.map(({ userName }: Json) => Number(/\d+/.exec(userName)?.[0]));
        return [body.totalResults, body.startIndex, found];
      };
      const filter = (text: string): string => `filter=${encodeURIComponent(text)}`;
      expect(await names('')).toEqual([5, 1, [1, 2, 3, 4, 5]]);
      expect(await names('startIndex=2&count=2')).toEqual([5, 2, [2, 3]]);
      expect(await names('startIndex=0&count=1')).toEqual([5, 1, [1]]);
      expect(await names('startIndex=9')).toEqual([5, 9, []]);
      expect(await names('count=0')).toEqual([5, 1, []]);
      expect(await names('count=-3')).toEqual([5, 1, []]);
      expect(await names('count=1000&sortBy=userName&aadOptscim062020')).toEqual([5, 1, [1, 2, 3, 4, 5]]);
      expect(await names(filter(`userName eq "U3@${domain.toUpperCase()}"`))).toEqual([1, 1, [3]]);
      expect(await names(filter('externalId eq "X2"'))).toEqual([1, 1, [2]]);
      expect(await names(filter('externalId eq "x2"'))).toEqual([0, 1, []]);
      expect(await names(filter('emails.value eq "HOME4@web.example"'))).toEqual([1, 1, [4]]);
      expect(await names(filter('emails[type eq "work"].value eq "home4@web.example"'))).toEqual([0, 1, []]);
      expect(await names(filter('emails[type eq "home" and value sw "home"]'))).toEqual([
        5,
        1,
        [1, 2, 3, 4, 5],
      ]);
      expect(await names(`${filter('active eq true')}&startIndex=2&count=2`)).toEqual([4, 2, [2, 3]]);
      expect(await names(filter('not (active eq true) or externalId eq "X1"'))).toEqual([2, 1, [1, 5]]);
      expect(await names(filter('noSuch eq "x"'))).toEqual([0, 1, []]);
      const soon = new Date(server.clock.nowMs() + 1000).toISOString();
      expect(await names(filter(`meta.created lt "${soon}"`))).toEqual([5, 1, [1, 2, 3, 4, 5]]);
      expect(refused(await client.get('/Users?filter=userName'))).toEqual([400, 'invalidFilter']);
      expect(refused(await client.get('/Users?count=x'))).toEqual([400, 'invalidValue']);
      expect(refused(await client.get('/Users?attributes=id&excludedAttributes=name'))).toEqual([
        400,
        'invalidValue',
      ]);
      // Microsoft's collection of requests has a slash at the end of lists.
      const { body } = await client.get(`/Users/?count=1&attributes=userName,emails.type`);
      expect(body.Resources).toEqual([
        {
          schemas: [USER],
          id: expect.any(String),
          userName: `u1@${domain}`,
          emails: [{ type: 'work' }, { type: 'home' }],
        },
      ]);
      // Another organization sees none of it.
      const id = body.Resources[0].id as string;
      expect((await scim.get(`/Users?${filter(`userName eq "u1@${domain}"`)}`)).body.totalResults).toBe(0);
      expect((await scim.get(`/Users?${filter(`id eq "${id}"`)}`)).body.totalResults).toBe(0);
      const remove = [{ op: 'remove', path: 'title' }];
      for (const answer of [
        await scim.get(`/Users/${id}`),
        await scim.put(`/Users/${id}`, { userName: address() }),
        await scim.patch(`/Users/${id}`, remove),
        await scim.delete(`/Users/${id}`),
      ])
        expect(refused(answer)).toEqual([404, null]);
      expect(
        refused(await scim.post('/Groups', { displayName: 'Foreign', members: [{ value: id }] })),
      ).toEqual([400, 'invalidValue']);
      const { body: foreign } = await client.post('/Groups', {
        displayName: 'Theirs',
        members: [{ value: id }],
      });
      expect(refused(await scim.get(`/Groups/${foreign.id}`))).toEqual([404, null]);
      expect((await scim.get(`/Groups?${filter('displayName eq "theirs"')}`)).body.totalResults).toBe(0);
      expect((await client.get(`/Groups?${filter(`members[value eq "${id}"]`)}`)).body.totalResults).toBe(1);
    });

    it('finds them by a search in a body as by the same query', async () => {
      const { scim: client, domain } = await provisioned(server);
      for (const name of ['ada', 'bea', 'cleo']) {
        const user = { userName: `${name}@${domain}`, externalId: name, title: name };
        expect((await client.post('/Users', user)).status).toBe(201);
      }
      const { body: group } = await client.post('/Groups', { displayName: 'Searched' });
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
      for (const [body, query] of [
        [{}, ''],
        [{ schemas, startIndex: 2, count: 1 }, '?startIndex=2&count=1'],
        [{ startIndex: '2', count: -1, sortBy: 'userName' }, '?startIndex=2&count=-1'],
        [
          { filter: 'title sw "B"', attributes: ['userName', 'title'] },
          '?filter=title%20sw%20%22B%22&attributes=userName,title',
        ],
        [{ excludedAttributes: 'title,meta' }, '?excludedAttributes=title,meta'],
        [{ filter: null, attributes: [], excludedAttributes: ['title'] }, '?excludedAttributes=title'],
      ] as const) {
        const { body: listed } = await client.get(`/Users${query}`);
        const { status, body: found } = await client.post('/Users/.search', body);
        expect([status, found]).toEqual([200, listed]);
      }
      const groups = await client.post('/Groups/.search/', { filter: 'displayName eq "searched"' });
      expect([groups.status, groups.body.Resources]).toEqual([200, [group]]);
      const elsewhere = await scim.post('/Users/.search', { filter: `userName eq "ada@${domain}"` });
      expect(elsewhere.body.totalResults).toBe(0);
    });

    it.each([
      ['a body that is no object', [], 'invalidSyntax', 'The body must be a JSON object.'],
      ['another schema', { schemas: [USER] }, 'invalidSyntax', 'schemas must contain'],
      ['half a filter', { filter: 'userName' }, 'invalidFilter', ''],
      ['two filters', { filter: ['id pr', 'id pr'] }, 'invalidValue', 'filter must be a single text.'],
      ['a null character', { filter: 'title eq "a\u0000"' }, 'invalidValue', ''],
      ['a fraction', { count: 1.5 }, 'invalidValue', 'count must be a whole number.'],
      ['a huge number', { startIndex: 1e21 }, 'invalidValue', 'startIndex must be a whole number.'],
      ['a boolean as number', { startIndex: true }, 'invalidValue', 'startIndex must be'],
      ['a number as name', { attributes: [1] }, 'invalidValue', 'attributes must be'],
      ['long names', { attributes: ['id'.repeat(6_000)] }, 'invalidValue', 'attributes is longer than 10000'],
      ['both lists', { attributes: ['id'], excludedAttributes: ['name'] }, 'invalidValue', 'Give either'],
    ])('refuses to search them with %s', async (_, body, scimType, detail) => {
      const answer = await scim.post('/Users/.search', body);
      expect(refused(answer)).toEqual([400, scimType]);
      expect(answer.body.detail).toContain(detail);
    });
  });

  describe('a person', () => {
    const projectOf = async () => {
      const projectId = org.owner.projectId;
      const [known] = await server.dataSource.query<Json[]>(
        `SELECT 1 FROM organization_projects WHERE project_id = $1`,
        [projectId],
      );
      if (!known) await addOrganizationProject(server, org, projectId);
      return projectId;
    };
    const joined = async (projectId: string, email: string): Promise<string> => {
      const userId = await userIdOf(server, email);
      await server.dataSource.query(
        `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'developer', now())`,
        [projectId, userId],
      );
      return userId;
    };
    const sees = async (client: ApiClient, projectId: string): Promise<number> =>
      (await client.get(`/v2/projects/${projectId}/apps`)).status;

    it('loses sessions, clients and all projects of the organization when deactivated, and gets nothing back', async () => {
      const projectId = await projectOf();
      const person = await signUp(server, { email: address() });
      const { body: user } = await scim.post('/Users', { userName: person.email, displayName: 'Renamed' });
      const [before] = await server.dataSource.query<Json[]>(`SELECT name FROM users WHERE email = $1`, [
        person.email,
      ]);
      expect(before?.name).not.toBe('Renamed');
      const userId = await joined(projectId, person.email);
      const { client } = await letClientIn(server, { session: person.session, projectId });
      const own = await signUp(server);
      expect(own.session).toBeDefined();
      expect([await sees(person.session, projectId), await sees(client, projectId)]).toEqual([200, 200]);

      const { status, body } = await scim.patch(`/Users/${user.id}`, [
        { op: 'Replace', path: 'active', value: 'False' },
      ]);
      expect([status, body.active]).toEqual([200, false]);
      expect([await sees(person.session, projectId), await sees(client, projectId)]).toEqual([401, 401]);
      const count = async (sql: string) => (await server.dataSource.query<Json[]>(sql, [userId])).length;
      expect(await count(`SELECT 1 FROM sessions WHERE user_id = $1`)).toBe(0);
      expect(await count(`SELECT 1 FROM oauth_grants WHERE user_id = $1`)).toBe(0);
      expect(await count(`SELECT 1 FROM project_members WHERE user_id = $1`)).toBe(1);
      expect(await memberOf(person.email)).toMatchObject({ active: false, source: 'scim' });
      expect(await lastAudit()).toMatchObject({
        action: 'scim_user_deactivated',
        data: { changes: { active: [true, false] } },
      });

      // A membership that is created later gives nothing.
      await joined(projectId, person.email);
      const login = await server.http.post(
        '/auth/login',
        { email: person.email, password: 'correct horse battery staple' },
        { 'x-forwarded-for': '10.9.9.9' },
      );
      if (login.status === 200) {
        const again = server.http.withCookie(String(login.headers['set-cookie']).split(';')[0] ?? '');
        expect(await sees(again, projectId)).toBe(404);
      }

      const back = await scim.patch(`/Users/${user.id}`, [{ op: 'replace', value: { active: true } }]);
      expect([back.status, back.body.active]).toEqual([200, true]);
      expect((await memberOf(person.email)).active).toBe(true);
      expect((await lastAudit()).action).toBe('scim_user_reactivated');
    });

    it('loses access when deleted, and is the same person when they return', async () => {
      const projectId = await projectOf();
      const user = await create();
      const userId = await joined(projectId, user.userName as string);
      expect((await scim.delete(`/Users/${user.id}`)).status).toBe(204);
      expect((await scim.delete(`/Users/${user.id}`)).status).toBe(404);
      expect((await lastAudit()).action).toBe('scim_user_deleted');
      expect((await memberOf(user.userName as string)).active).toBe(false);
      const { length } = await server.dataSource.query<Json[]>(
        `SELECT 1 FROM project_members WHERE user_id = $1`,
        [userId],
      );
      expect(length).toBe(0);
      const again = await create({ userName: user.userName });
      expect(again.id).not.toBe(user.id);
      expect(await memberOf(user.userName as string)).toMatchObject({ user_id: userId, active: true });
    });

    it('stays active as the last owner, who cannot be deactivated or deleted', async () => {
      const alone = await provisioned(server);
      const owner = await addOrganizationMember(server, alone, 'owner', { email: `boss@${alone.domain}` });
      const { body: user } = await alone.scim.post('/Users', { userName: owner.email });
      const off = [{ op: 'replace', value: { active: false } }];
      await server.dataSource.query(
        `UPDATE organization_members SET role = 'admin' WHERE org_id = $1 AND user_id <> $2`,
        [alone.id, owner.userId],
      );
      expect(refused(await alone.scim.patch(`/Users/${user.id}`, off))).toEqual([400, 'mutability']);
      expect(refused(await alone.scim.delete(`/Users/${user.id}`))).toEqual([400, 'mutability']);
      expect((await owner.session.get(alone.path)).status).toBe(200);
      await addOrganizationMember(server, alone, 'owner');
      expect((await alone.scim.patch(`/Users/${user.id}`, off)).status).toBe(200);
    });

    it('joins only once active', async () => {
      const user = await create({ active: false });
      expect(await memberOf(user.userName as string)).toBeUndefined();
      await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: 'True' }]);
      expect(await memberOf(user.userName as string)).toMatchObject({ active: true, source: 'scim' });
    });

    it('loses a manually assigned membership when sent as not active', async () => {
      const projectId = await projectOf();
      const email = address();
      const person = await addOrganizationMember(server, org, 'member', { email });
      await joined(projectId, email);
      expect(await sees(person.session, projectId)).toBe(200);
      const user = await create({ userName: email, active: false });
      expect(await sees(person.session, projectId)).toBe(401);
      expect(await memberOf(email)).toMatchObject({ active: false, source: 'manual' });
      const left = await server.dataSource.query<Json[]>(
        `SELECT 1 FROM project_members WHERE user_id = $1 AND project_id = $2`,
        [person.userId, projectId],
      );
      expect(left).toEqual([]);
      await scim.patch(`/Users/${user.id}`, [{ op: 'replace', value: { active: true } }]);
      expect((await memberOf(email)).active).toBe(true);

      // The same by a change of the address of a user who is not active.
      const moved = await addOrganizationMember(server, org, 'member', { email: address() });
      const idle = await create({ active: false });
      const change = [{ op: 'replace', path: 'userName', value: moved.email }];
      expect((await scim.patch(`/Users/${idle.id}`, change)).status).toBe(200);
      expect((await memberOf(moved.email)).active).toBe(false);
      expect((await moved.session.get('/auth/me')).status).toBe(401);

      const boss = await provisioned(server);
      const owner = await addOrganizationMember(server, boss, 'owner', { email: `boss@${boss.domain}` });
      await server.dataSource.query(`DELETE FROM organization_members WHERE org_id = $1 AND user_id <> $2`, [
        boss.id,
        owner.userId,
      ]);
      const last = { userName: owner.email, active: false };
      expect(refused(await boss.scim.post('/Users', last))).toEqual([400, 'mutability']);
      expect((await owner.session.get(boss.path)).status).toBe(200);
    });

    it('moves to another address on a verified domain; names follow only where the provider made the account', async () => {
      const [old, next] = [address(), address()];
      const user = await create({ userName: old, displayName: 'Old' });
      const userId = await userIdOf(server, old);
      const path = `/Users/${user.id}`;
      const elsewhere = await scim.patch(path, [
        { op: 'replace', path: 'userName', value: 'x@elsewhere.example' },
      ]);
      expect(refused(elsewhere)).toEqual([400, 'invalidValue']);
      const { status } = await scim.patch(path, [
        { op: 'replace', value: { userName: next, displayName: 'New' } },
      ]);
      expect(status).toBe(200);
      const account = async (id: string) =>
        (await server.dataSource.query<Json[]>(`SELECT email, name FROM users WHERE id = $1`, [id]))[0];
      expect(await account(userId)).toEqual({ email: next, name: 'New' });
      const taken = await signUp(server, { email: address() });
      await scim.patch(path, [{ op: 'replace', path: 'userName', value: taken.email }]);
      expect(await account(userId)).toEqual({ email: next, name: 'New' });
    });
  });

  describe('groups', () => {
    it('adds and removes members one by one', async () => {
      const users = [await create(), await create(), await create()];
      const [a, b, c] = users as [Json, Json, Json];
      const group = await createGroup('Engineering', [a]);
      const path = `/Groups/${group.id}`;
      expect(group).toMatchObject({
        schemas: [GROUP],
        displayName: 'Engineering',
        members: [{ value: a.id, $ref: a.meta.location, display: a.userName, type: 'User' }],
        meta: { resourceType: 'Group', version: 'W/"1"' },
      });
      const ids = async (...operations: Json[]): Promise<unknown[]> => {
        const { status, body, headers } = await scim.patch(path, operations);
        expect([status, body.detail]).toEqual([200, undefined]);
        return [headers.get('etag'), (body.members ?? []).map(({ value }: Json) => value).sort()];
      };
      const sorted = (...some: Json[]) => some.map(({ id }) => id as string).sort();
      expect(
        await ids({ op: 'Add', path: 'members', value: [{ $ref: null, value: b.id }, { value: a.id }] }),
      ).toEqual(['W/"2"', sorted(a, b)]);
      expect(await ids({ op: 'add', path: 'members', value: [{ value: b.id }] })).toEqual([
        'W/"2"',
        sorted(a, b),
      ]);
      expect(await ids({ op: 'remove', path: `members[value eq "${a.id}"]` })).toEqual(['W/"3"', sorted(b)]);
      expect(await ids({ op: 'Remove', path: 'members', value: [{ value: a.id }] })).toEqual([
        'W/"3"',
        sorted(b),
      ]);
      expect(
        await ids({ op: 'replace', path: 'members', value: users.map(({ id }) => ({ value: id })) }),
      ).toEqual(['W/"4"', sorted(a, b, c)]);
      expect((await scim.get(`/Users/${a.id}`)).body.groups).toEqual([
        { value: group.id, $ref: group.meta.location, display: 'Engineering', type: 'direct' },
      ]);
      expect((await scim.get(`${path}?excludedAttributes=members`)).body.members).toBeUndefined();
      expect(await ids({ op: 'remove', path: 'members' })).toEqual(['W/"5"', []]);
      const renamed = await scim.put(path, { displayName: 'Engineers', members: [{ value: c.id }] });
      expect([renamed.body.displayName, renamed.body.members.length]).toEqual(['Engineers', 1]);
      const { body: list } = await org.owner.session.get(`${org.path}/scim/groups`);
      expect(list.items).toContainEqual({
        object: 'scim_group',
        id: group.id,
        display_name: 'Engineers',
        member_count: 1,
        external_id: null,
      });
      await scim.delete(`/Users/${c.id}`);
      expect((await scim.get(path)).body.members).toBeUndefined();
      expect((await scim.delete(path)).status).toBe(204);
      expect((await lastAudit()).action).toBe('scim_group_deleted');
    });

    it('assigns roles, which follow members, names, groups and mappings', async () => {
      const own = await provisioned(server);
      const { projectId, session } = own.owner;
      await addOrganizationProject(server, own, projectId);
      const path = `/v2/projects/${projectId}`;
      const map = (group: string, role: string) =>
        session.post(`${own.path}/role_mappings`, { group, project_id: projectId, role });
      const person = await signUp(server, { email: `dev@${own.domain}` });
      const { body: user } = await own.scim.post('/Users', { userName: person.email });
      const groupNamed = async (displayName: string): Promise<string> =>
        (await own.scim.post('/Groups', { displayName })).body.id as string;
      const [readers, builders] = [await groupNamed('Readers'), await groupNamed('Builders')];
      const patch = async (group: string, ...operations: Json[]): Promise<void> => {
        expect((await own.scim.patch(`/Groups/${group}`, operations)).status).toBe(200);
      };
      const add = { op: 'add', path: 'members', value: [{ value: user.id }] };
      const leave = { op: 'remove', path: `members[value eq "${user.id}"]` };
      const may = async (): Promise<[number, number]> => [
        (await person.session.get(`${path}/apps`)).status,
        (await person.session.post(`${path}/products`, {})).status,
      ];
      const NOTHING = [404, 404];
      const READ = [200, 403];
      // 400: the body is empty, so it was looked at.
      const WRITE = [200, 400];

      expect(await may()).toEqual(NOTHING);
      expect((await map('readers', 'viewer')).status).toBe(201);
      expect(await may()).toEqual(NOTHING);
      await patch(readers, add);
      expect(await may()).toEqual(READ);
      const mapping = await map('Builders', 'developer');
      await patch(builders, add);
      expect(await may()).toEqual(WRITE);
      await patch(builders, leave);
      expect(await may()).toEqual(READ);
      await patch(builders, add);
      expect(await may()).toEqual(WRITE);
      await patch(builders, { op: 'replace', value: { displayName: 'Former builders' } });
      expect(await may()).toEqual(READ);
      await patch(builders, { op: 'replace', path: 'displayName', value: 'BUILDERS' });
      expect(await may()).toEqual(WRITE);
      expect((await own.scim.delete(`/Groups/${builders}`)).status).toBe(204);
      expect(await may()).toEqual(READ);
      const again = await own.scim.post('/Groups', {
        displayName: 'Builders',
        members: [{ value: user.id }],
      });
      expect(again.status).toBe(201);
      expect(await may()).toEqual(WRITE);
      const { status } = await session.delete(`${own.path}/role_mappings/${mapping.body.id}`);
      expect(status).toBe(200);
      expect(await may()).toEqual(READ);
      await own.scim.put(`/Groups/${readers}`, { displayName: 'Readers' });
      expect(await may()).toEqual(NOTHING);
    });

    it('requires unique names and existing members', async () => {
      const group = await createGroup('Sales');
      expect(refused(await scim.post('/Groups', { displayName: 'SALES' }))).toEqual([409, 'uniqueness']);
      for (const body of [
        {},
        { displayName: ' ' },
        { displayName: 'X', members: [{ value: 'scu_unknown' }] },
        { displayName: 'X', members: [{ value: group.id, type: 'Group' }] },
        { displayName: 'X', members: [{ value: group.id }] },
        { displayName: 'X', members: [{}] },
      ])
        expect(refused(await scim.post('/Groups', body))).toEqual([400, 'invalidValue']);
      const failing = [
        { op: 'replace', path: 'displayName', value: 'Changed' },
        { op: 'add', path: 'members', value: [{ value: 'scu_unknown' }] },
      ];
      expect(refused(await scim.patch(`/Groups/${group.id}`, failing))).toEqual([400, 'invalidValue']);
      expect((await scim.get(`/Groups/${group.id}`)).body.displayName).toBe('Sales');
    });
  });
});
