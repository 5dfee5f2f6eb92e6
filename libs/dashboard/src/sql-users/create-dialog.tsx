import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { DateTimeField } from '../ui/forms/date-time-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { ConnectionDialog } from './connection-dialog.js';
import { useCreateSqlUser } from './sql-users.queries.js';

const newUser: { name: string; expires_at: number | null } = { name: '', expires_at: null };

/** Creates a SQL user, and shows its connection string once. */
export function CreateDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const create = useCreateSqlUser(projectId);
  const form = useForm({
    initial: newUser,
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    write: create,
    onSubmit: (values) => create.mutate(values),
  });
  if (create.data) return <ConnectionDialog user={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Create SQL user"
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/projects/{project_id}/sql_users',
        path: { project_id: projectId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where the user is used, for example “Metabase”."
        autoComplete="off"
        {...form.field('name')}
      />
      <DateTimeField
        label="Expires"
        hint="The user cannot connect after this time."
        optional
        {...form.control('expires_at')}
      />
    </FormDialog>
  );
}
