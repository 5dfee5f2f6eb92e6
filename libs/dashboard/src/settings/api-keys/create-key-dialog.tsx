import { useState } from 'react';
import { useProject } from '../../api/permissions.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { PermissionGrid } from '../../frame/permissions/permission-grid.js';
import { everywhere, permissionsOf } from '../../frame/permissions/permission-levels.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateApiKey } from './api-keys.queries.js';
import { areasOf } from './permission-choice.js';

/** Creates a key and shows it once. */
export function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const areas = areasOf(useProject()?.permissions ?? []);
  const create = useCreateApiKey(projectId);
  const [chosen, setChosen] = useState(() => everywhere(areas, 'read_write'));
  const [isEmpty, setIsEmpty] = useState(false);
  const permissions = permissionsOf(chosen);
  const fields = useFields({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    error: create.error,
    busy: create.isPending,
    onSubmit: ({ name }) => {
      setIsEmpty(permissions.length === 0);
      if (permissions.length > 0) create.mutate({ name, permissions });
    },
  });
  if (create.data) {
    return (
      <SecretOnceDialog
        title="Copy the key now"
        note="It is shown this once. Only its beginning is kept here."
        label="Secret key"
        secret={create.data.key}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="New secret key"
      fields={fields}
      submit="New secret key"
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/api_keys',
        path: { project_id: projectId },
        body: { name: fields.values.name, permissions },
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Where the key is used, for example “Backend”."
        autoComplete="off"
        {...fields.field('name')}
      />
      <PermissionGrid
        areas={areas}
        chosen={chosen}
        onChange={setChosen}
        error={isEmpty && permissions.length === 0 ? 'Give the key at least one permission.' : null}
      />
    </FormDialog>
  );
}
