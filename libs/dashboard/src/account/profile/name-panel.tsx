import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateAccount } from '../account.queries.js';

export function NamePanel({ name }: { name: string | null }) {
  const toast = useToast();
  const update = useUpdateAccount(() => toast({ title: 'Saved', tone: 'good' }));
  const { formProps, field, problem, isDirty, values } = useForm({
    initial: { name: name ?? '' },
    write: update,
    onSubmit: (body) => update.mutate(body),
  });
  useDirtyForm(isDirty);
  return (
    <Panel beside title="Name">
      <form {...formProps} className="flex flex-col gap-4">
        <TextField
          {...field('name')}
          label="Name"
          labelHidden
          hint="Shown to the other members of your projects and in audit logs."
          autoComplete="name"
          className="max-w-md"
        />
        <FormError error={problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending}>
            Save
          </Button>
          <ShowCall operation="POST /auth/me" body={values} />
        </FormActions>
      </form>
    </Panel>
  );
}
