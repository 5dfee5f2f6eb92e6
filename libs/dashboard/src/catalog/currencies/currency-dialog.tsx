import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { CallError } from '../../api/call-error.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { focusFirstError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { Currency } from '../catalog.types.js';
import { useCreateCurrency, useUpdateCurrency } from './currencies.queries.js';
import { bodyOf, type CurrencyDraft, draftOf, type Problems, problemsIn } from './currency-form.js';
import { GrantEditor } from './grant-editor.js';

interface CurrencyDialogProps {
  projectId: string;
  /** Null creates a new one. */
  currency: Currency | null;
  onClose: () => void;
}

/** Fields of the form, as the server names them, without the index of a grant. */
const SHOWN =
  /^(code|name|description|product_grants(\.\d+\.(product_ids|amount|trial_amount|expire_at_cycle_end))?)$/;

/** Returns the field of an error. An item of `product_ids` belongs to the list. */
const partOf = (error: CallError | null): string | null => {
  const part = error?.param?.replace(/(\.product_ids)[.[].*$/, '$1') ?? '';
  return SHOWN.test(part) ? part : null;
};

export function CurrencyDialog({ projectId, currency, onClose }: CurrencyDialogProps) {
  const create = useCreateCurrency(projectId);
  const update = useUpdateCurrency(projectId, currency?.code ?? '');
  const { error, isPending: busy } = currency ? update : create;
  const [initial] = useState(() => draftOf(currency));
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<CurrencyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const part = partOf(error);
  const errorOf = (param: string) => problems[param] ?? (param === part ? (error?.message ?? null) : null);
  /** Problems refer to grants by index, so changing the list invalidates them. */
  const forgetProblems = () => {
    setProblems({});
    if (error) (currency ? update : create).reset();
  };
  const body = bodyOf(draft, initial);
  const { code, name, description, grants } = draft;

  useEffect(() => {
    if (error || Object.keys(problems).length > 0) focusFirstError(form.current);
  }, [error, problems]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = problemsIn(draft, currency === null);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (currency) update.mutate(body, { onSuccess: onClose });
    else create.mutate({ code, ...body, name }, { onSuccess: onClose });
  };
  const path = { project_id: projectId, ...(currency && { virtual_currency_code: currency.code }) };
  return (
    <FormDialog
      title={currency ? `Edit ${visibleText(currency.name)}` : 'New currency'}
      size="md"
      fields={{
        form: { ref: form, noValidate: true, onSubmit },
        problem: error && (part === null || part === 'product_grants') ? error.message : null,
        isDirty: JSON.stringify(draft) !== JSON.stringify(initial),
      }}
      submit={currency ? 'Save' : 'New currency'}
      busy={busy}
      error={error}
      call={
        currency
          ? {
              operation: 'POST /v2/projects/{project_id}/virtual_currencies/{virtual_currency_code}',
              path,
              body,
            }
          : { operation: 'POST /v2/projects/{project_id}/virtual_currencies', path, body: { code, ...body } }
      }
      onClose={onClose}
    >
      {!currency && (
        <TextField
          label="Code"
          hint="At most 10 letters, digits and underscores, such as GLD. It cannot be changed later."
          mono
          maxLength={10}
          autoComplete="off"
          value={code}
          error={errorOf('code')}
          onChange={({ target }) => change({ code: target.value })}
        />
      )}
      <TextField
        label="Name"
        maxLength={50}
        autoComplete="off"
        value={name}
        error={errorOf('name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label="Description"
        optional
        autoComplete="off"
        value={description}
        error={errorOf('description')}
        onChange={({ target }) => change({ description: target.value })}
      />
      <GrantEditor
        projectId={projectId}
        grants={grants}
        errorOf={errorOf}
        onChange={(next) => {
          if (next.length !== grants.length) forgetProblems();
          change({ grants: next });
        }}
      />
    </FormDialog>
  );
}
