import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { nameOf, type Package, type Product } from '../catalog.types.js';
import { useDeletePackage, useDetachFromPackage } from './offerings.queries.js';

interface PackageDialogProps {
  projectId: string;
  item: Package;
  onClose: () => void;
}

export function DeletePackageDialog({ projectId, item, onClose }: PackageDialogProps) {
  const name = visibleText(nameOf(item));
  return (
    <ConfirmCall
      danger
      title={`Delete the package ${name}?`}
      effect="It is removed from the offering. Its products stay. This cannot be undone."
      confirmLabel="Delete"
      write={useDeletePackage(projectId)}
      input={item}
      done={`Deleted the package ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/packages/{package_id}',
        path: { project_id: projectId, package_id: item.id },
      }}
      onClose={onClose}
    />
  );
}

export function DetachFromPackageDialog(props: PackageDialogProps & { product: Product }) {
  const { projectId, item, product, onClose } = props;
  return (
    <ConfirmCall
      danger
      title={`Detach ${visibleText(product.store_identifier)} from ${visibleText(nameOf(item))}?`}
      effect="The app of this product no longer gets the package. Existing purchases are not changed."
      confirmLabel="Detach"
      write={useDetachFromPackage(projectId)}
      input={{ packageId: item.id, productId: product.id }}
      call={{
        operation: 'POST /v2/projects/{project_id}/packages/{package_id}/actions/detach_products',
        path: { project_id: projectId, package_id: item.id },
        body: { product_ids: [product.id] },
      }}
      onClose={onClose}
    />
  );
}
