import { useEffect, useRef } from 'react';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { FormError } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { ExportDestination } from '../exports.queries.js';
import { useExportReason } from '../use-may-export.js';
import { ConnectionTest } from './connection-test.js';
import { useSaveDestination, useTestDestination } from './destinations.writes.js';

interface TestDialogProps {
  projectId: string;
  destination: ExportDestination;
  onClose: () => void;
}

/** Tests a saved destination, and trusts the key of an SFTP server if it has changed. */
export function TestDialog({ projectId, destination, onClose }: TestDialogProps) {
  const { id, kind, name } = destination;
  const test = useTestDestination(projectId);
  const save = useSaveDestination(projectId);
  const mayTrust = useExportReason('updateExportDestination');
  const isStarted = useRef(false);
  const { mutate } = test;
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate({ id });
  }, [id, mutate]);
  const trust = (hostKey: string) =>
    save.mutate({ id, changes: { sftp: { host_key: hostKey } } }, { onSuccess: () => mutate({ id }) });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Test of ${visibleText(name)}`}
      size="sm"
      footer={
        <>
          <Button busy={test.isPending} icon="refresh" onClick={() => mutate({ id })}>
            Test again
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {test.isPending && (
          <p role="status" className="text-muted">
            Writing, reading and deleting a test file…
          </p>
        )}
        <FormError error={(save.error ?? test.error)?.message} />
        {test.data && !test.isPending && (
          <ConnectionTest
            kind={kind}
            result={test.data}
            trust={{ isPending: save.isPending, disabledReason: mayTrust, onTrust: trust }}
          />
        )}
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}/actions/test"
          path={{ project_id: projectId, export_destination_id: id }}
        />
      </div>
    </Dialog>
  );
}
