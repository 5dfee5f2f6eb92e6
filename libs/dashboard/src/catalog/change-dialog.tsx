import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWrite } from '../api/write.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { staleCatalog } from './catalog.queries.js';
import { type Action, type Kind, text } from './catalog.text.js';
import { type CatalogObject, idOf, nameOf } from './catalog.types.js';
import { objectChanges, pathOf } from './object-changes.js';

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
  const toast = useToast();
  const queries = useQueryClient();
  const { operation, send } = objectChanges[kind][action];
  const name = visibleText(nameOf(object));
  const change = useWrite({
    send: (id: string, headers) => send(projectId, id, headers),
    // Leave the page of a deleted object before anything is loaded again.
    stale: () => (onDone ? [] : staleCatalog(projectId)),
  });
  return (
    <ConfirmDialog
      open
      danger={action === 'delete'}
      title={text.changeTitle(action, name)}
      confirmLabel={text[action]}
      typed={action === 'delete' && kind !== 'offering' ? keyOf(object) : undefined}
      busy={change.isPending}
      error={change.error?.message}
      onClose={onClose}
      onConfirm={() =>
        change.mutate(idOf(object), {
          onSuccess: () => {
            toast({ title: text.changed(action, name) });
            onClose();
            void onDone?.().then(() => {
              for (const queryKey of staleCatalog(projectId)) void queries.invalidateQueries({ queryKey });
            });
          },
        })
      }
    >
      <div className="grid gap-2">
        <p>{text.effects[kind][action]}</p>
        {children}
        <ShowCall operation={operation} path={pathOf[kind](projectId, idOf(object))} />
      </div>
    </ConfirmDialog>
  );
}

/** The text to type before a deletion that removes something from customers. */
function keyOf(object: CatalogObject): string {
  if ('code' in object) return object.code;
  return 'store_identifier' in object ? object.store_identifier : object.lookup_key;
}
