import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { Button } from '../ui/button.js';
import type { Destination } from './destinations.queries.js';
import { useUpdateDestination } from './destinations.writes.js';

interface DestinationActionsProps {
  projectId: string;
  destination: Destination;
}

/** Actions on a destination. */
export function DestinationActions({ projectId, destination }: DestinationActionsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const mayUpdate = useMay('updateDestination').reason;
  const update = useUpdateDestination(projectId, destination.id);
  const { enabled } = destination;
  return (
    <>
      <Button
        icon={enabled ? 'pause' : 'play'}
        variant={enabled ? undefined : 'primary'}
        disabledReason={mayUpdate}
        onClick={() => setIsAsking(true)}
      >
        {enabled ? 'Pause' : 'Turn on'}
      </Button>
      {isAsking && (
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
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
