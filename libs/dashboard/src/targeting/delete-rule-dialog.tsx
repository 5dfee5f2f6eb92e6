import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type TargetingRule, useDeleteRule } from './targeting.queries.js';
import { text } from './targeting.text.js';

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
      title={text.removeTitle(name)}
      effect={text.removeEffect}
      confirmLabel={text.remove}
      write={useDeleteRule(projectId)}
      input={rule.id}
      done={text.removed(name)}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/targeting_rules/{rule_id}',
        path: { project_id: projectId, rule_id: rule.id },
      }}
      onClose={onClose}
    />
  );
}
