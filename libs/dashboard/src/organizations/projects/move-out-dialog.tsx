import type { OrganizationProject } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useMoveOut } from './projects.queries.js';

interface MoveOutDialogProps {
  orgId: string;
  project: OrganizationProject;
  onClose: () => void;
}

export function MoveOutDialog({ orgId, project, onClose }: MoveOutDialogProps) {
  const move = useMoveOut(orgId);
  const toast = useToast();
  const name = visibleText(project.name);
  return (
    <ConfirmDialog
      open
      danger
      title={`Move ${name} out of the organization?`}
      confirmLabel="Move out"
      busy={move.isPending}
      error={move.error?.message}
      onClose={onClose}
      onConfirm={() =>
        move.mutate(project.id, {
          onSuccess: () => {
            toast({ title: `${name} is no longer part of the organization` });
            onClose();
          },
        })
      }
    >
      <p className="mb-3">
        Everyone on it keeps the present role. Custom roles become Viewer, and group mappings for the project
        are deleted.
      </p>
      <ShowCall
        operation="DELETE /v2/organizations/{org_id}/projects/{project_id}"
        path={{ org_id: orgId, project_id: project.id }}
      />
    </ConfirmDialog>
  );
}
