import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type RefundPolicy, useDeletePolicy } from './policies.queries.js';

interface DeletePolicyDialogProps {
  projectId: string;
  policy: RefundPolicy;
  onClose: () => void;
}

export function DeletePolicyDialog({ projectId, policy, onClose }: DeletePolicyDialogProps) {
  const name = visibleText(policy.display_name);
  return (
    <ConfirmCall
      danger
      title={`Delete the policy ${name}?`}
      effect="The next policy decides the requests it matched. Decided requests do not change. This cannot be undone."
      confirmLabel="Delete"
      write={useDeletePolicy(projectId)}
      input={policy.id}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/refund_policies/{policy_id}',
        path: { project_id: projectId, policy_id: policy.id },
      }}
      onClose={onClose}
    />
  );
}
