import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type TargetingRule, useDeleteRule } from './targeting.queries.js';

interface DeleteRuleDialogProps {
  projectId: string;
  rule: TargetingRule;
  onClose: () => void;
}

export function DeleteRuleDialog({ projectId, rule, onClose }: DeleteRuleDialogProps) {
  const name = visibleText(rule.display_name);
  return (
    <ConfirmCall
      danger
      title={`Delete the rule ${name}?`}
      effect="Customers it matched see the offering of the next matching rule, or the current one. This cannot be undone."
      confirmLabel="Delete"
      write={useDeleteRule(projectId)}
      input={rule.id}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/targeting_rules/{rule_id}',
        path: { project_id: projectId, rule_id: rule.id },
      }}
      onClose={onClose}
    />
  );
}
