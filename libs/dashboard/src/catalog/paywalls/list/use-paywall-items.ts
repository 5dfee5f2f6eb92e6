import { useMay } from '../../../api/permissions.js';
import type { MenuItem } from '../../../ui/overlays/menu.js';
import type { Paywall } from '../paywall.types.js';

export type PaywallAction = 'open' | 'duplicate' | 'unpublish' | 'delete';

/** Menu items of a paywall. */
export function usePaywallItems(onChoose: (action: PaywallAction, paywall: Paywall) => void) {
  const mayCreate = useMay('createPaywall');
  const mayUnpublish = useMay('unpublishPaywall');
  const mayDelete = useMay('deletePaywall');
  return (paywall: Paywall): MenuItem[] => {
    const isPublished = paywall.published_at !== null;
    return [
      { label: 'Open', icon: 'edit', onSelect: () => onChoose('open', paywall) },
      {
        label: 'Duplicate',
        icon: 'copy',
        disabledReason: mayCreate.reason,
        onSelect: () => onChoose('duplicate', paywall),
      },
      ...(isPublished
        ? [
            {
              label: 'Unpublish',
              disabledReason: mayUnpublish.reason,
              onSelect: () => onChoose('unpublish', paywall),
            },
          ]
        : []),
      {
        label: 'Delete',
        icon: 'trash',
        danger: true,
        disabledReason: mayDelete.reason ?? (isPublished ? 'Unpublish the paywall first.' : null),
        onSelect: () => onChoose('delete', paywall),
      },
    ];
  };
}
