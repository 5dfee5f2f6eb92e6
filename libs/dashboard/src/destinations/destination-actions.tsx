import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallError } from '../api/call-error.js';
import { useMay } from '../api/permissions.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { Button } from '../ui/button.js';
import type { Destination, DestinationType } from './destinations.queries.js';
import { useUpdateDestination } from './destinations.writes.js';
import { ReplayDialog } from './replays/replay-dialog.js';

interface DestinationActionsProps {
  projectId: string;
  destination: Destination;
  type: DestinationType;
  /** The result of `useTestDestination`. */
  test: Pick<UseMutationResult<unknown, CallError, string>, 'mutate' | 'isPending'>;
}

/** Actions on a destination. */
export function DestinationActions({ projectId, destination, type, test }: DestinationActionsProps) {
  const [open, setOpen] = useState<'replay' | 'switch' | null>(null);
  const may = {
    test: useMay('testDestination').reason,
    replay: useMay('replayDestinationEvents').reason,
    update: useMay('updateDestination').reason,
  };
  const update = useUpdateDestination(projectId, destination.id);
  const { enabled } = destination;
  return (
    <>
      <Button
        icon="send"
        busy={test.isPending}
        disabledReason={may.test}
        onClick={() => test.mutate(destination.id)}
      >
        Send test
      </Button>
      <Button icon="history" disabledReason={may.replay} onClick={() => setOpen('replay')}>
        Replay
      </Button>
      <Button
        icon={enabled ? 'pause' : 'play'}
        variant={enabled ? undefined : 'primary'}
        disabledReason={may.update}
        onClick={() => setOpen('switch')}
      >
        {enabled ? 'Pause' : 'Turn on'}
      </Button>
      {open === 'replay' && (
        <ReplayDialog
          projectId={projectId}
          destination={destination}
          type={type}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'switch' && (
        <ConfirmCall
          title={enabled ? 'Pause this destination' : 'Turn on this destination'}
          effect={
            enabled
              ? 'Nothing is sent until you turn it on. Deliveries that have not been sent are kept. New events are not queued; a replay sends them later.'
              : 'Deliveries that have not been sent are sent now. Events that happened while it was paused were not queued; a replay sends them.'
          }
          confirmLabel={enabled ? 'Pause destination' : 'Turn on destination'}
          write={update}
          input={{ enabled: !enabled }}
          call={{
            operation: 'POST /v2/projects/{project_id}/integrations/destinations/{destination_id}',
            path: { project_id: projectId, destination_id: destination.id },
            body: { enabled: !enabled },
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
