import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Tabs } from '../../ui/tabs.js';
import { DeliveryAttempts } from '../../frame/deliveries/delivery-attempts.js';
import { DeliveryCurl } from '../../frame/deliveries/delivery-curl.js';
import { DeliveryFacts } from '../../frame/deliveries/delivery-facts.js';
import { DeliverySidePanel } from '../../frame/deliveries/delivery-side-panel.js';
import { DeliveryRequest } from '../../frame/deliveries/delivery-request.js';
import { type Delivery, type DeliveryDetail, deliveryQuery } from '../webhooks.queries.js';
import { useRetry } from '../webhooks.writes.js';

interface DeliveryPanelProps {
  projectId: string;
  webhookId: string;
  deliveryId: string;
  /** The list's copy, if the list contains it. */
  listed: Delivery | undefined;
  onClose: () => void;
}

/** Panel next to the list: a delivery's request, its attempts, and a button to resend it. */
export function DeliveryPanel({ projectId, webhookId, deliveryId, listed, onClose }: DeliveryPanelProps) {
  const mayRead = useMay('getWebhookDelivery');
  const mayRetry = useMay('retryWebhookDelivery');
  const query = deliveryQuery(projectId, webhookId, deliveryId);
  const detail = useQuery({ ...query, enabled: mayRead.allowed });
  // Stored here, because the panel becomes a dialog in a narrower window.
  const [part, setPart] = useState<Part>('request');
  const retry = useRetry(projectId, webhookId, deliveryId);
  const title = detail.data?.event_type ?? listed?.event_type ?? deliveryId;
  return (
    <DeliverySidePanel
      title={title}
      retry={retry}
      retryReason={mayRetry.reason}
      call={{
        operation:
          'POST /v2/projects/{project_id}/webhooks/{webhook_integration_id}/deliveries/{delivery_id}/retry',
        path: { project_id: projectId, webhook_integration_id: webhookId, delivery_id: deliveryId },
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

type Part = 'request' | 'attempts' | 'curl';

interface PartsProps {
  projectId: string;
  delivery: DeliveryDetail;
  part: Part;
  onPart: (part: Part) => void;
}

function Parts({ projectId, delivery, part, onPart }: PartsProps) {
  return (
    <div className="flex flex-col gap-4">
      <DeliveryFacts projectId={projectId} delivery={delivery} body={delivery.request.body} />
      <div>
        <Tabs
          label="Parts of the delivery"
          value={part}
          onChange={onPart}
          tabs={[
            { id: 'request', label: 'Request' },
            { id: 'attempts', label: 'Attempts', count: delivery.attempts },
            { id: 'curl', label: 'curl' },
          ]}
        >
          {part === 'request' && (
            <DeliveryRequest
              {...delivery.request}
              url={delivery.url}
              note="Signatures and the Authorization header are not shown."
            />
          )}
          {part === 'attempts' && (
            <DeliveryAttempts log={delivery.attempt_log} attempts={delivery.attempts} />
          )}
          {part === 'curl' && <DeliveryCurl curl={delivery.curl} />}
        </Tabs>
      </div>
    </div>
  );
}
