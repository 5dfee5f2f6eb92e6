import { randomBytes } from 'node:crypto';
import { type Feature, features as allFeatures } from '../../src/enterprise/licence/features.js';
import { issueLicence, type Licence, rawPublicKey } from '../../src/enterprise/licence/licence-key.js';
import type { OrganizationRole } from '../../src/enterprise/access/organization-role.js';
import { RoleApplicationService } from '../../src/enterprise/roles/role-application.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { type SignedUp, signUp } from './arrange.js';
import { startTestServer, TEST_START_MS, type TestServer, type TestServerOptions } from './test-server.js';

/** Anybody can sign up, however many. */
const openSignUp = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' };

/** A server with every feature of the enterprise edition. */
export function startEnterpriseServer({ env, ...options }: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer({ ...options, env: { SERVICE_EE_DEV: 'true', ...openSignUp, ...env } });
}

const issuer = randomBytes(32);

/** The key that licences of `testLicence` are signed with, as `SERVICE_LICENSE_PUBLIC_KEY` has it. */
export const licencePublicKey = rawPublicKey(issuer).toString('base64');

/** A genuine licence; by default of every feature, without an end. */
export function testLicence(fields: Partial<Omit<Licence, 'kid'>> = {}, seed = issuer): string {
  const all = {
    id: 'lic_test',
    licensee: 'Acme GmbH',
    features: [...allFeatures],
    issuedAtMs: TEST_START_MS,
    expiresAtMs: null,
    maxOrganizations: null,
    editions: ['self-hosted', 'cloud'] as Licence['editions'],
  };
  return issueLicence({ ...all, ...fields }, seed);
}

/** A server whose licence has these features only. */
export function startLicensedServer(
  features: Feature[],
  { env, ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const licence = {
    SERVICE_LICENSE_KEY: testLicence({ features }),
    SERVICE_LICENSE_PUBLIC_KEY: licencePublicKey,
  };
  return startTestServer({ ...options, env: { ...licence, ...openSignUp, ...env } });
}

export interface TestOrganization {
  id: string;
  /** `/v2/organizations/org_...` */
  path: string;
  owner: SignedUp;
}

/** An organization of a new person. */
export async function createOrganization(
  server: TestServer,
  { name = 'Acme', owner: given }: { name?: string; owner?: SignedUp } = {},
): Promise<TestOrganization> {
  const owner = given ?? (await signUp(server));
  const { status, body, text } = await owner.session.post('/v2/organizations', { name });
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${text}`);
  return { id: body.id as string, path: `/v2/organizations/${body.id}`, owner };
}

export async function userIdOf(server: TestServer, email: string): Promise<string> {
  const [row] = await server.dataSource.query<{ id: string }[]>(`SELECT id FROM users WHERE email = $1`, [
    email,
  ]);
  if (!row) throw new Error(`no user has the address ${email}`);
  return row.id;
}

/** Makes a person (by default a new one) a member, without a request. */
export async function addOrganizationMember(
  server: TestServer,
  { id: orgId }: Pick<TestOrganization, 'id'>,
  role: OrganizationRole,
  { email, person: given }: { email?: string; person?: SignedUp } = {},
): Promise<SignedUp & { userId: string }> {
  const person = given ?? (await signUp(server, { email }));
  const userId = await userIdOf(server, person.email);
  await server.dataSource.query(
    `INSERT INTO organization_members (org_id, user_id, role, source, created_at) VALUES ($1, $2, $3, 'manual', $4)`,
    [orgId, userId, role, new Date(server.clock.nowMs())],
  );
  await reapplyRoles(server, orgId);
  return { ...person, userId };
}

/** Moves a project in without a request; who is on it does not change but by their role in the organization. */
export async function addOrganizationProject(
  server: TestServer,
  { id: orgId }: Pick<TestOrganization, 'id'>,
  projectId: string,
  region: 'us' | 'eu' = 'us',
): Promise<void> {
  await server.dataSource.query(
    `INSERT INTO organization_projects (org_id, project_id, region, added_at) VALUES ($1, $2, $3, $4)`,
    [orgId, projectId, region, new Date(server.clock.nowMs())],
  );
  await server.dataSource.query(
    `INSERT INTO organization_members (org_id, user_id, role, source, created_at)
     SELECT $1, user_id, 'member', 'project', $3 FROM project_members WHERE project_id = $2
     ON CONFLICT (org_id, user_id) DO NOTHING`,
    [orgId, projectId, new Date(server.clock.nowMs())],
  );
  await reapplyRoles(server, orgId);
}

export async function reapplyRoles(server: TestServer, orgId: string): Promise<void> {
  const roles = server.app.get(RoleApplicationService, { strict: false });
  await server.app.get(DatabaseService).transaction((tx) => roles.reapply(tx, orgId));
}

/** The organization has proven that the domain is its own. */
export async function verifyDomain(
  server: TestServer,
  { id: orgId }: Pick<TestOrganization, 'id'>,
  domain: string,
): Promise<void> {
  await server.dataSource.query(
    `INSERT INTO sso_domains (org_id, domain, token, verified_at, created_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (org_id, domain) DO UPDATE SET verified_at = excluded.verified_at`,
    [orgId, domain, randomBytes(16).toString('hex'), new Date(server.clock.nowMs())],
  );
}

/** Requires the identity provider of people on verified domains, without looking whether there is one. */
export async function enforceSso(
  server: TestServer,
  { id: orgId }: Pick<TestOrganization, 'id'>,
  isEnforced = true,
): Promise<void> {
  await server.dataSource.query(`UPDATE organizations SET sso_enforced = $2 WHERE id = $1`, [
    orgId,
    isEnforced,
  ]);
}

/** Makes a person's present sessions such as a connection of the organization has opened. */
export async function asSsoSession(
  server: TestServer,
  { id: orgId }: Pick<TestOrganization, 'id'>,
  email: string,
  connectionId = 'ssoc_test',
): Promise<void> {
  await server.dataSource.query(
    `UPDATE sessions SET method = 'sso', sso_org_id = $1, sso_connection_id = $2
     WHERE user_id = (SELECT id FROM users WHERE email = $3)`,
    [orgId, connectionId, email],
  );
}
