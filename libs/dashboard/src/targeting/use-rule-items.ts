import { useMay } from '../api/permissions.js';
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

  const move = (rule: TargetingRule, from: number, to: number) => {
    const ids = live.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    const name = visibleText(rule.display_name);
    reorder.mutate(ids, {
      onSuccess: () => toast({ title: `${name} is now number ${to + 1}` }),
      onError: ({ message }) =>
        toast({ tone: 'bad', title: 'The order was not saved', description: message }),
    });
  };
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
    const place = live.findIndex(({ id }) => id === rule.id);
    const isLive = place >= 0;
    return [
      { label: 'Edit', icon: 'edit', disabledReason: mayUpdate, onSelect: () => open('edit', rule) },
      ...(isLive
        ? ([
            {
              label: 'Move up',
              icon: 'arrow-up',
              disabledReason: mayReorder ?? (place === 0 ? 'It is the first.' : null),
              onSelect: () => move(rule, place, place - 1),
            },
            {
              label: 'Move down',
              icon: 'arrow-down',
              disabledReason: mayReorder ?? (place === live.length - 1 ? 'It is the last.' : null),
              onSelect: () => move(rule, place, place + 1),
            },
          ] as const)
        : []),
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
