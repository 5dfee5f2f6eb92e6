import { RadioCards } from '../../ui/forms/choice.js';
import type { Role } from './members.queries.js';
import { roleNames } from './labels.js';

const roleSentences: Record<Role, string> = {
  admin: 'Everything, including members, secret keys and deleting the project.',
  developer: 'Everything but members, secret keys and deleting the project.',
  viewer: 'Sees everything and changes nothing.',
};

const roles = ['admin', 'developer', 'viewer'] as const;

interface RoleFieldProps {
  value: Role;
  onChange: (role: Role) => void;
  labelHidden?: boolean;
  error?: string | null;
}

/** Roles, each with its permissions. */
export function RoleField(props: RoleFieldProps) {
  return (
    <RadioCards<Role>
      {...props}
      label="Role"
      options={roles.map((value) => ({ value, label: roleNames[value], hint: roleSentences[value] }))}
    />
  );
}
