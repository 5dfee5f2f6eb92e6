import SCIMMY from 'scimmy';
import { addOrganizationProject, startEnterpriseServer, userIdOf } from '../support/arrange-enterprise.js';
import { signUp } from '../support/arrange.js';
import type { Json } from '../support/api-client.js';
import { provisioned } from '../support/scim-client.js';
import { entra, okta, type ScimStep } from '../support/scim-sequences.js';
import type { TestServer } from '../support/test-server.js';

/** Another implementation reads the answer. It throws what an error message says. */
function readIndependently(body: Json): void {
  const [schema] = body.schemas as string[];
  if (schema?.endsWith(':ListResponse')) {
    const list = new SCIMMY.Messages.ListResponse(body as never);
    expect([list.totalResults, list.startIndex]).toEqual([body.totalResults, body.startIndex]);
    return (body.Resources as Json[]).forEach(readIndependently);
  }
  if (schema?.endsWith(':Error')) {
    expect(() => new SCIMMY.Messages.ErrorResponse(body as never)).toThrow(SCIMMY.Types.Error);
    return;
  }
  const known = schema?.endsWith(':Group') ? SCIMMY.Schemas.Group : SCIMMY.Schemas.User;
  const read = new known(body as never, 'out') as Json;
  expect(read.id).toBe(body.id);
  if (body.userName !== undefined) expect([read.userName, read.active]).toEqual([body.userName, body.active]);
  if (body.members !== undefined) expect(read.members).toHaveLength(body.members.length as number);
}

describe('clients of SCIM', () => {
  let server: TestServer;

  beforeAll(async () => {
    SCIMMY.Schemas.User.definition.extend(SCIMMY.Schemas.EnterpriseUser.definition, false);
    server = await startEnterpriseServer();
  });

  afterAll(() => server.close());

  it.each<[string, ScimStep[]]>([
    ['Okta', okta],
    ['Entra ID', entra],
  ])('%s goes through a whole life', async (_, steps) => {
    const { scim, domain } = await provisioned(server);
    const words = new Map([['domain', domain]]);
    const filled = <T>(value: T): T => {
      const text = JSON.stringify(value).replaceAll(
        /\{(domain|user|group)\}/g,
        (word, name: string) => words.get(name) ?? word,
      );
      return JSON.parse(text) as T;
    };
    for (const { what, send, status, answer, as } of steps) {
      const [method, path, body] = filled(send);
      const given = await scim.send(method, path, body);
      const { detail = null } = status < 400 ? given.body : {};
      expect([what, given.status, detail]).toEqual([what, status, null]);
      if (as !== undefined) words.set(as, given.body.id as string);
      if (answer !== undefined) expect({ what, ...given.body }).toMatchObject({ what, ...filled(answer) });
      if (status === 204) expect(given.body).toBe('');
      else readIndependently(given.body);
    }
  });

  it('finds a deactivated person signed out on every other server at once', async () => {
    const other = await startEnterpriseServer({ databaseUrl: server.databaseUrl });
    try {
      const organization = await provisioned(server);
      const { scim, domain, owner } = organization;
      const person = await signUp(server, { email: `p@${domain}` });
      await addOrganizationProject(server, organization, owner.projectId);
      const { body: user } = await scim.post('/Users', { userName: person.email });
      await server.dataSource.query(
        `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'viewer', now())`,
        [owner.projectId, await userIdOf(server, person.email)],
      );
      const there = other.http.withCookie(person.cookie);
      const path = `/v2/projects/${owner.projectId}/apps`;
      expect((await there.get(path)).status).toBe(200);
      expect(
        (await scim.patch(`/Users/${user.id}`, [{ op: 'replace', value: { active: false } }])).status,
      ).toBe(200);
      expect((await there.get(path)).status).toBe(401);
      expect((await there.get('/auth/me')).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('handles concurrent requests: each person once, and the last state counts for access too', async () => {
    const { scim, domain, id } = await provisioned(server);
    const userName = `twice@${domain}`;
    const created = await Promise.all([1, 2, 3].map(() => scim.post('/Users', { userName })));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const user = created.find(({ status }) => status === 201)?.body;
    const change = (active: boolean) =>
      scim.patch(`/Users/${user.id}`, [{ op: 'replace', value: { active } }]);
    for (let round = 0; round < 5; round++) {
      await Promise.all([change(true), change(false), change(true)]);
      const { body } = await scim.get(`/Users/${user.id}`);
      const [member] = await server.dataSource.query<{ active: boolean }[]>(
        `SELECT m.active FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
        [id, userName],
      );
      expect(member?.active).toBe(body.active);
    }
  });
});
