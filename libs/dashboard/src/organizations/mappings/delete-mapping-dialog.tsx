import type { RoleMapping } from '../../api/enterprise.types.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useDeleteMapping } from './mappings.queries.js';

interface DeleteMappingDialogProps {
  orgId: string;
  mapping: RoleMapping;
  onClose: () => void;
}

export function DeleteMappingDialog({ orgId, mapping, onClose }: DeleteMappingDialogProps) {
  const remove = useDeleteMapping(orgId);
  const [group, role, project] = [mapping.group, mapping.role_name, mapping.project_name].map(
    visibleText,
  ) as [string, string, string];
  return (
    <ConfirmCall
      danger
      title={`Delete the mapping of ${group}?`}
      effect={`Members of ${group} who are ${role} in ${project} only by this mapping lose that role at once.`}
      confirmLabel="Delete"
      write={remove}
      input={mapping.id}
      done={`Deleted the mapping of ${group}`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/role_mappings/{mapping_id}',
        path: { org_id: orgId, mapping_id: mapping.id },
      }}
      onClose={onClose}
    />
  );
}
