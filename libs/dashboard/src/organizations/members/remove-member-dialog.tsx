import type { OrganizationMember } from '../../api/enterprise.types.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useRemoveMember } from './members.queries.js';
import { text } from './members.text.js';

interface RemoveMemberDialogProps {
  orgId: string;
  member: OrganizationMember;
  onClose: () => void;
}

export function RemoveMemberDialog({ orgId, member, onClose }: RemoveMemberDialogProps) {
  const name = visibleText(member.name ?? member.email);
  return (
    <ConfirmCall
      danger
      title={text.removeTitle(name)}
      effect={text.removeEffect(name)}
      confirmLabel={text.remove}
      write={useRemoveMember(orgId)}
      input={member.user_id}
      done={text.removed(name)}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/members/{user_id}',
        path: { org_id: orgId, user_id: member.user_id },
      }}
      onClose={onClose}
    />
  );
}
