import { useId, useState } from 'react';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Member, useChangeRole } from './members.queries.js';
import { RoleField } from './role-field.js';
import { roleName, roleOf } from './role-of.js';

interface RoleDialogProps {
  projectId: string;
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

export function RoleDialog({ projectId, member, isSelf, onClose }: RoleDialogProps) {
  const form = useId();
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  const [role, setRole] = useState(roleOf(member));
  const change = useChangeRole(projectId, (changed) => {
    toast({ title: `${name} is now ${roleName(changed)}`, tone: 'good' });
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Role of ${name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate({ userId: member.id, role });
        }}
      >
        <RoleField value={role} onChange={setRole} labelHidden />
        {isSelf && role !== 'admin' && (
          <p className="text-muted">
            This is your own role: with less than admin you cannot give it back to yourself.
          </p>
        )}
        <FormError error={change.error?.message} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/collaborators/{user_id}"
          path={{ project_id: projectId, user_id: member.id }}
          body={{ role }}
        />
      </form>
    </Dialog>
  );
}
