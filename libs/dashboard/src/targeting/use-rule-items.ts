import { useMay } from '../api/permissions.js';
import { useMoveItems } from '../frame/conditions/use-rule-writes.js';
import type { MenuItem } from '../ui/overlays/menu.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type TargetingRule, useReorderRules, useUpdateRule } from './targeting.queries.js';
import { stateLabels } from './labels.js';

export type RuleAction = 'edit' | 'delete';

/** Menu items of a rule. `live` are the live rules of the list. */
export function useRuleItems(
  projectId: string,
  live: readonly TargetingRule[],
  open: (action: RuleAction, rule: TargetingRule) => void,
): (rule: TargetingRule) => MenuItem[] {
  const toast = useToast();
  const update = useUpdateRule(projectId);
  const reorder = useReorderRules(projectId);
  const mayUpdate = useMay('updateTargetingRule').reason;
  const mayReorder = useMay('reorderTargetingRules').reason;
  const mayDelete = useMay('deleteTargetingRule').reason;

  const moveItems = useMoveItems({ rules: live, shown: live, reorder, disabledReason: mayReorder });
  const turn = (rule: TargetingRule, state: 'active' | 'inactive') => {
    const name = visibleText(rule.display_name);
    update.mutate(
      { id: rule.id, state, ...(state === 'active' && { schedule: null }) },
      {
        onSuccess: () => toast({ title: `${name}: ${stateLabels[state]}` }),
        onError: ({ message }) =>
          toast({ tone: 'bad', title: `${name} was not changed`, description: message }),
      },
    );
  };

  return (rule) => {
    const isLive = live.some(({ id }) => id === rule.id);
    return [
      { label: 'Edit', icon: 'edit', disabledReason: mayUpdate, onSelect: () => open('edit', rule) },
      ...moveItems(rule),
      {
        label: isLive ? 'Turn off' : 'Turn on',
        disabledReason: mayUpdate,
        onSelect: () => turn(rule, isLive ? 'inactive' : 'active'),
      },
      {
        label: 'Delete',
        icon: 'trash',
        danger: true,
        separator: true,
        disabledReason: mayDelete,
        onSelect: () => open('delete', rule),
      },
    ];
  };
}
