import { createOrganization } from '../../support/arrange-enterprise.js';
import type { KnownObjects } from '../../support/known-objects.js';
import type { Dashboard } from './dashboard.js';

/** An organization of the owner with a project of its own, and one of everything that its pages show. */
export async function arrangeOrganization({ server, owner }: Dashboard): Promise<KnownObjects> {
  const { id, path } = await createOrganization(server, { owner, name: 'Acme Group' });
  const post = async (route: string, body: object): Promise<string> => {
    const answer = await owner.session.post(route, body);
    if (answer.status >= 300) throw new Error(`POST ${route} answered ${answer.status}: ${answer.text}`);
    return answer.body.id as string;
  };
  const project = await post('/v2/projects', { name: 'Shop' });
  await post(`${path}/projects`, { project_id: project });
  const scopes = ['customer_information:customers:read'];
  const role = await post(`${path}/roles`, { name: 'Support', scopes });
  await post(`${path}/role_mappings`, { group: 'support-team', project_id: project, role });
  await post(`${path}/sso/domains`, { domain: 'example.org' });
  await post(`${path}/scim/tokens`, { name: 'Okta' });
  const connection = await post(`${path}/sso/connections`, { kind: 'saml', name: 'Okta', saml: {} });
  return { org_id: id, org_project_id: project, role_id: role, connection_id: connection };
}
