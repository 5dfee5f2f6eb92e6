import { useMay } from '../../api/permissions.js';
import type { MenuItem } from '../../ui/overlays/menu.js';
import { text as shared } from '../catalog.text.js';
import { isArchived, type Offering } from '../catalog.types.js';
import type { OfferingAction } from './offering-dialogs.js';
import { text } from './offerings.text.js';
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
            label: text.makeCurrent,
            disabledReason: mayUpdate.reason ?? (isArchived(offering) ? text.archivedNotCurrent : null),
            onSelect: () => onChoose('current', offering),
          },
        ]),
    {
      label: shared.rename,
      icon: 'edit',
      disabledReason: mayUpdate.reason,
      onSelect: () => onChoose('rename', offering),
    },
    ...others(offering).map((item) =>
      item.label === shared.archive && offering.is_current
        ? { ...item, disabledReason: item.disabledReason ?? text.currentNotArchived }
        : item,
    ),
  ];
}
