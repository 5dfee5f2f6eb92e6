import { useProject } from '../../api/permissions.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { PermissionGrid } from '../../frame/permissions/permission-grid.js';
import { everywhere, type Level, permissionsOf } from '../../frame/permissions/permission-levels.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateApiKey } from './api-keys.queries.js';
import { areasOf } from './permission-choice.js';

const bodyOf = ({ name, permissions }: { name: string; permissions: Record<string, Level> }) => ({
  name,
  permissions: permissionsOf(permissions),
});

/** Creates a key and shows it once. */
export function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const areas = areasOf(useProject()?.permissions ?? []);
  const create = useCreateApiKey(projectId);
  const form = useForm({
    initial: { name: '', permissions: everywhere(areas, 'read_write') },
    check: ({ name, permissions }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      permissions: permissionsOf(permissions).length === 0 ? 'Give the key at least one permission.' : null,
    }),
    write: create,
    onSubmit: (values) => create.mutate(bodyOf(values)),
  });
  if (create.data) {
    return (
      <SecretOnceDialog
        title="Copy the key now"
        note="It is shown only once. Only its first characters are stored."
        label="Secret key"
        secret={create.data.key}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="New secret key"
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/projects/{project_id}/api_keys',
        path: { project_id: projectId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where the key is used, for example “Backend”."
        autoComplete="off"
        {...form.field('name')}
      />
      <PermissionGrid areas={areas} {...form.control('permissions')} />
    </FormDialog>
  );
}
