import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { isArchived, nameOf, type Offering, type Product } from '../catalog.types.js';
import { useAttachToPackage } from '../offerings/offerings.queries.js';

interface AddToPackageDialogProps {
  projectId: string;
  product: Product;
  offerings: Offering[];
  onClose: () => void;
}

export function AddToPackageDialog({ projectId, product, offerings, onClose }: AddToPackageDialogProps) {
  const attach = useAttachToPackage(projectId);
  const options = offerings
    .filter((offering) => !isArchived(offering))
    .flatMap((offering) =>
      (offering.packages?.items ?? [])
        .filter((item) => !item.products?.items.some((each) => each.product.id === product.id))
        .map((item) => ({
          value: item.id,
          label: `${visibleText(nameOf(offering))}: ${visibleText(nameOf(item))}`,
        })),
    );
  const form = useForm({
    initial: { package: '' },
    check: (values) => ({ package: values.package === '' ? 'Choose a package.' : null }),
    write: attach,
    onSubmit: ({ package: packageId }) =>
      attach.mutate({ packageId, productId: product.id, criteria: 'all' }, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Add to package"
      effect="A package has one product for each app."
      size="sm"
      form={form}
      submit="Attach product"
      call={{
        operation: 'POST /v2/projects/{project_id}/packages/{package_id}/actions/attach_products',
        path: { project_id: projectId, ...(form.values.package && { package_id: form.values.package }) },
        body: { products: [{ product_id: product.id, eligibility_criteria: 'all' }] },
      }}
      onClose={onClose}
    >
      <SelectField
        label="Package"
        placeholder="Choose a package"
        options={options}
        {...form.field('package')}
      />
    </FormDialog>
  );
}
