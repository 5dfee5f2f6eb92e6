import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Entitlement, nameOf, type Product } from '../catalog.types.js';
import { useDetachFromEntitlement } from './entitlements.queries.js';

const detachTitleText = (product: string, entitlement: string) => `Detach ${product} from ${entitlement}?`;

const detachedText = (product: string, entitlement: string) => `${product} no longer unlocks ${entitlement}`;

interface DetachDialogProps {
  projectId: string;
  entitlement: Entitlement;
  product: Product;
  onClose: () => void;
}

/** Asks for confirmation before a product stops unlocking an entitlement. */
export function DetachDialog({ projectId, entitlement, product, onClose }: DetachDialogProps) {
  const detach = useDetachFromEntitlement(projectId);
  const toast = useToast();
  const names = [visibleText(nameOf(product)), visibleText(entitlement.lookup_key)] as const;
  return (
    <ConfirmDialog
      open
      danger
      title={detachTitleText(...names)}
      confirmLabel="Detach"
      busy={detach.isPending}
      error={detach.error?.message}
      onClose={onClose}
      onConfirm={() =>
        detach.mutate(
          { entitlement, product },
          {
            onSuccess: () => {
              toast({ title: detachedText(...names) });
              onClose();
            },
          },
        )
      }
    >
      <div className="grid gap-2">
        <p>
          The product no longer unlocks the entitlement. Customers who bought it already lose access, too.
          Attaching it again gives it back.
        </p>
        <ShowCall
          operation="POST /v2/projects/{project_id}/entitlements/{entitlement_id}/actions/detach_products"
          path={{ project_id: projectId, entitlement_id: entitlement.id }}
          body={{ product_ids: [product.id] }}
        />
      </div>
    </ConfirmDialog>
  );
}
