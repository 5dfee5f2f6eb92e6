import { CreateNamedDialog } from '../create-named-dialog.js';
import { useCreateOffering } from './offerings.queries.js';
import { text } from './offerings.text.js';

interface CreateOfferingDialogProps {
  projectId: string;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function CreateOfferingDialog({ projectId, ...handlers }: CreateOfferingDialogProps) {
  return (
    <CreateNamedDialog
      projectId={projectId}
      title={text.create}
      keyHint={text.keyHint}
      nameHint={text.nameHint}
      operation="POST /v2/projects/{project_id}/offerings"
      create={useCreateOffering(projectId)}
      {...handlers}
    />
  );
}
