import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { DeliveryAttempts } from '../../frame/deliveries/delivery-attempts.js';
import { DeliveryCurl } from '../../frame/deliveries/delivery-curl.js';
import { DeliveryFacts } from '../../frame/deliveries/delivery-facts.js';
import { DeliveryRequest } from '../../frame/deliveries/delivery-request.js';
import { DeliverySidePanel } from '../../frame/deliveries/delivery-side-panel.js';
import { Badge } from '../../ui/badge.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Tabs } from '../../ui/tabs.js';
import { DataText } from '../../ui/text/data-text.js';
import { useRetry } from '../destinations.writes.js';
import { type Delivery, type DeliveryDetail, deliveryQuery } from './deliveries.queries.js';

interface DeliveryPanelProps {
  projectId: string;
  destinationId: string;
  deliveryId: string;
  /** The list's copy, if the list contains it. */
  listed: Delivery | undefined;
  onClose: () => void;
}

type Part = 'requests' | 'attempts' | 'curl';

/** Panel next to the list: the reason of a delivery, its requests and the answers. */
export function DeliveryPanel({ projectId, destinationId, deliveryId, listed, onClose }: DeliveryPanelProps) {
  const mayRead = useMay('getDestinationDelivery');
  const query = deliveryQuery(projectId, destinationId, deliveryId);
  const detail = useQuery({ ...query, enabled: mayRead.allowed });
  // Stored here, because the panel becomes a dialog in a narrower window.
  const [part, setPart] = useState<Part>('requests');
  return (
    <DeliverySidePanel
      title={detail.data?.event_type ?? listed?.event_type ?? deliveryId}
      retry={useRetry(projectId, destinationId, deliveryId)}
      retryReason={useMay('retryDestinationDelivery').reason}
      call={{
        operation:
          'POST /v2/projects/{project_id}/integrations/destinations/{destination_id}/deliveries/{destination_delivery_id}/retry',
        path: { project_id: projectId, destination_id: destinationId, destination_delivery_id: deliveryId },
      }}
      onClose={onClose}
    >
      {mayRead.allowed ? (
        <QueryPanel query={detail} queryKey={query.queryKey}>
          {(data) => <Parts projectId={projectId} delivery={data} part={part} onPart={setPart} />}
        </QueryPanel>
      ) : (
        <>
          {listed && <DeliveryFacts projectId={projectId} delivery={listed} />}
          <p className="text-muted">Requests and responses can hold personal data. {mayRead.reason}</p>
        </>
      )}
    </DeliverySidePanel>
  );
}

interface PartsProps {
  projectId: string;
  delivery: DeliveryDetail;
  part: Part;
  onPart: (part: Part) => void;
}

function Parts({ projectId, delivery, part, onPart }: PartsProps) {
  const { reason_text: reason, may_be_repeated: mayBeRepeated, requests, curl } = delivery;
  return (
    <div className="flex flex-col gap-4">
      {(reason !== null || mayBeRepeated) && (
        <div className="flex flex-col items-start gap-1.5">
          {reason !== null && <DataText>{reason}</DataText>}
          {mayBeRepeated && <Badge tone="warn">May have been received twice</Badge>}
        </div>
      )}
      <DeliveryFacts projectId={projectId} delivery={delivery} />
      <div>
        <Tabs
          label="Parts of the delivery"
          value={part}
          onChange={onPart}
          tabs={[
            { id: 'requests', label: requests.length > 1 ? 'Requests' : 'Request' },
            { id: 'attempts', label: 'Attempts', count: delivery.attempts },
            { id: 'curl', label: 'curl' },
          ]}
        >
          {part === 'requests' && <Requests requests={requests} />}
          {part === 'attempts' && (
            <DeliveryAttempts log={delivery.attempt_log} attempts={delivery.attempts} />
          )}
          {part === 'curl' &&
            (curl === null ? <p className="text-muted">Nothing is sent.</p> : <DeliveryCurl curl={curl} />)}
        </Tabs>
      </div>
    </div>
  );
}

function Requests({ requests }: Pick<DeliveryDetail, 'requests'>) {
  if (requests.length === 0) return <p className="text-muted">Nothing is sent.</p>;
  return (
    <div className="flex flex-col gap-6">
      {requests.map((request, index) => (
        <DeliveryRequest
          key={index}
          {...request}
          note="Keys are masked."
          label={requests.length === 1 ? undefined : `Request ${index + 1}`}
        />
      ))}
    </div>
  );
}
