import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { App, Product } from '../catalog.types.js';
import { TestStoreFields } from './product-form.js';
import { bodyOf, hasAccessLength, problemsOf, type ProductField, valuesOf } from './product-values.js';
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
  const fields = useFields<ProductField>({
    initial: valuesOf(product),
    check: (values) => problemsOf(values, isTestStore),
    error: update.error,
    busy: update.isPending,
    onSubmit: (values) => update.mutate(bodyOf(values, isTestStore, withLength), { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={`Edit ${visibleText(product.store_identifier)}`}
      size="sm"
      fields={fields}
      submit="Save"
      busy={update.isPending}
      error={update.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/products/{product_id}',
        path: { project_id: projectId, product_id: product.id },
        body: bodyOf(fields.values, isTestStore, withLength),
      }}
      onClose={onClose}
    >
      <TextField label="Name" optional autoComplete="off" {...fields.field('display_name')} />
      {withLength && (
        <TextField
          label="Access length"
          hint={
            appType === 'play_store'
              ? 'How long a rental unlocks, such as P2D for two days: Google does not report it. Outright purchases do not end.'
              : 'How long a purchase unlocks, such as P3M for three months. Leave it empty for no end.'
          }
          optional
          mono
          autoComplete="off"
          {...fields.field('subscription.duration')}
        />
      )}
      {isTestStore && <TestStoreFields fields={fields} type={product.type} />}
    </FormDialog>
  );
}
