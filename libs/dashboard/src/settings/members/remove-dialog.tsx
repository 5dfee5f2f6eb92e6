import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.queries.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(member.name ?? member.email);
  // The person has lost access to the project, so its loaded data is removed.
  const leave = async () => {
    onClose();
    await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
    await navigate({ to: '/' });
    queries.removeQueries({ queryKey: [projectId] });
  };
  return (
    <ConfirmCall
      danger
      title={isSelf ? 'Leave this project?' : `Remove ${name}?`}
      effect={
        isSelf
          ? 'You lose access to this project at once. An admin can invite you again.'
          : `${name} loses access to this project at once. Keys that they created keep working.`
      }
      confirmLabel={isSelf ? 'Leave the project' : 'Remove from project'}
      write={useRemoveMember(projectId)}
      input={member.id}
      done={isSelf ? 'You have left the project' : `${name} is removed`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/collaborators/{user_id}',
        path: { project_id: projectId, user_id: member.id },
      }}
      onClose={onClose}
      onDone={isSelf ? leave : onClose}
    />
  );
}
