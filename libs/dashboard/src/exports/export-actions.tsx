import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { Button } from '../ui/button.js';
import { Menu } from '../ui/overlays/menu.js';
import { useToast } from '../ui/overlays/toast.js';
import { type Export, isRunning } from './exports.queries.js';
import { useDeleteExport, useRunExport, useUpdateExport } from './exports.writes.js';
import { ExportDialog } from './form/export-dialog.js';
import { useExportReason } from './use-may-export.js';

interface ExportActionsProps {
  projectId: string;
  found: Export;
}

/** Runs, pauses, changes and deletes an export. */
export function ExportActions({ projectId, found }: ExportActionsProps) {
  const toast = useToast();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const reasons = {
    run: useExportReason('runExport'),
    update: useExportReason('updateExport'),
    delete: useExportReason('deleteExport'),
  };
  const run = useRunExport(projectId, found.id);
  const update = useUpdateExport(projectId, found.id);
  const isPaused = found.state === 'paused';
  const isGoing = found.last_run !== null && isRunning(found.last_run);
  const mayRun = reasons.run ?? (isGoing ? 'A run is in progress.' : null);
  const failed = { onError: ({ message }: Error) => toast({ title: message, tone: 'bad' }) };
  const start = (mode?: 'full') =>
    run.mutate(mode === undefined ? {} : { mode }, {
      ...failed,
      onSuccess: () => toast({ title: 'Run started', tone: 'good' }),
    });
  const toggle = () =>
    update.mutate(
      { state: isPaused ? 'active' : 'paused' },
      { ...failed, onSuccess: () => toast({ title: isPaused ? 'Export resumed' : 'Export paused' }) },
    );
  return (
    <>
      <Button
        variant="primary"
        icon="play"
        busy={run.isPending}
        disabledReason={mayRun}
        onClick={() => start()}
      >
        Run now
      </Button>
      <Button
        icon={isPaused ? 'play' : 'pause'}
        busy={update.isPending}
        disabledReason={reasons.update}
        onClick={toggle}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button icon="edit" disabledReason={reasons.update} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu
        iconOnly
        label="Actions"
        items={[
          {
            label: 'Run full export',
            icon: 'refresh',
            hint: 'Delivers every row.',
            disabledReason: mayRun,
            onSelect: () => start('full'),
          },
          {
            label: 'Delete',
            icon: 'trash',
            danger: true,
            separator: true,
            disabledReason: reasons.delete,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'edit' && <ExportDialog projectId={projectId} found={found} onClose={close} />}
      {open === 'delete' && <DeleteDialog projectId={projectId} found={found} onClose={close} />}
    </>
  );
}

function DeleteDialog({ projectId, found, onClose }: ExportActionsProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteExport(projectId, found.id);
  return (
    <ConfirmCall
      danger
      title="Delete this export?"
      effect="Files that were delivered stay where they are."
      confirmLabel="Delete"
      write={remove}
      input={undefined}
      done="Export deleted"
      call={{
        operation: 'DELETE /v2/projects/{project_id}/integrations/exports/{export_id}',
        path: { project_id: projectId, export_id: found.id },
      }}
      onClose={onClose}
      onDone={() => navigate({ to: '/projects/$projectId/integrations/exports', params: { projectId } })}
    />
  );
}
