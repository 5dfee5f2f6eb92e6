import { useMay } from '../../api/permissions.js';
import type { MenuItem } from '../../ui/overlays/menu.js';
import { isArchived, type Offering } from '../catalog.types.js';
import type { OfferingAction } from './offering-dialogs.js';
import { useObjectItems } from '../use-object-items.js';

/** Menu items of an offering. */
export function useOfferingItems(onChoose: (action: OfferingAction, offering: Offering) => void) {
  const mayUpdate = useMay('updateOffering');
  const others = useObjectItems('offering', (action, offering) => onChoose(action, offering as Offering));
  return (offering: Offering): MenuItem[] => [
    ...(offering.is_current
      ? []
      : [
          {
            label: 'Make current',
            disabledReason:
              mayUpdate.reason ?? (isArchived(offering) ? 'An archived offering cannot be current.' : null),
            onSelect: () => onChoose('current', offering),
          },
        ]),
    {
      label: 'Rename',
      icon: 'edit',
      disabledReason: mayUpdate.reason,
      onSelect: () => onChoose('rename', offering),
    },
    ...others(offering).map((item) =>
      item.label === 'Archive' && offering.is_current
        ? {
            ...item,
            disabledReason:
              item.disabledReason ??
              'The current offering cannot be archived. Make another one current first.',
          }
        : item,
    ),
  ];
}
