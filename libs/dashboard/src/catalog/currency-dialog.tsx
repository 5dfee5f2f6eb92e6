import type { CallError } from '../api/call-error.js';
import { FormDialog } from '../frame/form-dialog.js';
import { useFields } from '../frame/use-fields.js';
import { TextField } from '../ui/text-field.js';
import { visibleText } from '../ui/visible-text.js';
import { text as shared } from './catalog.text.js';
import type { Currency } from './catalog.types.js';
import { useCreateCurrency, useUpdateCurrency } from './currencies.queries.js';
import { text } from './currencies.text.js';

interface CurrencyDialogProps {
  projectId: string;
  /** Null makes a new one. */
  currency: Currency | null;
  onClose: () => void;
}

const wrongCode = (code: string) =>
  code.trim() === '' ? text.codeMissing : /^\w+$/.test(code) ? null : text.codeWrong;

export function CurrencyDialog({ projectId, currency, onClose }: CurrencyDialogProps) {
  const create = useCreateCurrency(projectId);
  const update = useUpdateCurrency(projectId, currency?.code ?? '');
  const error: CallError | null = create.error ?? update.error;
  const busy = create.isPending || update.isPending;
  const fields = useFields({
    initial: {
      code: currency?.code ?? '',
      name: currency?.name ?? '',
      description: currency?.description ?? '',
    },
    check: ({ code, name }) => ({
      code: currency ? null : wrongCode(code),
      name: name.trim() === '' ? shared.nameMissing : null,
    }),
    error,
    busy,
    onSubmit: ({ code }) =>
      currency
        ? update.mutate(changed, { onSuccess: onClose })
        : create.mutate({ code, ...changed }, { onSuccess: onClose }),
  });
  const { code, name, description } = fields.values;
  const changed = { name, description: description.trim() === '' ? null : description };
  const path = { project_id: projectId, ...(currency && { virtual_currency_code: currency.code }) };
  return (
    <FormDialog
      title={currency ? text.editNamed(visibleText(currency.name)) : text.create}
      size="sm"
      fields={fields}
      submit={currency ? shared.save : text.create}
      busy={busy}
      error={error}
      call={
        currency
          ? {
              operation: 'POST /v2/projects/{project_id}/virtual_currencies/{virtual_currency_code}',
              path,
              body: changed,
            }
          : {
              operation: 'POST /v2/projects/{project_id}/virtual_currencies',
              path,
              body: { code, ...changed },
            }
      }
      onClose={onClose}
    >
      {!currency && (
        <TextField
          label={text.code}
          hint={text.codeHint}
          mono
          maxLength={10}
          autoComplete="off"
          {...fields.field('code')}
        />
      )}
      <TextField label={shared.name} maxLength={50} autoComplete="off" {...fields.field('name')} />
      <TextField label={text.description} optional autoComplete="off" {...fields.field('description')} />
    </FormDialog>
  );
}
