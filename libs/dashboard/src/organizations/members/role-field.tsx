import type { OrganizationRole } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { roleNames } from '../labels.js';

const roleLabels = {
  owner: 'Everything, including deletion of the organization and changes of other owners.',
  admin: 'Admin of every project; manages members, roles, sign-in and provisioning.',
  member: 'Sees the organization, and the projects in which the person has a role.',
} satisfies Record<OrganizationRole, string>;

const roles = ['owner', 'admin', 'member'] as const;

interface RoleFieldProps {
  value: OrganizationRole;
  onChange: (role: OrganizationRole) => void;
}

/** Roles in the organization, each with its permissions. */
export function RoleField(props: RoleFieldProps) {
  const { allowed: isOwner } = useOrganizationMay('owner');
  return (
    <RadioCards<OrganizationRole>
      {...props}
      label="Role"
      options={roles.map((value) => ({
        value,
        label: roleNames[value],
        hint: roleLabels[value],
        disabledReason: value === 'owner' && !isOwner ? 'Only owners can appoint owners.' : null,
      }))}
    />
  );
}
