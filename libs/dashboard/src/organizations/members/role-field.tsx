import type { OrganizationRole } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { roleNames } from '../organizations.text.js';
import { text } from './members.text.js';

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
      label={text.role}
      options={roles.map((value) => ({
        value,
        label: roleNames[value],
        hint: text.roles[value],
        disabledReason: value === 'owner' && !isOwner ? text.ownersOnly : null,
      }))}
    />
  );
}
