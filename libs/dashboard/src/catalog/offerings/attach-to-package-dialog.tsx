import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { appsQuery } from '../../api/apps.queries.js';
import { isArchived, nameOf, type Package } from '../catalog.types.js';
import { useAttachToPackage } from './offerings.queries.js';
import { optionOf } from '../../frame/products/product-options.js';
import { allProductsQuery } from '../../api/products.queries.js';
import { criteriaLabels } from './labels.js';

interface AttachToPackageDialogProps {
  projectId: string;
  item: Package;
  onClose: () => void;
}

const criterias = Object.entries(criteriaLabels).map(([value, label]) => ({ value, label }));

export function AttachToPackageDialog({ projectId, item, onClose }: AttachToPackageDialogProps) {
  const { data: products = [] } = useQuery(allProductsQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const attach = useAttachToPackage(projectId);
  const attached = new Set(item.products?.items.map(({ product }) => product.id));
  const left = products.filter((product) => !isArchived(product) && !attached.has(product.id));
  const appOf = (appId: string | undefined) => apps.find(({ id }) => id === appId);
  const form = useForm({
    initial: { product_id: '', criteria: 'all' },
    check: (values) => ({ product_id: values.product_id === '' ? 'Choose a product.' : null }),
    write: attach,
    onSubmit: ({ product_id: productId, criteria }) =>
      attach.mutate(
        { packageId: item.id, productId, criteria: criteria as keyof typeof criteriaLabels },
        { onSuccess: onClose },
      ),
  });
  const { product_id: chosen, criteria } = form.values;
  const isPlay = appOf(left.find(({ id }) => id === chosen)?.app_id)?.type === 'play_store';
  return (
    <FormDialog
      title={`Attach a product to ${visibleText(nameOf(item))}`}
      effect="A package has one product for each app."
      size="sm"
      form={form}
      submit="Attach product"
      call={{
        operation: 'POST /v2/projects/{project_id}/packages/{package_id}/actions/attach_products',
        path: { project_id: projectId, package_id: item.id },
        body: { products: [{ product_id: chosen, eligibility_criteria: criteria }] },
      }}
      onClose={onClose}
    >
      <SelectField
        label="Product"
        placeholder="Choose a product"
        options={left.map((product) => {
          const { value, label } = optionOf(product);
          const app = appOf(product.app_id);
          return { value, label: apps.length > 1 && app ? `${visibleText(app.name)}: ${label}` : label };
        })}
        {...form.field('product_id')}
      />
      {isPlay && <SelectField label="For" options={criterias} {...form.field('criteria')} />}
    </FormDialog>
  );
}
