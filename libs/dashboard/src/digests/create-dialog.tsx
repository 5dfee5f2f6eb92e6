import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { DigestFields } from './digest-fields.js';
import { bodyOf, emptyForm, problemsOf } from './digest-form.js';
import type { Digest } from './digests.queries.js';
import { useCreateDigest } from './digests.writes.js';

interface CreateDialogProps {
  projectId: string;
  onClose: () => void;
  onDone: (digest: Digest) => void;
}

export function CreateDialog({ projectId, onClose, onDone }: CreateDialogProps) {
  const create = useCreateDigest(projectId, onDone);
  const form = useForm({
    initial: emptyForm(Intl.DateTimeFormat().resolvedOptions().timeZone),
    check: problemsOf,
    write: create,
    onSubmit: (values) => create.mutate(bodyOf(values)),
  });
  return (
    <FormDialog
      title="New digest"
      form={form}
      submit="Create digest"
      size="lg"
      call={{
        operation: 'POST /v2/projects/{project_id}/digests',
        path: { project_id: projectId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <DigestFields projectId={projectId} form={form} />
    </FormDialog>
  );
}
