import type { MenuItem } from '../../ui/overlays/menu.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { movedTo } from './rule-order.js';

interface NamedRule {
  id: string;
  display_name: string;
}

interface Reordering {
  /** All rules that have a position. */
  rules: readonly NamedRule[];
  /** The rules of the list, among which a rule moves. */
  shown: readonly NamedRule[];
  reorder: {
    mutate: (
      ids: string[],
      options: { onSuccess: () => void; onError: (error: { message: string }) => void },
    ) => void;
  };
  disabledReason: string | null;
}

/** Returns the menu items that move a rule up and down; none for a rule without a position. */
export function useMoveItems({ rules, shown, reorder, disabledReason }: Reordering) {
  const toast = useToast();
  const move = (rule: NamedRule, to: number) => {
    const other = shown[to];
    if (!other) return;
    const ids = rules.map(({ id }) => id);
    reorder.mutate(movedTo(ids, rule.id, other.id), {
      onSuccess: () => toast({ title: `${visibleText(rule.display_name)} is now number ${to + 1}` }),
      onError: ({ message }) =>
        toast({ tone: 'bad', title: 'The order was not saved', description: message }),
    });
  };
  return (rule: NamedRule): MenuItem[] => {
    const at = shown.findIndex(({ id }) => id === rule.id);
    if (at < 0) return [];
    return [
      {
        label: 'Move up',
        icon: 'arrow-up',
        disabledReason: disabledReason ?? (at === 0 ? 'It is the first.' : null),
        onSelect: () => move(rule, at - 1),
      },
      {
        label: 'Move down',
        icon: 'arrow-down',
        disabledReason: disabledReason ?? (at === shown.length - 1 ? 'It is the last.' : null),
        onSelect: () => move(rule, at + 1),
      },
    ];
  };
}

/** Returns options of a write that report the saved rule and close its dialog. */
export function useSaved(onClose: () => void) {
  const toast = useToast();
  return (name: string) => ({
    onSuccess: () => {
      toast({ title: `Saved ${visibleText(name)}` });
      onClose();
    },
  });
}
