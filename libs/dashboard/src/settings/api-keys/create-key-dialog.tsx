import { useState } from 'react';
import { useProject } from '../../api/permissions.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { PermissionGrid } from '../../frame/permissions/permission-grid.js';
import { everywhere, permissionsOf } from '../../frame/permissions/permission-levels.js';
import { SecretOnceDialog } from '../../frame/forms/secret-once-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateApiKey } from './api-keys.queries.js';
import { text } from './api-keys.text.js';
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
    check: ({ name }) => ({ name: name.trim() === '' ? text.nameMissing : null }),
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
        title={text.created}
        note={text.createdNote}
        label={text.key}
        secret={create.data.key}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={text.create}
      fields={fields}
      submit={text.create}
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/api_keys',
        path: { project_id: projectId },
        body: { name: fields.values.name, permissions },
      }}
      onClose={onClose}
    >
      <TextField label={text.name} hint={text.nameHint} autoComplete="off" {...fields.field('name')} />
      <PermissionGrid
        areas={areas}
        chosen={chosen}
        onChange={setChosen}
        error={isEmpty && permissions.length === 0 ? text.noPermission : null}
      />
    </FormDialog>
  );
}
