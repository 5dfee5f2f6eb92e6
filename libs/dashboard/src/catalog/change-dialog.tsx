import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWrite } from '../api/write.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { staleCatalog } from './catalog.queries.js';
import { type CatalogObject, idOf, nameOf } from './catalog.types.js';
import { objectChanges, pathOf } from './object-changes.js';
import { type Action, actionLabels, type Kind } from './labels.js';

const changeTitleText = (action: Action, name: string) => `${actionLabels[action]} ${name}?`;

const done: Record<Action, string> = { archive: 'Archived', unarchive: 'Unarchived', delete: 'Deleted' };

const changedText = (action: Action, name: string) => `${done[action]} ${name}`;

const catalogEffects = {
  product: {
    archive: 'SDKs stop offering it. Customers who bought it keep their access. It can be unarchived.',
    unarchive: 'It can be attached and offered again.',
    delete:
      'Its purchases stay on record but no longer unlock anything. It leaves all entitlements and packages. This cannot be undone; to stop offering it without removing access, archive it.',
  },
  entitlement: {
    archive: 'Customers keep it, but it cannot be attached to more products. It can be unarchived.',
    unarchive: 'It can be attached to products again.',
    delete:
      'All customers lose it, and its grants are revoked. Purchases are not changed. This cannot be undone.',
  },
  offering: {
    archive: 'SDKs no longer get it. It can be unarchived.',
    unarchive: 'SDKs get it again. Its products stay as they are: archived ones remain hidden.',
    delete: 'It is deleted with its packages. Products stay. This cannot be undone.',
  },
  currency: {
    archive: 'Purchases no longer credit it and it cannot be adjusted. Balances can still be read.',
    unarchive: 'Purchases credit it again, and it can be adjusted.',
    delete: 'It is deleted with the balances of all customers. This cannot be undone.',
  },
} satisfies Record<Kind, Record<Action, string>>;

interface ChangeDialogProps {
  projectId: string;
  kind: Kind;
  action: Action;
  object: CatalogObject;
  /** Further information before the change. */
  children?: ReactNode;
  onClose: () => void;
  /** Leaves the page of the deleted object. */
  onDone?: () => Promise<unknown>;
}

/** Explains an archive, unarchive or delete, and asks for confirmation. */
export function ChangeDialog({
  projectId,
  kind,
  action,
  object,
  children,
  onClose,
  onDone,
}: ChangeDialogProps) {
  const queries = useQueryClient();
  const { operation, send } = objectChanges[kind][action];
  const name = visibleText(nameOf(object));
  const change = useWrite({
    send: (id: string, headers) => send(projectId, id, headers),
    // Leave the page of a deleted object before anything is loaded again.
    stale: () => (onDone ? [] : staleCatalog(projectId)),
  });
  const leave = () => {
    onClose();
    void onDone?.().then(() => {
      for (const queryKey of staleCatalog(projectId)) void queries.invalidateQueries({ queryKey });
    });
  };
  return (
    <ConfirmCall
      danger={action === 'delete'}
      title={changeTitleText(action, name)}
      effect={
        <>
          <p>{catalogEffects[kind][action]}</p>
          {children}
        </>
      }
      typed={action === 'delete' && kind !== 'offering' ? keyOf(object) : undefined}
      confirmLabel={actionLabels[action]}
      write={change}
      input={idOf(object)}
      done={changedText(action, name)}
      call={{ operation, path: pathOf[kind](projectId, idOf(object)) }}
      onClose={onClose}
      onDone={leave}
    />
  );
}

/** The text to type before a deletion that removes something from customers. */
function keyOf(object: CatalogObject): string {
  if ('code' in object) return object.code;
  return 'store_identifier' in object ? object.store_identifier : object.lookup_key;
}
