import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import type { Offering } from '../catalog.types.js';
import { readMetadata } from './metadata.js';
import { useUpdateOffering } from './offerings.queries.js';

interface MetadataDialogProps {
  projectId: string;
  offering: Offering;
  onClose: () => void;
}

export function MetadataDialog({ projectId, offering, onClose }: MetadataDialogProps) {
  const update = useUpdateOffering(projectId, offering.id);
  const form = useForm({
    initial: { metadata: offering.metadata === null ? '' : JSON.stringify(offering.metadata, null, 2) },
    check: ({ metadata }) => ({ metadata: readMetadata(metadata).problem }),
    write: update,
    onSubmit: ({ metadata }) => {
      const read = readMetadata(metadata);
      if (read.problem === null) update.mutate({ metadata: read.value }, { onSuccess: onClose });
    },
  });
  const typed = readMetadata(form.values.metadata);
  return (
    <FormDialog
      title="Edit metadata"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/offerings/{offering_id}',
        path: { project_id: projectId, offering_id: offering.id },
        body: { metadata: typed.problem === null ? typed.value : {} },
      }}
      onClose={onClose}
    >
      <TextAreaField
        label="JSON object"
        hint="Optional. At most 4,000 characters."
        mono
        rows={12}
        {...form.field('metadata')}
      />
    </FormDialog>
  );
}
