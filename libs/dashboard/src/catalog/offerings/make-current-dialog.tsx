import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { nameOf, type Offering } from '../catalog.types.js';
import { useUpdateOffering } from './offerings.queries.js';

interface MakeCurrentDialogProps {
  projectId: string;
  offering: Offering;
  onClose: () => void;
}

export function MakeCurrentDialog({ projectId, offering, onClose }: MakeCurrentDialogProps) {
  const update = useUpdateOffering(projectId, offering.id);
  const toast = useToast();
  const name = visibleText(nameOf(offering));
  return (
    <ConfirmDialog
      open
      title={`Make ${name} the current offering?`}
      confirmLabel="Make current"
      busy={update.isPending}
      error={update.error?.message}
      onClose={onClose}
      onConfirm={() =>
        update.mutate(
          { is_current: true },
          {
            onSuccess: () => {
              toast({ title: `${name} is the current offering`, tone: 'good' });
              onClose();
            },
          },
        )
      }
    >
      <div className="grid gap-2">
        <p>SDKs show it to all customers without an offering of their own, from their next fetch on.</p>
        <ShowCall
          operation="POST /v2/projects/{project_id}/offerings/{offering_id}"
          path={{ project_id: projectId, offering_id: offering.id }}
          body={{ is_current: true }}
        />
      </div>
    </ConfirmDialog>
  );
}
