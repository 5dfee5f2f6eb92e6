import type { OrganizationMember } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/show-call.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { useToast } from '../../ui/toast.js';
import { visibleText } from '../../ui/visible-text.js';
import { useRemoveMember } from './members.queries.js';
import { text } from './members.text.js';

interface RemoveMemberDialogProps {
  orgId: string;
  member: OrganizationMember;
  onClose: () => void;
}

export function RemoveMemberDialog({ orgId, member, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(orgId);
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  return (
    <ConfirmDialog
      open
      danger
      title={text.removeTitle(name)}
      confirmLabel={text.remove}
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(member.user_id, {
          onSuccess: () => {
            toast({ title: text.removed(name) });
            onClose();
          },
        })
      }
    >
      <p className="mb-3">{text.removeEffect(name)}</p>
      <ShowCall
        operation="DELETE /v2/organizations/{org_id}/members/{user_id}"
        path={{ org_id: orgId, user_id: member.user_id }}
      />
    </ConfirmDialog>
  );
}
