import { type FormEvent, useState } from 'react';
import type { Schema } from '../../api/types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCustomerWrites } from '../actions/customer-writes.js';
import { useCustomer } from '../customer-context.js';

interface AttributeFormProps {
  /** If omitted, adds a new one. */
  attribute?: Schema<'CustomerAttributeDto'>;
  onClose: () => void;
}

export function AttributeForm({ attribute, onClose }: AttributeFormProps) {
  const { projectId, id, done } = useCustomer();
  const { setAttributes } = useCustomerWrites(projectId, id);
  const [name, setName] = useState(attribute?.name ?? '');
  const [value, setValue] = useState(attribute?.value ?? '');
  useDirtyForm(name !== (attribute?.name ?? '') || value !== (attribute?.value ?? ''));
  const { error } = setAttributes;
  const body = { attributes: [{ name, value }] };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (setAttributes.isPending) return;
    await setAttributes.mutateAsync(body);
    onClose();
    const undo = () => setAttributes.mutateAsync({ attributes: [{ name, value: attribute?.value ?? null }] });
    done({ title: `${name} saved`, undo });
  };
  const field = (of: string) => (error?.param?.endsWith(of) ? error.message : null);
  const isField = field('name') !== null || field('value') !== null;
  return (
    <form className="grid gap-3" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <FormError error={isField ? null : error?.message} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          value={name}
          mono
          required
          readOnly={attribute !== undefined}
          autoFocus={attribute === undefined}
          error={field('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Value"
          value={value}
          autoFocus={attribute !== undefined}
          error={field('value')}
          onChange={({ target }) => setValue(target.value)}
        />
      </div>
      <FormActions>
        <Button type="submit" size="sm" variant="primary" busy={setAttributes.isPending}>
          Save
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </FormActions>
      <ShowCall
        operation="POST /v2/projects/{project_id}/customers/{customer_id}/attributes"
        path={{ project_id: projectId, customer_id: id }}
        body={body}
      />
    </form>
  );
}
