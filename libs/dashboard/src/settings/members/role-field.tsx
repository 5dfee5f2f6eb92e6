import { RadioCards } from '../../ui/forms/choice.js';
import type { Role } from './members.queries.js';
import { roleNames, roleSentences, text } from './members.text.js';

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
      label={text.roleLabel}
      options={roles.map((value) => ({ value, label: roleNames[value], hint: roleSentences[value] }))}
    />
  );
}
