import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Button } from '../../ui/button.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDateTime } from '../../ui/format/format-time.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SidePanel } from '../../ui/overlays/side-panel.js';
import { type ExportRun, isRunning, runQuery } from '../exports.queries.js';
import { useCancelRun } from '../exports.writes.js';
import { useExportReason } from '../use-may-export.js';
import { RunDetails } from './run-details.js';

interface RunPanelProps {
  projectId: string;
  exportId: string;
  runId: string;
  /** The list's copy, if the list contains it. */
  listed: ExportRun | undefined;
  onClose: () => void;
}

/** Panel next to the list of runs: how a run went, and its files. */
export function RunPanel({ projectId, exportId, runId, listed, onClose }: RunPanelProps) {
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const mayCancel = useExportReason('cancelExportRun');
  const cancel = useCancelRun(projectId, exportId, runId);
  const query = runQuery(projectId, exportId, runId);
  const run = useQuery(query);
  const shown = run.data ?? listed;
  const path = { project_id: projectId, export_id: exportId, run_id: runId };
  return (
    <SidePanel
      open
      onClose={onClose}
      title={shown ? `Run of ${formatDateTime(format, shown.started_at ?? shown.created_at)}` : 'Run'}
      actions={
        shown &&
        isRunning(shown) && (
          <Button size="sm" icon="x" disabledReason={mayCancel} onClick={() => setIsAsking(true)}>
            Cancel run
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <QueryPanel query={run} queryKey={query.queryKey}>
          {(data) => <RunDetails run={data} />}
        </QueryPanel>
        <ShowCall
          operation="GET /v2/projects/{project_id}/integrations/exports/{export_id}/runs/{run_id}"
          path={path}
        />
      </div>
      {isAsking && (
        <ConfirmCall
          danger
          title="Cancel this run?"
          effect="Nothing of it becomes visible at the destination. The next run delivers what this one would have."
          confirmLabel="Cancel run"
          write={cancel}
          input={undefined}
          done="Run canceled"
          call={{
            operation:
              'POST /v2/projects/{project_id}/integrations/exports/{export_id}/runs/{run_id}/actions/cancel',
            path,
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </SidePanel>
  );
}
