import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { Currency } from '../catalog.types.js';
import { useCreateCurrency, useUpdateCurrency } from './currencies.queries.js';
import { bodyOf, problemsIn, valuesOf } from './currency-form.js';
import { GrantEditor } from './grant-editor.js';

interface CurrencyDialogProps {
  projectId: string;
  /** Null creates a new one. */
  currency: Currency | null;
  onClose: () => void;
}

export function CurrencyDialog({ projectId, currency, onClose }: CurrencyDialogProps) {
  const create = useCreateCurrency(projectId);
  const update = useUpdateCurrency(projectId, currency?.code ?? '');
  // A change of the currency in the list must not change the form during editing.
  const [initial] = useState(() => valuesOf(currency));
  const form = useForm({
    initial,
    check: (values) => problemsIn(values, currency === null),
    write: currency ? update : create,
    onSubmit: (values) => {
      const body = bodyOf(values, initial);
      if (currency) update.mutate(body, { onSuccess: onClose });
      else create.mutate({ code: values.code, ...body, name: values.name }, { onSuccess: onClose });
    },
  });
  const body = bodyOf(form.values, initial);
  const path = { project_id: projectId, ...(currency && { virtual_currency_code: currency.code }) };
  return (
    <FormDialog
      title={currency ? `Edit ${visibleText(currency.name)}` : 'New currency'}
      size="md"
      form={form}
      submit={currency ? 'Save' : 'Create'}
      call={
        currency
          ? {
              operation: 'POST /v2/projects/{project_id}/virtual_currencies/{virtual_currency_code}',
              path,
              body,
            }
          : {
              operation: 'POST /v2/projects/{project_id}/virtual_currencies',
              path,
              body: { code: form.values.code, ...body },
            }
      }
      onClose={onClose}
    >
      {!currency && (
        <TextField
          label="Code"
          hint="At most 10 letters, digits and underscores, such as GLD. Cannot be changed later."
          mono
          maxLength={10}
          autoComplete="off"
          {...form.field('code')}
        />
      )}
      <TextField label="Name" maxLength={50} autoComplete="off" {...form.field('name')} />
      <TextField label="Description" optional autoComplete="off" {...form.field('description')} />
      <GrantEditor projectId={projectId} form={form} />
    </FormDialog>
  );
}
