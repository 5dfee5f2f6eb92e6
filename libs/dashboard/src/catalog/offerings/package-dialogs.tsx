import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { nameOf, type Package, type Product } from '../catalog.types.js';
import { useDeletePackage, useDetachFromPackage } from './offerings.queries.js';

interface PackageDialogProps {
  projectId: string;
  item: Package;
  onClose: () => void;
}

export function DeletePackageDialog({ projectId, item, onClose }: PackageDialogProps) {
  const remove = useDeletePackage(projectId);
  const toast = useToast();
  const name = visibleText(nameOf(item));
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete the package ${name}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(item, {
          onSuccess: () => {
            toast({ title: `Deleted the package ${name}` });
            onClose();
          },
        })
      }
    >
      <div className="grid gap-2">
        <p>It leaves the offering. Its products stay. This cannot be undone.</p>
        <ShowCall
          operation="DELETE /v2/projects/{project_id}/packages/{package_id}"
          path={{ project_id: projectId, package_id: item.id }}
        />
      </div>
    </ConfirmDialog>
  );
}

export function DetachFromPackageDialog(props: PackageDialogProps & { product: Product }) {
  const { projectId, item, product, onClose } = props;
  const detach = useDetachFromPackage(projectId);
  return (
    <ConfirmDialog
      open
      danger
      title={`Detach ${visibleText(product.store_identifier)} from ${visibleText(nameOf(item))}?`}
      confirmLabel="Detach"
      busy={detach.isPending}
      error={detach.error?.message}
      onClose={onClose}
      onConfirm={() => detach.mutate({ packageId: item.id, productId: product.id }, { onSuccess: onClose })}
    >
      <div className="grid gap-2">
        <p>The app of this product no longer gets the package. What customers bought stays as it is.</p>
        <ShowCall
          operation="POST /v2/projects/{project_id}/packages/{package_id}/actions/detach_products"
          path={{ project_id: projectId, package_id: item.id }}
          body={{ product_ids: [product.id] }}
        />
      </div>
    </ConfirmDialog>
  );
}
