import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { text as shared } from '../catalog.text.js';
import type { Offering } from '../catalog.types.js';
import { readMetadata } from './metadata.js';
import { useUpdateOffering } from './offerings.queries.js';
import { text } from './offerings.text.js';

interface MetadataDialogProps {
  projectId: string;
  offering: Offering;
  onClose: () => void;
}

export function MetadataDialog({ projectId, offering, onClose }: MetadataDialogProps) {
  const update = useUpdateOffering(projectId, offering.id);
  const fields = useFields({
    initial: { metadata: offering.metadata === null ? '' : JSON.stringify(offering.metadata, null, 2) },
    check: ({ metadata }) => ({ metadata: readMetadata(metadata).problem }),
    error: update.error,
    busy: update.isPending,
    onSubmit: ({ metadata }) => {
      const read = readMetadata(metadata);
      if (read.problem === null) update.mutate({ metadata: read.value }, { onSuccess: onClose });
    },
  });
  const typed = readMetadata(fields.values.metadata);
  return (
    <FormDialog
      title={text.editMetadata}
      fields={fields}
      submit={shared.save}
      busy={update.isPending}
      error={update.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/offerings/{offering_id}',
        path: { project_id: projectId, offering_id: offering.id },
        body: { metadata: typed.problem === null ? typed.value : {} },
      }}
      onClose={onClose}
    >
      <TextAreaField
        label={text.metadataField}
        hint={text.metadataEmpty}
        mono
        rows={12}
        {...fields.field('metadata')}
      />
    </FormDialog>
  );
}
