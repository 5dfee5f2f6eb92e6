import { useMay } from '../api/permissions.js';
import type { MenuItem } from '../ui/overlays/menu.js';
import { type CatalogObject, isArchived } from './catalog.types.js';
import { objectChanges } from './object-changes.js';
import { actionLabels, type Action, type Kind } from './labels.js';

/** Menu items that archive, unarchive and delete an object. */
export function useObjectItems(kind: Kind, onChoose: (action: Action, object: CatalogObject) => void) {
  const reasons = {
    archive: useMay(objectChanges[kind].archive.id).reason,
    unarchive: useMay(objectChanges[kind].unarchive.id).reason,
    delete: useMay(objectChanges[kind].delete.id).reason,
  };
  return (object: CatalogObject): MenuItem[] => {
    const state = isArchived(object) ? 'unarchive' : 'archive';
    return [
      { label: actionLabels[state], disabledReason: reasons[state], onSelect: () => onChoose(state, object) },
      {
        label: 'Delete',
        icon: 'trash',
        danger: true,
        separator: true,
        disabledReason: reasons.delete,
        onSelect: () => onChoose('delete', object),
      },
    ];
  };
}
