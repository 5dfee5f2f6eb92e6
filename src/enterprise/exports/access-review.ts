import { isBuiltIn, type MemberRole, rolePermissions } from '../../platform/principal/permissions.js';
import { roleNameOf } from '../roles/role-name.js';
import type { ExportRow } from './export-format.js';

/** A person and a project as stored. The project's columns are null for people without access. */
export interface AccessRow {
  user_id: string;
  email: string;
  name: string | null;
  organization_role: string | null;
  active: boolean | null;
  member_source: string | null;
  project_id: string | null;
  project_name: string | null;
  role: MemberRole | null;
  custom_name: string | null;
  /** Separated by spaces. */
  custom_scopes: string | null;
  granted_by: string | null;
  has_password: boolean;
  last_sso_at: string | null;
  scim_managed: boolean;
  scim_active: boolean | null;
}

export const accessReviewColumns = [
  'user_id',
  'email',
  'name',
  'organization_role',
  'active',
  'member_source',
  'project_id',
  'project_name',
  'role',
  'role_name',
  'scopes',
  'granted_by',
  'has_password',
  'last_sso_at',
  'scim_managed',
  'scim_active',
] as const;

const scopesOf = (role: MemberRole, customScopes: string | null): string =>
  isBuiltIn(role) ? [...rolePermissions[role]].sort().join(' ') : (customScopes ?? '');

/** Returns the effective permissions. A deactivated member has none, whatever the role. */
export function reviewed({ custom_name, custom_scopes, ...row }: AccessRow): ExportRow {
  const { role, active } = row;
  return {
    ...row,
    role_name: role && roleNameOf(role, custom_name),
    scopes: role && (active === false ? '' : scopesOf(role, custom_scopes)),
  };
}
