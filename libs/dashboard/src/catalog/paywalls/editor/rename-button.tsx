import { useState } from 'react';
import { FormDialog } from '../../../frame/forms/form-dialog.js';
import { useForm } from '../../../frame/forms/use-form.js';
import { IconButton } from '../../../ui/button.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { useUpdatePaywall } from '../paywalls.queries.js';
import { usePaywallDocument } from './paywall-editor-context.js';

/** Opens a dialog with the name of the paywall. */
export function RenameButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton size="sm" icon="edit" label="Rename" onClick={() => setOpen(true)} />
      {isOpen && <RenameDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ onClose }: { onClose: () => void }) {
  const { projectId, paywall, revision, saveNow } = usePaywallDocument();
  const rename = useUpdatePaywall(projectId, paywall.id);
  const form = useForm({
    initial: { name: paywall.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    write: rename,
    // The name is based on a revision too. If the draft cannot be saved, the page says why.
    onSubmit: ({ name }) =>
      void saveNow().then((saved) => {
        if (saved === null) onClose();
        else rename.mutate({ revision: saved, name: name.trim() }, { onSuccess: onClose });
      }),
  });
  return (
    <FormDialog
      title="Rename paywall"
      description="Only your team sees the name."
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'PATCH /v2/projects/{project_id}/paywalls/{paywall_id}',
        path: { project_id: projectId, paywall_id: paywall.id },
        body: { revision, ...form.values },
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
    </FormDialog>
  );
}
