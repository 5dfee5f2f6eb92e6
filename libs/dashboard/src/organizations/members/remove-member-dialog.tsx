import type { OrganizationMember } from '../../api/enterprise.types.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useRemoveMember } from './members.queries.js';

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
      title={`Remove ${name}?`}
      effect={`${name} loses access to the organization and to all of its projects at once.`}
      confirmLabel="Remove from the organization"
      write={useRemoveMember(orgId)}
      input={member.user_id}
      done={`${name} is removed`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/members/{user_id}',
        path: { org_id: orgId, user_id: member.user_id },
      }}
      onClose={onClose}
    />
  );
}
