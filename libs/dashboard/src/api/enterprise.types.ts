/** Objects and routes of organizations, as the server answers them. */

export type Feature =
  | 'organizations'
  | 'custom_roles'
  | 'sso'
  | 'scim'
  | 'data_location'
  | 'audit_retention'
  | 'compliance_exports';
export type Region = 'us' | 'eu';
export type OrganizationRole = 'owner' | 'admin' | 'member';

export interface EnterpriseStatus {
  mode: 'development' | 'licensed' | 'invalid';
  features: Feature[];
  licensee: string | null;
  expires_at: number | null;
  message: string | null;
}

export interface Organization {
  id: string;
  name: string;
  your_role: OrganizationRole;
  region: Region;
  region_name: string;
  selectable_regions: Region[];
  region_enforced: boolean;
  audit_retention_days: number | null;
  sso_enforced: boolean;
  seats: { purchased: number | null; used: number };
  billing_email: string | null;
  member_count: number;
  project_count: number;
  features: Feature[];
  created_at: number;
  updated_at: number;
}

export interface OrganizationOverview extends Organization {
  sso: { connections: number; enabled_connections: number; domains: number; verified_domains: number };
  scim: { tokens: number; users: number; active_users: number; groups: number };
  custom_roles: number;
  role_mappings: number;
}

export interface OrganizationMember {
  user_id: string;
  email: string;
  name: string | null;
  role: OrganizationRole;
  source: 'manual' | 'sso' | 'scim' | 'project';
  active: boolean;
  sso_groups: string[];
  last_sso_at: number | null;
  password_sign_in: boolean;
  created_at: number;
}

export interface OrganizationProject {
  id: string;
  name: string;
  region: Region;
  region_name: string;
  member_count: number;
  your_role: string | null;
  added_at: number;
}

export interface OrganizationProjectMember {
  user_id: string;
  email: string;
  name: string | null;
  role: string;
  role_name: string;
  source: 'manual' | 'org' | 'idp';
}

export interface OrganizationAuditEntry {
  id: string;
  action: string;
  actor: { type: 'user' | 'scim' | 'sso' | 'system'; id: string | null; email: string | null };
  target: { type: string; id: string };
  data: Record<string, unknown>;
  occurred_at: number;
}

export interface CustomRole {
  id: string;
  name: string;
  description: string | null;
  scopes: string[];
  project_id: string | null;
  member_count: number;
  created_at: number;
  updated_at: number;
}

export interface RoleMapping {
  id: string;
  group: string;
  project_id: string;
  project_name: string;
  role: string;
  role_name: string;
  created_at: number;
}

export interface ScopeGroup {
  group: string;
  scopes: { scope: string; label: string }[];
}

interface SsoConnectionBase {
  id: string;
  org_id: string;
  name: string;
  enabled: boolean;
  jit: boolean;
  created_at: number;
  updated_at: number;
}

export interface SamlSettings {
  idp_entity_id: string | null;
  idp_sso_url: string | null;
  idp_certificates: string[];
  certificate_warnings: string[];
  allow_idp_initiated: boolean;
  email_attribute: string | null;
  first_name_attribute: string | null;
  last_name_attribute: string | null;
  groups_attribute: string | null;
}

export interface OidcSettings {
  issuer: string | null;
  client_id: string | null;
  has_client_secret: boolean;
  scopes: string;
  groups_claim: string | null;
}

export type SamlConnection = SsoConnectionBase & {
  kind: 'saml';
  saml: SamlSettings;
  sp: { entity_id: string; metadata_url: string; acs_url: string; start_url: string };
};
export type OidcConnection = SsoConnectionBase & {
  kind: 'oidc';
  oidc: OidcSettings;
  sp: { redirect_uri: string; start_url: string };
};
export type SsoConnection = SamlConnection | OidcConnection;

export interface SsoConnectionBody {
  kind?: 'saml' | 'oidc';
  name?: string;
  enabled?: boolean;
  jit?: boolean;
  saml?: Partial<Omit<SamlSettings, 'certificate_warnings'>> & { metadata_xml?: string };
  oidc?: Partial<Omit<OidcSettings, 'has_client_secret'>> & { client_secret?: string | null };
}

export interface SsoDomain {
  domain: string;
  verified: boolean;
  verified_at: number | null;
  txt_record: { type: 'TXT'; name: string; value: string };
  last_checked_at: number | null;
  last_error: 'no_record' | 'wrong_value' | 'dns_error' | null;
  created_at: number;
  found?: { txt: string[] };
}

export interface ScimToken {
  id: string;
  name: string;
  prefix: string;
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface ScimGroup {
  id: string;
  display_name: string;
  member_count: number;
  external_id: string | null;
}

export interface ExportKey {
  algorithm: 'Ed25519';
  public_key: string | null;
  key_id: string | null;
  signs: boolean;
}

export interface OrganizationChanges {
  name?: string;
  region?: Region;
  audit_retention_days?: number | null;
  sso_enforced?: boolean;
  seats?: number | null;
  billing_email?: string | null;
}

export interface CustomRoleBody {
  name: string;
  description: string | null;
  scopes: string[];
  project_id: string | null;
}
