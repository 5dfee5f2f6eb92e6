import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.queries.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Member, useRemoveMember } from './members.queries.js';

interface RemoveDialogProps {
  projectId: string;
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

/** Removes a member, or leaves the project. */
export function RemoveDialog({ projectId, member, isSelf, onClose }: RemoveDialogProps) {
  const toast = useToast();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(member.name ?? member.email);
  const remove = useRemoveMember(projectId, () => {
    toast({ title: isSelf ? 'You have left the project' : `${name} is removed` });
    onClose();
    if (!isSelf) return;
    // The person has lost access to the project, so its loaded data is removed.
    void queries.fetchQuery({ ...accountQuery, staleTime: 0 }).then(async () => {
      await navigate({ to: '/' });
      queries.removeQueries({ queryKey: [projectId] });
    });
  });
  return (
    <ConfirmDialog
      open
      danger
      title={isSelf ? 'Leave this project?' : `Remove ${name}?`}
      confirmLabel={isSelf ? 'Leave the project' : 'Remove from project'}
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate(member.id)}
    >
      <p className="mb-3">
        {isSelf
          ? 'You lose access to this project at once. An admin can invite you again.'
          : `${name} loses access to this project at once. Keys that they created keep working.`}
      </p>
      <ShowCall
        operation="DELETE /v2/projects/{project_id}/collaborators/{user_id}"
        path={{ project_id: projectId, user_id: member.id }}
      />
    </ConfirmDialog>
  );
}
