import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { useForm } from '../frame/forms/use-form.js';
import { Button } from '../ui/button.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { useToast } from '../ui/overlays/toast.js';
import { Panel } from '../ui/panel.js';
import { DigestFields } from './digest-fields.js';
import { changes, formOf, problemsOf } from './digest-form.js';
import type { Digest } from './digests.queries.js';
import { useDeleteDigest, useUpdateDigest } from './digests.writes.js';

interface DigestSettingsProps {
  projectId: string;
  digest: Digest;
}

/** The settings of a digest, and its deletion. */
export function DigestSettings({ projectId, digest }: DigestSettingsProps) {
  const toast = useToast();
  const may = useMay('updateDigest');
  const update = useUpdateDigest(projectId, digest.id);
  const form = useForm({
    initial: formOf(digest),
    check: problemsOf,
    write: update,
    onSubmit: (values) => {
      if (!may.allowed) return;
      const onSuccess = () => toast({ title: 'Changes saved', tone: 'good' });
      update.mutate(changes(values, digest), { onSuccess });
    },
  });
  const body = changes(form.values, digest);
  useDirtyForm(Object.keys(body).length > 0);
  return (
    <>
      <Panel title="Settings" className="max-w-3xl">
        <form {...form.formProps} className="flex flex-col gap-4">
          <fieldset disabled={!may.allowed} className="flex min-w-0 flex-col gap-4">
            <DigestFields projectId={projectId} form={form} />
          </fieldset>
          <FormError error={form.problem} />
          <FormActions>
            <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
              Save changes
            </Button>
          </FormActions>
          <ShowCall
            operation="POST /v2/projects/{project_id}/digests/{digest_id}"
            path={{ project_id: projectId, digest_id: digest.id }}
            body={body}
          />
        </form>
      </Panel>
      <DeletePanel projectId={projectId} digest={digest} />
    </>
  );
}

function DeletePanel({ projectId, digest }: DigestSettingsProps) {
  const navigate = useNavigate();
  const may = useMay('deleteDigest');
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteDigest(projectId, digest.id);
  return (
    <Panel title="Delete" description="The digest is not sent any more." className="max-w-3xl">
      <Button variant="danger" icon="trash" disabledReason={may.reason} onClick={() => setIsAsking(true)}>
        Delete digest
      </Button>
      {isAsking && (
        <ConfirmCall
          danger
          title="Delete this digest"
          effect="It is not sent any more. Messages that were sent stay where they are."
          confirmLabel="Delete digest"
          write={remove}
          input={undefined}
          done="Digest deleted"
          call={{
            operation: 'DELETE /v2/projects/{project_id}/digests/{digest_id}',
            path: { project_id: projectId, digest_id: digest.id },
          }}
          onClose={() => setIsAsking(false)}
          onDone={() => navigate({ to: '/projects/$projectId/integrations/digests', params: { projectId } })}
        />
      )}
    </Panel>
  );
}
