import { useMay } from '../api/permissions.js';
import type { MenuItem } from '../ui/overlays/menu.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type RefundPolicy, useReorderPolicies } from './policies.queries.js';

export type PolicyAction = 'edit' | 'delete';

/** Menu items of a policy. The default one is always last and cannot be deleted. */
export function usePolicyItems(
  projectId: string,
  policies: readonly RefundPolicy[],
  open: (action: PolicyAction, policy: RefundPolicy) => void,
): (policy: RefundPolicy) => MenuItem[] {
  const toast = useToast();
  const reorder = useReorderPolicies(projectId);
  const mayUpdate = useMay('updateRefundPolicy').reason;
  const mayReorder = useMay('reorderRefundPolicies').reason;
  const mayDelete = useMay('deleteRefundPolicy').reason;
  const movable = policies.filter(({ is_default: isDefault }) => !isDefault);

  const move = (policy: RefundPolicy, from: number, to: number) => {
    const ids = movable.map(({ id }) => id);
    ids.splice(to, 0, ...ids.splice(from, 1));
    const name = visibleText(policy.display_name);
    reorder.mutate(ids, {
      onSuccess: () => toast({ title: `${name} is now number ${to + 1}` }),
      onError: ({ message }) =>
        toast({ tone: 'bad', title: 'The order was not saved', description: message }),
    });
  };

  return (policy) => {
    const edit: MenuItem = {
      label: 'Edit',
      icon: 'edit',
      disabledReason: mayUpdate,
      onSelect: () => open('edit', policy),
    };
    if (policy.is_default) return [edit];
    const place = movable.findIndex(({ id }) => id === policy.id);
    return [
      edit,
      {
        label: 'Move up',
        icon: 'arrow-up',
        disabledReason: mayReorder ?? (place === 0 ? 'It is the first.' : null),
        onSelect: () => move(policy, place, place - 1),
      },
      {
        label: 'Move down',
        icon: 'arrow-down',
        disabledReason:
          mayReorder ?? (place === movable.length - 1 ? 'It is the last before all others.' : null),
        onSelect: () => move(policy, place, place + 1),
      },
      {
        label: 'Delete',
        icon: 'trash',
        danger: true,
        separator: true,
        disabledReason: mayDelete,
        onSelect: () => open('delete', policy),
      },
    ];
  };
}
