import { useMay } from '../../api/permissions.js';
import { useMoveItems } from '../../frame/conditions/use-rule-writes.js';
import type { MenuItem } from '../../ui/overlays/menu.js';
import { type RetentionPlace, type RetentionRule, useReorderRules } from './retention.queries.js';

export type RuleAction = 'edit' | 'delete';

/** Menu items of a rule. `rules` are all of the app; a rule moves among those of its environment. */
export function useRuleItems(
  place: RetentionPlace,
  rules: readonly RetentionRule[],
  open: (action: RuleAction, rule: RetentionRule) => void,
): (rule: RetentionRule) => MenuItem[] {
  const reorder = useReorderRules(place);
  const mayUpdate = useMay('updateRetentionRule').reason;
  const mayReorder = useMay('reorderRetentionRules').reason;
  const mayDelete = useMay('deleteRetentionRule').reason;
  const shown = rules.filter(({ environment }) => environment === place.environment);

  const moveItems = useMoveItems({ rules, shown, reorder, disabledReason: mayReorder });

  return (rule) => [
    { label: 'Edit', icon: 'edit', disabledReason: mayUpdate, onSelect: () => open('edit', rule) },
    ...moveItems(rule),
    {
      label: 'Delete',
      icon: 'trash',
      danger: true,
      separator: true,
      disabledReason: mayDelete,
      onSelect: () => open('delete', rule),
    },
  ];
}
