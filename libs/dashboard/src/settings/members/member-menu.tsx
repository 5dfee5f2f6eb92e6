import { useMay } from '../../api/permissions.js';
import { Menu } from '../../ui/overlays/menu.js';
import type { Member } from './members.queries.js';
import { text } from './members.text.js';

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
  const lastAdmin = isLastAdmin ? text.lastAdmin : null;
  return (
    <Menu
      iconOnly
      size="sm"
      variant="ghost"
      label={text.actionsOf(member.name ?? member.email)}
      items={[
        {
          label: text.changeRole,
          icon: 'edit',
          disabledReason: mayChange.reason ?? lastAdmin,
          onSelect: onRole,
        },
        {
          label: isSelf ? text.leave : text.remove,
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
