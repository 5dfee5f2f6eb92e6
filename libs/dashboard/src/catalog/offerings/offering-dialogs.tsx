import type { Offering } from '../catalog.types.js';
import { ChangeDialog } from '../change-dialog.js';
import { MakeCurrentDialog } from './make-current-dialog.js';
import { useUpdateOffering } from './offerings.queries.js';
import { RenameDialog } from '../rename-dialog.js';
import type { Action } from '../labels.js';

export type OfferingAction = Action | 'current' | 'rename';

interface OfferingDialogsProps {
  projectId: string;
  offering: Offering;
  action: OfferingAction;
  onClose: () => void;
  /** Leaves the page of a deleted offering. */
  onDeleted?: () => Promise<unknown>;
}

/** The dialog of an action in an offering's menu. */
export function OfferingDialogs({ projectId, offering, action, onClose, onDeleted }: OfferingDialogsProps) {
  const update = useUpdateOffering(projectId, offering.id);
  if (action === 'current') return <MakeCurrentDialog {...{ projectId, offering, onClose }} />;
  if (action === 'rename') {
    return (
      <RenameDialog
        name={offering.display_name}
        rename={update}
        operation="POST /v2/projects/{project_id}/offerings/{offering_id}"
        path={{ project_id: projectId, offering_id: offering.id }}
        onClose={onClose}
      />
    );
  }
  return (
    <ChangeDialog
      {...{ projectId, action, onClose }}
      kind="offering"
      object={offering}
      onDone={action === 'delete' ? onDeleted : undefined}
    >
      {action === 'delete' && offering.is_current && (
        <p>It is the current offering: SDKs will have no current offering until another is made current.</p>
      )}
    </ChangeDialog>
  );
}
