import { useMay } from '../../api/permissions.js';
import type { MenuItem } from '../../ui/overlays/menu.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type RetentionPlace, type RetentionRule, useReorderRules } from './retention.queries.js';
import { movedTo } from './rule-form.js';

export type RuleAction = 'edit' | 'delete';

/** Menu items of a rule. `rules` are all of the app; a rule moves among those of its environment. */
export function useRuleItems(
  place: RetentionPlace,
  rules: readonly RetentionRule[],
  open: (action: RuleAction, rule: RetentionRule) => void,
): (rule: RetentionRule) => MenuItem[] {
  const toast = useToast();
  const reorder = useReorderRules(place);
  const mayUpdate = useMay('updateRetentionRule').reason;
  const mayReorder = useMay('reorderRetentionRules').reason;
  const mayDelete = useMay('deleteRetentionRule').reason;
  const shown = rules.filter(({ environment }) => environment === place.environment);

  const move = (rule: RetentionRule, to: number) => {
    const other = shown[to];
    if (!other) return;
    const ids = rules.map(({ id }) => id);
    reorder.mutate(movedTo(ids, rule.id, other.id), {
      onSuccess: () => toast({ title: `${visibleText(rule.display_name)} is now number ${to + 1}` }),
      onError: ({ message }) =>
        toast({ tone: 'bad', title: 'The order was not saved', description: message }),
    });
  };

  return (rule) => {
    const at = shown.findIndex(({ id }) => id === rule.id);
    return [
      { label: 'Edit', icon: 'edit', disabledReason: mayUpdate, onSelect: () => open('edit', rule) },
      {
        label: 'Move up',
        icon: 'arrow-up',
        disabledReason: mayReorder ?? (at === 0 ? 'It is the first.' : null),
        onSelect: () => move(rule, at - 1),
      },
      {
        label: 'Move down',
        icon: 'arrow-down',
        disabledReason: mayReorder ?? (at === shown.length - 1 ? 'It is the last.' : null),
        onSelect: () => move(rule, at + 1),
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
