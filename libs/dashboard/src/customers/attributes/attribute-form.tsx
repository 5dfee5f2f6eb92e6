import type { Schema } from '../../api/types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { useForm } from '../../frame/forms/use-form.js';
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
  const form = useForm({
    initial: { name: attribute?.name ?? '', value: attribute?.value ?? '' },
    check: ({ name }) => ({ name: name === '' ? 'Enter a name.' : null }),
    write: setAttributes,
    // The server names the field `attributes.0.name`.
    paramOf: ({ param }) => param?.split('.').at(-1) ?? null,
    onSubmit: ({ name, value }) =>
      setAttributes.mutate(
        { attributes: [{ name, value }] },
        {
          onSuccess: () => {
            onClose();
            const before = attribute?.value ?? null;
            const undo = () => setAttributes.mutateAsync({ attributes: [{ name, value: before }] });
            done({ title: `${name} saved`, undo });
          },
        },
      ),
  });
  useDirtyForm(form.isDirty);
  return (
    <form className="grid gap-3" {...form.formProps}>
      <FormError error={form.problem} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          mono
          required
          readOnly={attribute !== undefined}
          autoFocus={attribute === undefined}
          {...form.field('name')}
        />
        <TextField label="Value" autoFocus={attribute !== undefined} {...form.field('value')} />
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
        body={{ attributes: [form.values] }}
      />
    </form>
  );
}
