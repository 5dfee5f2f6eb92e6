import type { OrganizationProject } from '../../api/enterprise.types.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useMoveOut } from './projects.queries.js';

interface MoveOutDialogProps {
  orgId: string;
  project: OrganizationProject;
  onClose: () => void;
}

export function MoveOutDialog({ orgId, project, onClose }: MoveOutDialogProps) {
  const move = useMoveOut(orgId);
  const name = visibleText(project.name);
  return (
    <ConfirmCall
      danger
      title={`Move ${name} out of the organization?`}
      effect="Its members keep their current role. Custom roles become Viewer, and group mappings for the project are deleted."
      confirmLabel="Move out"
      write={move}
      input={project.id}
      done={`${name} is no longer part of the organization`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/projects/{project_id}',
        path: { org_id: orgId, project_id: project.id },
      }}
      onClose={onClose}
    />
  );
}
