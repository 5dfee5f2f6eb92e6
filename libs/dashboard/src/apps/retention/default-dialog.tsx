import { useQuery } from '@tanstack/react-query';
import { allProductsQuery } from '../../api/products.queries.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { optionOf } from '../../frame/products/product-options.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { messageName } from './message-words.js';
import { type RetentionMessage, type RetentionPlace, useSetDefault } from './retention.queries.js';

interface DefaultDialogProps {
  place: RetentionPlace;
  /** Null removes a default. */
  message: RetentionMessage | null;
  onClose: () => void;
}

/** Sets or removes the message that Apple shows without an answer, for a product and a locale. */
export function DefaultDialog({ place, message, onClose }: DefaultDialogProps) {
  const { projectId, appId, environment } = place;
  const set = useSetDefault(place);
  const toast = useToast();
  const { data: products = [] } = useQuery(allProductsQuery(projectId));
  const own = products.filter((product) => product.app_id === appId);
  const messageId = message?.id ?? null;
  const form = useForm({
    initial: { product_id: '', locale: 'en-US' },
    check: ({ product_id: product, locale }) => ({
      product_id: product === '' ? 'Choose a product.' : null,
      locale: locale.trim() === '' ? 'Enter a locale such as en-US.' : null,
    }),
    write: set,
    onSubmit: (values) =>
      set.mutate(
        { ...values, message_id: messageId, environment },
        {
          onSuccess: () => {
            toast({ title: message ? 'Default set' : 'Default removed' });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title={message ? `Set ${messageName(message)} as default` : 'Remove a default'}
      description="Apple shows the default if no rule matches, or if this server does not answer in time."
      size="sm"
      form={form}
      submit={message ? 'Set default' : 'Remove default'}
      call={{
        operation: 'PUT /v2/projects/{project_id}/apps/{app_id}/retention_messages/default',
        path: { project_id: projectId, app_id: appId },
        body: { ...form.values, message_id: messageId, environment },
      }}
      onClose={onClose}
    >
      <SelectField
        label="Product"
        placeholder="Choose a product"
        hint={own.length === 0 ? 'This app has no products in the catalog yet.' : undefined}
        options={own.map(optionOf)}
        {...form.field('product_id')}
      />
      <TextField
        label="Locale"
        hint="For example en-US or de-DE."
        autoComplete="off"
        {...form.field('locale')}
      />
    </FormDialog>
  );
}
