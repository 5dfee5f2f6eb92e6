import { type DragEvent, useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { nameOf, type Offering, type Package, type Product } from '../catalog.types.js';
import { AttachToPackageDialog } from './attach-to-package-dialog.js';
import { useMovePackage } from './offerings.queries.js';
import { DeletePackageDialog, DetachFromPackageDialog } from './package-dialogs.js';
import { PackageRow } from './package-row.js';

type Open = { item: Package; what: 'attach' | 'delete' | Product };

/** The packages of an offering in order. They can be moved by buttons or by dragging. */
export function PackageList({ projectId, offering }: { projectId: string; offering: Offering }) {
  const packages = offering.packages?.items ?? [];
  const move = useMovePackage(projectId, offering);
  const mayMove = useMay('updatePackage');
  const toast = useToast();
  const [open, setOpen] = useState<Open | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const moveTo = (from: number, to: number) => {
    const item = packages[from];
    if (!item || from === to || to < 0 || to >= packages.length || move.isPending || !mayMove.allowed) return;
    move.mutate(
      { from, to },
      {
        onSuccess: () =>
          setSaid(`${visibleText(nameOf(item))} is now number ${to + 1} of ${packages.length}`),
        onError: ({ message }) =>
          toast({ title: 'The order was not saved', description: visibleText(message), tone: 'bad' }),
      },
    );
  };
  const close = () => setOpen(null);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ol aria-label="Packages" className="divide-y divide-line">
        {packages.map((item, index) => (
          <PackageRow
            projectId={projectId}
            key={item.id}
            item={item}
            place={index}
            count={packages.length}
            moveReason={mayMove.reason}
            isDragged={dragged === index}
            onMove={(to) => moveTo(index, to)}
            onOpen={(what) => setOpen({ item, what })}
            drag={{
              onDragStart: () => setDragged(index),
              onDragEnd: () => setDragged(null),
              onDragOver: (event: DragEvent) => dragged !== null && event.preventDefault(),
              onDrop: (event: DragEvent) => {
                event.preventDefault();
                if (dragged !== null) moveTo(dragged, index);
                setDragged(null);
              },
            }}
          />
        ))}
      </ol>
      {open?.what === 'attach' && (
        <AttachToPackageDialog projectId={projectId} item={open.item} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <DeletePackageDialog projectId={projectId} item={open.item} onClose={close} />
      )}
      {typeof open?.what === 'object' && (
        <DetachFromPackageDialog projectId={projectId} item={open.item} product={open.what} onClose={close} />
      )}
    </>
  );
}
