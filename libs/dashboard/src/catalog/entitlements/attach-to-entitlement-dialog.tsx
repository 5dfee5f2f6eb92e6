import { appsQuery } from '../../api/apps.queries.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { type Entitlement, isArchived } from '../catalog.types.js';
import { unlocks, useAttachToEntitlement } from './entitlements.queries.js';
import { optionOf } from '../../frame/products/product-options.js';
import { allProductsQuery } from '../../api/products.queries.js';

interface AttachDialogProps {
  projectId: string;
  entitlement: Entitlement;
  onClose: () => void;
}

export function AttachToEntitlementDialog({ projectId, entitlement, onClose }: AttachDialogProps) {
  const { data: products = [] } = useQuery(allProductsQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const attach = useAttachToEntitlement(projectId, entitlement);
  const left = products.filter((product) => !isArchived(product) && !unlocks(entitlement, product));
  const form = useForm({
    initial: { product: '' },
    check: ({ product }) => ({ product: product === '' ? 'Choose a product.' : null }),
    write: attach,
    onSubmit: ({ product }) => {
      const chosen = left.find(({ id }) => id === product);
      if (chosen) attach.mutate(chosen, { onSuccess: onClose });
    },
  });
  return (
    <FormDialog
      title="Attach product"
      size="sm"
      form={form}
      submit="Attach product"
      call={{
        operation: 'POST /v2/projects/{project_id}/entitlements/{entitlement_id}/actions/attach_products',
        path: { project_id: projectId, entitlement_id: entitlement.id },
        body: { product_ids: [form.values.product] },
      }}
      onClose={onClose}
    >
      <SelectField
        label="Product"
        placeholder="Choose a product"
        hint={left.length === 0 ? 'All active products are attached.' : undefined}
        options={left.map((product) => {
          const { value, label } = optionOf(product);
          const app = apps.find(({ id }) => id === product.app_id);
          return { value, label: apps.length > 1 && app ? `${visibleText(app.name)}: ${label}` : label };
        })}
        {...form.field('product')}
      />
    </FormDialog>
  );
}
