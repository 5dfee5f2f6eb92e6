import type {
  CustomRole,
  CustomRoleBody,
  EnterpriseStatus,
  ExportKey,
  Organization,
  OrganizationAuditEntry,
  OrganizationChanges,
  OrganizationMember,
  OrganizationOverview,
  OrganizationProject,
  OrganizationProjectMember,
  OrganizationRole,
  Region,
  RoleMapping,
  ScimGroup,
  ScimToken,
  ScopeGroup,
  SsoConnection,
  SsoConnectionBody,
  SsoDomain,
} from './enterprise.types.js';

interface List<Item> {
  items: Item[];
  next_page: string | null;
}

interface Deleted {
  id: string;
  deleted_at: number;
}

interface Json<Value> {
  content: { 'application/json': Value };
}

interface Get<Path, Answer, Query = never> {
  get: { parameters: { path: Path; query?: Query }; responses: { 200: Json<Answer> } };
}

interface Post<Path, Body, Answer> {
  post: { parameters: { path: Path }; requestBody: Json<Body>; responses: { 200: Json<Answer> } };
}

interface Act<Path, Answer> {
  post: { parameters: { path: Path }; responses: { 200: Json<Answer> } };
}

interface Delete<Path, Answer = Deleted> {
  delete: { parameters: { path: Path }; responses: { 200: Json<Answer> } };
}

interface PageQuery {
  limit?: number;
  starting_after?: string;
}

type None = Record<never, never>;
interface InOrganization {
  org_id: string;
}
type In<Name extends string> = InOrganization & Record<Name, string>;
type ListOf<Path, Item> = Get<Path, List<Item>, PageQuery>;

export interface EnterprisePaths {
  '/v2/enterprise': { get: { responses: { 200: Json<EnterpriseStatus> } } };
  '/v2/organizations': ListOf<None, Organization> &
    Post<None, { name: string; region?: Region }, Organization>;
  '/v2/organizations/{org_id}': Get<InOrganization, Organization> &
    Post<InOrganization, OrganizationChanges, Organization> &
    Delete<InOrganization>;
  '/v2/organizations/{org_id}/overview': Get<InOrganization, OrganizationOverview>;
  '/v2/organizations/{org_id}/members': ListOf<InOrganization, OrganizationMember> &
    Post<InOrganization, { email: string; role: OrganizationRole }, OrganizationMember>;
  '/v2/organizations/{org_id}/members/{user_id}': Post<
    In<'user_id'>,
    { role: OrganizationRole },
    OrganizationMember
  > &
    Delete<In<'user_id'>>;
  '/v2/organizations/{org_id}/projects': ListOf<InOrganization, OrganizationProject> &
    Post<InOrganization, { project_id: string }, OrganizationProject>;
  '/v2/organizations/{org_id}/projects/{project_id}': Delete<In<'project_id'>>;
  '/v2/organizations/{org_id}/projects/{project_id}/region': Post<
    In<'project_id'>,
    { region: Region },
    OrganizationProject
  >;
  '/v2/organizations/{org_id}/projects/{project_id}/members': ListOf<
    In<'project_id'>,
    OrganizationProjectMember
  >;
  '/v2/organizations/{org_id}/projects/{project_id}/members/{user_id}': Post<
    In<'project_id' | 'user_id'>,
    { role: string },
    OrganizationProjectMember
  >;
  '/v2/organizations/{org_id}/scopes': Get<InOrganization, { groups: ScopeGroup[] }>;
  '/v2/organizations/{org_id}/roles': ListOf<InOrganization, CustomRole> &
    Post<InOrganization, CustomRoleBody, CustomRole>;
  '/v2/organizations/{org_id}/roles/{role_id}': Get<In<'role_id'>, CustomRole> &
    Post<In<'role_id'>, Partial<CustomRoleBody>, CustomRole> &
    Delete<In<'role_id'>>;
  '/v2/organizations/{org_id}/role_mappings': ListOf<InOrganization, RoleMapping> &
    Post<
      InOrganization,
      { group: string; project_id: string; role: string },
      RoleMapping & { memberships_changed: number }
    >;
  '/v2/organizations/{org_id}/role_mappings/{mapping_id}': Delete<In<'mapping_id'>>;
  '/v2/organizations/{org_id}/audit_logs': Get<
    InOrganization,
    List<OrganizationAuditEntry>,
    PageQuery & { start_time?: number; end_time?: number }
  >;
  '/v2/organizations/{org_id}/sso/connections': ListOf<InOrganization, SsoConnection> &
    Post<InOrganization, SsoConnectionBody, SsoConnection>;
  '/v2/organizations/{org_id}/sso/connections/{connection_id}': Get<In<'connection_id'>, SsoConnection> &
    Post<In<'connection_id'>, SsoConnectionBody, SsoConnection> &
    Delete<In<'connection_id'>>;
  '/v2/organizations/{org_id}/sso/domains': ListOf<InOrganization, SsoDomain> &
    Post<InOrganization, { domain: string }, SsoDomain>;
  '/v2/organizations/{org_id}/sso/domains/{domain}': Delete<In<'domain'>>;
  '/v2/organizations/{org_id}/sso/domains/{domain}/actions/verify': Act<In<'domain'>, SsoDomain>;
  '/v2/organizations/{org_id}/scim/tokens': ListOf<InOrganization, ScimToken> &
    Post<InOrganization, { name: string }, ScimToken & { token: string; base_url: string }>;
  '/v2/organizations/{org_id}/scim/tokens/{token_id}': Delete<In<'token_id'>, ScimToken>;
  '/v2/organizations/{org_id}/scim/groups': ListOf<InOrganization, ScimGroup>;
  '/v2/organizations/{org_id}/exports/public_key': Get<InOrganization, ExportKey>;
  '/v2/organizations/{org_id}/exports/{kind}': {
    get: {
      parameters: {
        path: In<'kind'>;
        query?: { format?: 'csv' | 'json'; start_time?: number; end_time?: number };
      };
      responses: { 200: { content: { 'text/csv': string } } };
    };
  };
  '/sso/lookup': {
    post: {
      requestBody: Json<{ email: string; next?: string }>;
      responses: { 200: Json<{ sso: boolean; url: string | null }> };
    };
  };
}
