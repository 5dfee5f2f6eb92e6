import { useMay } from '../../api/permissions.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError, SaveState } from '../../ui/forms/form.js';
import type { useUpdateProject } from './project.queries.js';

type Update = ReturnType<typeof useUpdateProject>;

interface SaveProjectProps {
  projectId: string;
  update: Pick<Update, 'isPending'>;
  /** The request body. */
  body: Parameters<Update['mutate']>[0];
  isDirty: boolean;
  /** An error of the whole form. */
  error: string | null | undefined;
}

/** Footer of a form that changes project settings. */
export function SaveProject({ projectId, update, body, isDirty, error }: SaveProjectProps) {
  const may = useMay('updateProject');
  return (
    <>
      <FormError error={error} />
      <FormActions>
        <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
          Save
        </Button>
        <SaveState isDirty={isDirty} />
        <ShowCall operation="POST /v2/projects/{project_id}" path={{ project_id: projectId }} body={body} />
      </FormActions>
    </>
  );
}
