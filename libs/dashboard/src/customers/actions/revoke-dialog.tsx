import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import { useCustomerWrites } from './customer-writes.js';

interface RevokeDialogProps {
  entitlementId: string;
  lookupKey: string;
  onClose: () => void;
}

/** Revokes grants. */
export function RevokeDialog({ entitlementId, lookupKey, onClose }: RevokeDialogProps) {
  const { projectId, id, done } = useCustomer();
  const { revoke } = useCustomerWrites(projectId, id);
  const body = { entitlement_id: entitlementId };
  const form = useForm({
    initial: {},
    write: revoke,
    onSubmit: () =>
      revoke.mutate(body, {
        onSuccess: () => {
          onClose();
          done({ title: `Revoked the grant of ${lookupKey}` });
        },
      }),
  });
  return (
    <FormDialog
      danger
      title={visibleText(`Revoke the grant of ${lookupKey}`)}
      effect="Every active grant of this entitlement ends at once. Purchases that unlock it are not changed."
      submit="Revoke grant"
      form={form}
      call={{
        operation:
          'POST /v2/projects/{project_id}/customers/{customer_id}/actions/revoke_granted_entitlement',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
    />
  );
}
