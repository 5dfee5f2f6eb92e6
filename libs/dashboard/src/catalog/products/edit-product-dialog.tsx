import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { App, Product } from '../catalog.types.js';
import { TestStoreFields } from './product-form.js';
import { bodyOf, hasAccessLength, problemsOf, valuesOf } from './product-values.js';
import { useUpdateProduct } from './products.queries.js';

interface EditProductDialogProps {
  projectId: string;
  product: Product;
  appType: App['type'] | undefined;
  onClose: () => void;
}

export function EditProductDialog({ projectId, product, appType, onClose }: EditProductDialogProps) {
  const isTestStore = appType === 'test_store';
  const withLength = hasAccessLength(product.type, appType);
  const update = useUpdateProduct(projectId, product.id);
  const form = useForm({
    initial: valuesOf(product),
    check: (values) => problemsOf(values, isTestStore),
    write: update,
    onSubmit: (values) => update.mutate(bodyOf(values, isTestStore, withLength), { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={`Edit ${visibleText(product.store_identifier)}`}
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/products/{product_id}',
        path: { project_id: projectId, product_id: product.id },
        body: bodyOf(form.values, isTestStore, withLength),
      }}
      onClose={onClose}
    >
      <TextField label="Name" optional autoComplete="off" {...form.field('display_name')} />
      {withLength && (
        <TextField
          label="Access length"
          hint={
            appType === 'play_store'
              ? 'How long a rental gives access, such as P2D for two days: Google does not report it. Outright purchases do not expire.'
              : 'How long a purchase gives access, such as P3M for three months. Leave empty for no end.'
          }
          optional
          mono
          autoComplete="off"
          {...form.field('subscription.duration')}
        />
      )}
      {isTestStore && <TestStoreFields form={form} type={product.type} />}
    </FormDialog>
  );
}
