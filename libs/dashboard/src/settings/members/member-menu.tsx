import { useMay } from '../../api/permissions.js';
import { Menu } from '../../ui/overlays/menu.js';
import type { Member } from './members.queries.js';

interface MemberMenuProps {
  member: Member;
  isSelf: boolean;
  isLastAdmin: boolean;
  onRole: () => void;
  onRemove: () => void;
}

export function MemberMenu({ member, isSelf, isLastAdmin, onRole, onRemove }: MemberMenuProps) {
  const mayChange = useMay('updateCollaborator');
  const mayRemove = useMay('deleteCollaborator');
  const lastAdmin = isLastAdmin
    ? 'A project needs an admin, and this person is the only one. Make another member admin first.'
    : null;
  return (
    <Menu
      iconOnly
      size="sm"
      variant="ghost"
      label={`Actions for ${member.name ?? member.email}`}
      items={[
        {
          label: 'Change role',
          icon: 'edit',
          disabledReason: mayChange.reason ?? lastAdmin,
          onSelect: onRole,
        },
        {
          label: isSelf ? 'Leave the project' : 'Remove from project',
          icon: isSelf ? 'log-out' : 'trash',
          danger: true,
          // Every member may leave.
          disabledReason: (isSelf ? null : mayRemove.reason) ?? lastAdmin,
          onSelect: onRemove,
        },
      ]}
    />
  );
}
