import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { text as shared } from '../catalog.text.js';
import { nameOf, type Package, type Product } from '../catalog.types.js';
import { useDeletePackage, useDetachFromPackage } from './offerings.queries.js';
import { text } from './offerings.text.js';

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
      title={text.deletePackageTitle(name)}
      confirmLabel={shared.delete}
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(item, {
          onSuccess: () => {
            toast({ title: text.packageDeleted(name) });
            onClose();
          },
        })
      }
    >
      <div className="grid gap-2">
        <p>{text.deletePackageEffect}</p>
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
      title={text.detachTitle(visibleText(product.store_identifier), visibleText(nameOf(item)))}
      confirmLabel={shared.detach}
      busy={detach.isPending}
      error={detach.error?.message}
      onClose={onClose}
      onConfirm={() => detach.mutate({ packageId: item.id, productId: product.id }, { onSuccess: onClose })}
    >
      <div className="grid gap-2">
        <p>{text.detachEffect}</p>
        <ShowCall
          operation="POST /v2/projects/{project_id}/packages/{package_id}/actions/detach_products"
          path={{ project_id: projectId, package_id: item.id }}
          body={{ product_ids: [product.id] }}
        />
      </div>
    </ConfirmDialog>
  );
}
