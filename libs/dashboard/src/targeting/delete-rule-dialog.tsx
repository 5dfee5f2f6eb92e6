import { ShowCall } from '../frame/show-call.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { useToast } from '../ui/toast.js';
import { visibleText } from '../ui/visible-text.js';
import { type TargetingRule, useDeleteRule } from './targeting.queries.js';
import { text } from './targeting.text.js';

interface DeleteRuleDialogProps {
  projectId: string;
  rule: TargetingRule;
  onClose: () => void;
}

export function DeleteRuleDialog({ projectId, rule, onClose }: DeleteRuleDialogProps) {
  const toast = useToast();
  const remove = useDeleteRule(projectId);
  const name = visibleText(rule.display_name);
  return (
    <ConfirmDialog
      open
      danger
      title={text.removeTitle(name)}
      confirmLabel={text.remove}
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(rule.id, {
          onSuccess: () => {
            toast({ title: text.removed(name) });
            onClose();
          },
        })
      }
    >
      <div className="grid gap-2">
        <p>{text.removeEffect}</p>
        <ShowCall
          operation="DELETE /v2/projects/{project_id}/targeting_rules/{rule_id}"
          path={{ project_id: projectId, rule_id: rule.id }}
        />
      </div>
    </ConfirmDialog>
  );
}
