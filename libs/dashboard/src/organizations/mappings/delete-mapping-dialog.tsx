import type { RoleMapping } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useDeleteMapping } from './mappings.queries.js';

interface DeleteMappingDialogProps {
  orgId: string;
  mapping: RoleMapping;
  onClose: () => void;
}

export function DeleteMappingDialog({ orgId, mapping, onClose }: DeleteMappingDialogProps) {
  const remove = useDeleteMapping(orgId);
  const toast = useToast();
  const [group, role, project] = [mapping.group, mapping.role_name, mapping.project_name].map(
    visibleText,
  ) as [string, string, string];
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete the mapping of ${group}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(mapping.id, {
          onSuccess: () => {
            toast({ title: `Deleted the mapping of ${group}` });
            onClose();
          },
        })
      }
    >
      <p className="mb-3">{`Members of ${group} who are ${role} in ${project} only by this mapping lose that role at once.`}</p>
      <ShowCall
        operation="DELETE /v2/organizations/{org_id}/role_mappings/{mapping_id}"
        path={{ org_id: orgId, mapping_id: mapping.id }}
      />
    </ConfirmDialog>
  );
}
