import { isBuiltIn, type MemberRole, type ProjectRole } from '../../platform/principal/permissions.js';

const builtInNames: Record<ProjectRole, string> = {
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
};
const REMOVED = 'No access (role removed)';

/** Display name of a role. `customName` is the name of the custom role with the id `role`, or null. */
export function roleNameOf(role: MemberRole, customName: string | null): string {
  return isBuiltIn(role) ? builtInNames[role] : (customName ?? REMOVED);
}
