import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button, IconButton } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { AddToPackageDialog } from './add-to-package-dialog.js';
import { isArchived, nameOf, type Package, type Product } from '../catalog.types.js';
import { allOfferingsQuery } from '../offerings/offerings.queries.js';
import { DetachFromPackageDialog } from '../offerings/package-dialogs.js';

/** The packages that contain the product. */
export function ProductOffers({ projectId, product }: { projectId: string; product: Product }) {
  const query = useQuery(allOfferingsQuery(projectId));
  const mayAttach = useMay('attachPackageProducts');
  const mayDetach = useMay('detachPackageProducts');
  const [open, setOpen] = useState<'add' | Package | null>(null);
  const holds = (item: Package) =>
    item.products?.items.some((each) => each.product.id === product.id) ?? false;
  return (
    <Panel
      title="Packages"
      actions={
        <Button
          icon="plus"
          size="sm"
          disabledReason={
            mayAttach.reason ?? (isArchived(product) ? 'An archived product cannot be attached.' : null)
          }
          onClick={() => setOpen('add')}
        >
          Add to package
        </Button>
      }
    >
      <QueryPanel query={query} queryKey={allOfferingsQuery(projectId).queryKey}>
        {(offerings) => {
          const found = offerings.flatMap((offering) =>
            (offering.packages?.items ?? []).filter(holds).map((item) => ({ offering, item })),
          );
          if (found.length === 0) return <p className="text-muted">No package offers this product.</p>;
          return (
            <ul className="grid gap-1.5">
              {found.map(({ offering, item }) => (
                <li key={item.id} className="flex min-w-0 items-center gap-x-2">
                  <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                    <Link
                      to="/projects/$projectId/catalog/offerings/$offeringId"
                      params={{ projectId, offeringId: offering.id }}
                    >
                      <DataText>{offering.display_name}</DataText>
                    </Link>
                    <DataText>{item.display_name}</DataText>
                    <DataText mono className="text-muted">
                      {item.lookup_key}
                    </DataText>
                  </span>
                  <IconButton
                    icon="x"
                    size="sm"
                    label={`Detach ${visibleText(nameOf(item))}`}
                    disabledReason={mayDetach.reason}
                    onClick={() => setOpen(item)}
                  />
                </li>
              ))}
            </ul>
          );
        }}
      </QueryPanel>
      {open === 'add' && (
        <AddToPackageDialog
          {...{ projectId, product }}
          offerings={query.data ?? []}
          onClose={() => setOpen(null)}
        />
      )}
      {open !== null && open !== 'add' && (
        <DetachFromPackageDialog {...{ projectId, product }} item={open} onClose={() => setOpen(null)} />
      )}
    </Panel>
  );
}
