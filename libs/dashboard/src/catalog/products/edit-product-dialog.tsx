import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useFormat } from '../../ui/format/format-context.js';
import { Notice } from '../../ui/notice.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { App, Product } from '../catalog.types.js';
import { TestStoreFields } from './product-form.js';
import { bodyOf, hasAccessLength, problemsOf, valuesOf } from './product-values.js';
import { productPricesQuery, useUpdateProduct } from './products.queries.js';

interface EditProductDialogProps {
  projectId: string;
  product: Product;
  appType: App['type'] | undefined;
  onClose: () => void;
}

export function EditProductDialog({ projectId, product, appType, onClose }: EditProductDialogProps) {
  const isTestStore = appType === 'test_store';
  const withLength = hasAccessLength(product.type, appType);
  const { locale } = useFormat();
  const { data: prices = [] } = useQuery({
    ...productPricesQuery(projectId, product.id),
    enabled: isTestStore,
  });
  const others = prices.flatMap(({ currency }) =>
    currency === product.indicative_price?.currency ? [] : [currency],
  );
  const update = useUpdateProduct(projectId, product.id);
  const form = useForm({
    initial: valuesOf(product),
    check: (values) => problemsOf(values, isTestStore),
    write: update,
    onSubmit: (values) => update.mutate(bodyOf(values, isTestStore, withLength), { onSuccess: onClose }),
  });
  const removesOthers = others.length > 0 && form.values.test_store_price.amount_micros.trim() === '';
  return (
    <FormDialog
      title={`Edit ${visibleText(product.store_identifier)}`}
      size="sm"
      form={form}
      submit={removesOthers ? 'Remove all prices' : 'Save'}
      danger={removesOthers}
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
      {removesOthers && (
        <Notice tone="warn">
          <p>
            Without a test price, the product also loses its prices in{' '}
            {new Intl.ListFormat(locale).format(others)}.
          </p>
        </Notice>
      )}
    </FormDialog>
  );
}
