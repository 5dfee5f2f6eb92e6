import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { nameOf, type Offering } from '../catalog.types.js';
import { useUpdateOffering } from './offerings.queries.js';

interface MakeCurrentDialogProps {
  projectId: string;
  offering: Offering;
  onClose: () => void;
}

export function MakeCurrentDialog({ projectId, offering, onClose }: MakeCurrentDialogProps) {
  const name = visibleText(nameOf(offering));
  return (
    <ConfirmCall
      title={`Make ${name} the current offering?`}
      effect="From their next fetch, SDKs show it to all customers without an assigned offering."
      confirmLabel="Make current"
      write={useUpdateOffering(projectId, offering.id)}
      input={{ is_current: true }}
      done={`${name} is the current offering`}
      call={{
        operation: 'POST /v2/projects/{project_id}/offerings/{offering_id}',
        path: { project_id: projectId, offering_id: offering.id },
        body: { is_current: true },
      }}
      onClose={onClose}
    />
  );
}
