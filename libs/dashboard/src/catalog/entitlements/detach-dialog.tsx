import { ConfirmCall } from '../../frame/forms/confirm-call.js';
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
  const names = [visibleText(nameOf(product)), visibleText(entitlement.lookup_key)] as const;
  return (
    <ConfirmCall
      danger
      title={detachTitleText(...names)}
      effect="The product no longer unlocks the entitlement. Customers who already bought it lose access too. Attaching it again restores access."
      confirmLabel="Detach"
      write={detach}
      input={{ entitlement, product }}
      done={detachedText(...names)}
      call={{
        operation: 'POST /v2/projects/{project_id}/entitlements/{entitlement_id}/actions/detach_products',
        path: { project_id: projectId, entitlement_id: entitlement.id },
        body: { product_ids: [product.id] },
      }}
      onClose={onClose}
    />
  );
}
