import { ConfirmCall } from '../../../frame/forms/confirm-call.js';
import { visibleText } from '../../../ui/text/visible-text.js';
import type { Paywall } from '../paywall.types.js';
import { useDeletePaywall, useUnpublishPaywall } from '../paywalls.queries.js';

interface PaywallDialogProps {
  paywall: Paywall;
  onClose: () => void;
}

export function UnpublishPaywallDialog({ paywall, onClose }: PaywallDialogProps) {
  const { id, name, project_id: projectId } = paywall;
  const unpublish = useUnpublishPaywall(projectId, id);
  return (
    <ConfirmCall
      title={`Unpublish ${visibleText(name)}?`}
      effect="Apps stop showing this paywall at their next start. They show their own default screen instead."
      confirmLabel="Unpublish"
      write={unpublish}
      input={undefined}
      done={`Unpublished ${visibleText(name)}`}
      call={{
        operation: 'POST /v2/projects/{project_id}/paywalls/{paywall_id}/actions/unpublish',
        path: { project_id: projectId, paywall_id: id },
      }}
      onClose={onClose}
    />
  );
}

export function DeletePaywallDialog({ paywall, onClose }: PaywallDialogProps) {
  const { id, name, project_id: projectId } = paywall;
  const remove = useDeletePaywall(projectId, id);
  return (
    <ConfirmCall
      danger
      title={`Delete ${visibleText(name)}?`}
      effect="It is deleted with all its revisions. The offering stays. This cannot be undone."
      confirmLabel="Delete"
      write={remove}
      input={undefined}
      done={`Deleted ${visibleText(name)}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/paywalls/{paywall_id}',
        path: { project_id: projectId, paywall_id: id },
      }}
      onClose={onClose}
    />
  );
}
