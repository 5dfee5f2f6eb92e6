import type { HTMLAttributes } from 'react';
import { useMay } from '../../api/permissions.js';
import { AppName } from '../../frame/names/app-name.js';
import { ProductName } from '../../frame/names/product-name.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import { DataText } from '../../ui/text/data-text.js';
import { Icon } from '../../ui/icons.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { isArchived, nameOf, type Package, type Product } from '../catalog.types.js';
import { criteriaLabels } from './labels.js';

interface PackageRowProps {
  projectId: string;
  item: Package;
  place: number;
  count: number;
  moveReason: string | null;
  isDragged: boolean;
  onMove: (to: number) => void;
  onOpen: (what: 'attach' | 'delete' | Product) => void;
  drag: Pick<HTMLAttributes<HTMLElement>, 'onDragStart' | 'onDragEnd' | 'onDragOver' | 'onDrop'>;
}

/** A package with its position, name and products. */
export function PackageRow({
  projectId,
  item,
  place,
  count,
  moveReason,
  isDragged,
  onMove,
  onOpen,
  drag,
}: PackageRowProps) {
  const mayAttach = useMay('attachPackageProducts');
  const mayDetach = useMay('detachPackageProducts');
  const mayDelete = useMay('deletePackage');
  const name = visibleText(nameOf(item));
  const products = item.products?.items ?? [];
  return (
    <li
      {...drag}
      draggable={moveReason === null}
      className={cx('flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5', isDragged && 'opacity-50')}
    >
      <span className="flex items-center">
        {moveReason === null && (
          <span data-tip="Drag to reorder" className="-ms-1 me-1 cursor-grab text-muted max-sm:hidden">
            <Icon name="grip" />
          </span>
        )}
        <IconButton
          icon="arrow-up"
          size="sm"
          label={`Move ${name} up`}
          disabledReason={moveReason ?? (place === 0 ? 'It is the first.' : null)}
          onClick={() => onMove(place - 1)}
        />
        <IconButton
          icon="arrow-down"
          size="sm"
          label={`Move ${name} down`}
          disabledReason={moveReason ?? (place === count - 1 ? 'It is the last.' : null)}
          onClick={() => onMove(place + 1)}
        />
      </span>
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-medium">
          <DataText>{item.display_name}</DataText>
        </span>
        <span className="block text-sm text-muted">
          <DataText mono>{item.lookup_key}</DataText>
        </span>
      </span>
      <span className="flex min-w-0 flex-2 basis-64 flex-wrap items-center gap-x-3 gap-y-1">
        {products.length === 0 && (
          <span className="text-sm text-muted">No product. SDKs leave this package out.</span>
        )}
        {products.map(({ product, eligibility_criteria: criteria }) => (
          <span key={product.id} className="inline-flex max-w-full min-w-0 items-center gap-1">
            <AppName projectId={projectId} appId={product.app_id} />
            <span aria-hidden="true" className="text-muted">
              ·
            </span>
            <ProductName name={product.display_name} identifier={product.store_identifier} />
            {criteria !== 'all' && <Badge>{criteriaLabels[criteria]}</Badge>}
            {isArchived(product) && <Badge>Archived</Badge>}
            <IconButton
              icon="x"
              size="sm"
              label={`Detach ${visibleText(product.store_identifier)}`}
              disabledReason={mayDetach.reason}
              onClick={() => onOpen(product)}
            />
          </span>
        ))}
      </span>
      <span className="ms-auto flex items-center gap-1">
        <Button
          size="sm"
          icon="plus"
          aria-label={`Attach a product to ${name}`}
          disabledReason={mayAttach.reason}
          onClick={() => onOpen('attach')}
        >
          Product
        </Button>
        <IconButton
          icon="trash"
          size="sm"
          label={`Delete the package ${name}`}
          disabledReason={mayDelete.reason}
          onClick={() => onOpen('delete')}
        />
      </span>
    </li>
  );
}
